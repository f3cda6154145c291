import type { PanelId, PanelPage, RuleKey } from '../../options/index.ts';
import type { LedgerKind } from '../../vocabulary/ledger-kinds.ts';
import type { LogType } from '../../vocabulary/log-types.ts';
import type { methodByHand, PaymentMethodId } from '../../vocabulary/payment-methods.ts';
import type { Role } from '../../vocabulary/roles.ts';
import type { ChannelStatus, RedemptionStatus, TokenStatus, TopUpStatus, UserStatus } from '../../vocabulary/statuses.ts';

/** Names of the numeric codes that the API uses. */
export const vocabulary = {
  'status.user.1': '正常',
  'status.user.2': '已封禁',
  'status.user.3': '已注销',
  'status.channel.1': '已启用',
  'status.channel.2': '已停用',
  'status.channel.3': '自动停用',
  'status.token.1': '已启用',
  'status.token.2': '已停用',
  'status.token.3': '已过期',
  'status.token.4': '已用完',
  'status.redemption.1': '未使用',
  'status.redemption.2': '已停用',
  'status.redemption.3': '已使用',
  'status.topUp.pending': '处理中',
  'status.topUp.success': '成功',
  'status.topUp.failed': '失败',
  'paymentMethod.wechatpay': '微信支付',
  'paymentMethod.alipay': '支付宝',
  'paymentMethod.wxpay': '微信支付',
  'paymentMethod.admin': '管理员补单',
  'role.1': '普通用户',
  'role.10': '管理员',
  'role.100': '超级管理员',
  'role.unknown': '未知角色',
  'logType.0': '未知',
  'logType.1': '充值',
  'logType.2': '消费',
  'logType.3': '管理',
  'logType.4': '系统',
  'logType.5': '错误',
  'logType.6': '退款',
  'ledger.kind.opening': '期初',
  'ledger.kind.grant': '赠送',
  'ledger.kind.top_up': '充值',
  'ledger.kind.redemption': '兑换码',
  'ledger.kind.invite': '邀请奖励',
  'ledger.kind.transfer': '划转',
  'ledger.kind.charge': '消费',
  'ledger.kind.refund': '退款',
  'ledger.kind.adjustment': '调整',
  'ledger.kind.import': '导入',
} as const satisfies Record<
  | `status.user.${UserStatus}`
  | `status.channel.${ChannelStatus}`
  | `status.token.${TokenStatus}`
  | `status.redemption.${RedemptionStatus}`
  | `status.topUp.${TopUpStatus}`
  | `paymentMethod.${PaymentMethodId | typeof methodByHand}`
  | `role.${Role | 'unknown'}`
  | `logType.${LogType}`
  | `ledger.kind.${LedgerKind}`,
  string
>;

/** Settings pages and their sections. */
export const panels = {
  'panel.operation': '运营',
  'panel.operation.general': '通用',
  'panel.operation.log': '日志',
  'panel.operation.dashboard': '数据看板',
  'panel.operation.monitoring': '监控',
  'panel.operation.quota': '额度',
  'panel.operation.chats': '聊天预设',
  'panel.operation.groups': '分组',
  'panel.operation.prices': '模型倍率',
  'panel.operation.sensitive': '敏感词',
  'panel.operation.drawing': '绘图与任务',
  'panel.ratelimit': '速率限制',
  'panel.ratelimit.requests': '模型请求',
  'panel.models': '模型',
  'panel.models.global': '全局',
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

/** Why an option's value is rejected. */
export const rules = {
  'rule.boolean': '只能是 true 或 false',
  'rule.integer': '必须是整数',
  'rule.decimal': '[{path} ]必须是数字',
  'rule.min': '不能小于 {min}',
  'rule.max': '[{path} ]不能大于 {max}',
  'rule.above': '必须大于 {min}',
  'rule.tooLong': '内容过长',
  'rule.json': '不是有效的 JSON 字符串[（第 {line} 行第 {column} 列）]',
  'rule.shape': '[{path} ]的格式错误',
  'rule.choice': '不是允许的值[，可选：{choices}]',
  'rule.url': '必须以 http:// 或 https:// 开头',
  'rule.https': '必须是不带参数的 https 地址',
  'rule.notNegative': '[{path} ]不能为负数',
  'rule.positive': '[{path} ]必须大于 0',
  'rule.discount': '[{path} ]必须大于 0 且不超过 1',
  'rule.chatLink': '[{path} ]不是允许的链接',
  'rule.bytes32': '长度必须正好是 32 字节',
  'rule.privateKey': '不是 RSA 私钥',
  'rule.publicKey': '不是 RSA 公钥或证书',
  'rule.prefix': '必须是 +86 这样的国家码',
  'rule.headerText': '必须是合法的请求头名称和值，不能换行',
} as const satisfies Record<RuleKey, string>;

/** Texts that the server stores or sends, in the site's language. */
export const logs = {
  'log.amount_currency': '{amount} 额度',
  'log.amount_points': '{amount} 点额度',
  'log.new_user': '新用户注册，赠送 {quota}',
  'log.invitee': '使用邀请码注册，赠送 {quota}',
  'log.inviter': '邀请新用户，获得 {quota}',
  'log.quota_changed': '管理员将额度从 {from} 改为 {to}',
  'log.granted': '管理员充值 {quota}[，备注：{remark}]',
  'log.redeemed': '使用兑换码，充值 {quota}[，兑换码编号 {id}]',
  'log.topped_up': '在线充值 {quota}[，支付 {money} 元]',
  'log.transferred': '邀请收益划转 {quota} 到余额',
  'log.refunded': '任务失败，退还 {quota}[，任务 {task}]',
  'log.model_test': '模型测试',
  'log.images': '{count} 张图片，大小 {size}[，品质 {quality}]',
  'log.pruned': '清理了[ {before} 之前的] {count} 条日志',
  'order.goods_name': '{money} 元令牌充值套餐',
  'notice.payment_mismatch': '支付金额与订单不符',
  'notice.payment_mismatch.content': '订单 {order}：实付 {paid} 元，应付 {due} 元，未充值',
} as const;

/** Messages and names in replies of the API. */
export const replies = {
  'reply.set_up': '初始化完成',
  'reply.running': '服务运行正常',
  'reply.ratios_reset': '模型倍率已重置',
  'reply.transferred': '划转成功',
  'reply.settings_updated': '设置已更新',
  'group.own': '用户分组',
  'token.first': '{name}的初始令牌',
} as const;
