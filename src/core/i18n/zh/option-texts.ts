import type { PanelId, PanelPage } from '../../options/index.ts';
import { vendorOptionWords } from '../../providers/option-words.ts';
import { loginOptionWords } from './option-words-login.ts';
import { siteOptionWords } from './option-words-site.ts';

/** Settings pages and their sections. */
export const panels = {
  'panel.operation': '运营',
  'panel.operation.general': '通用',
  'panel.operation.log': '日志',
  'panel.operation.dashboard': '数据看板',
  'panel.operation.monitoring': '监控',
  'panel.operation.quota': '额度',
  'panel.operation.ledger': '账本',
  'panel.operation.chats': '聊天预设',
  'panel.operation.groups': '分组',
  'panel.operation.prices': '模型倍率',
  'panel.operation.sensitive': '敏感词',
  'panel.operation.drawing': '绘图与任务',
  'panel.ratelimit': '速率限制',
  'panel.ratelimit.requests': '模型请求',
  'panel.models': '模型',
  'panel.models.global': '全局',
  'panel.models.sync': '模型目录',
  'panel.models.affinity': '渠道亲和',
  'panel.models.gemini': 'Gemini',
  'panel.models.claude': 'Claude',
  'panel.models.video': '视频',
  'panel.system': '系统',
  'panel.system.server': '服务器',
  'panel.system.login': '登录与注册',
  'panel.system.worker': '代理 Worker',
  'panel.system.payment': '充值与易支付',
  'panel.system.wechat-pay': '微信支付',
  'panel.system.email-domains': '邮箱域名',
  'panel.system.smtp': '邮件（SMTP）',
  'panel.system.github': 'GitHub 登录',
  'panel.system.wechat': '微信登录',
  'panel.system.telegram': 'Telegram 登录',
  'panel.system.linuxdo': 'LinuxDO 登录',
  'panel.system.oidc': 'OIDC 登录',
  'panel.system.turnstile': 'Turnstile 人机验证',
  'panel.system.sms': '短信',
  'panel.system.messages': '消息推送',
  'panel.other': '其他',
  'panel.other.content': '站点内容',
  'panel.other.legacy': '旧设置',
} as const satisfies Record<`panel.${PanelPage | PanelId}`, string>;

/** The settings' texts: names of pages and sections, labels and hints of options. */
export const optionTexts = {
  ...siteOptionWords,
  ...loginOptionWords,
  ...vendorOptionWords.zh,
  ...panels,
};
