import { vendorOptionWords } from '../../providers/option-words.ts';
import type { panels as zhPanels } from '../zh/option-texts.ts';
import { loginOptionWords } from './option-words-login.ts';
import { siteOptionWords } from './option-words-site.ts';

export const panels = {
  'panel.operation': 'Operation',
  'panel.operation.general': 'General',
  'panel.operation.log': 'Logs',
  'panel.operation.dashboard': 'Dashboard',
  'panel.operation.monitoring': 'Monitoring',
  'panel.operation.quota': 'Quota',
  'panel.operation.ledger': 'Ledger',
  'panel.operation.chats': 'Chat presets',
  'panel.operation.groups': 'Groups',
  'panel.operation.prices': 'Model ratios',
  'panel.operation.sensitive': 'Sensitive words',
  'panel.operation.drawing': 'Drawing and tasks',
  'panel.ratelimit': 'Rate limit',
  'panel.ratelimit.requests': 'Model requests',
  'panel.models': 'Models',
  'panel.models.global': 'Global',
  'panel.models.sync': 'Model catalogue',
  'panel.models.affinity': 'Channel affinity',
  'panel.models.gemini': 'Gemini',
  'panel.models.claude': 'Claude',
  'panel.models.video': 'Video',
  'panel.system': 'System',
  'panel.system.server': 'Server',
  'panel.system.login': 'Login and registration',
  'panel.system.worker': 'Proxy worker',
  'panel.system.payment': 'Top-up and Epay',
  'panel.system.wechat-pay': 'WeChat Pay',
  'panel.system.email-domains': 'Email domains',
  'panel.system.smtp': 'Mail (SMTP)',
  'panel.system.github': 'GitHub login',
  'panel.system.wechat': 'WeChat login',
  'panel.system.telegram': 'Telegram login',
  'panel.system.linuxdo': 'LinuxDO login',
  'panel.system.oidc': 'OIDC login',
  'panel.system.turnstile': 'Turnstile human verification',
  'panel.system.sms': 'Text messages',
  'panel.system.messages': 'Message pusher',
  'panel.other': 'Other',
  'panel.other.content': 'Content',
  'panel.other.legacy': 'Legacy',
} satisfies Record<keyof typeof zhPanels, string>;

/** The settings' texts: names of pages and sections, labels and hints of options. */
export const optionTexts = {
  ...siteOptionWords,
  ...loginOptionWords,
  ...vendorOptionWords.en,
  ...panels,
};
