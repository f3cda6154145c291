/**
 * Texts that are loaded with what shows them, not with the first screen
 * (docs/rules/console.md#first-load).
 */
import type { Language } from '../../core/vocabulary/languages.ts';

type Load = () => Promise<Readonly<Record<string, string>>>;

export const textParts = {
  channel: {
    zh: async () => (await import('./zh/channel.ts')).channel,
    en: async () => (await import('./en/channel.ts')).channel,
  },
  channelForm: {
    zh: async () => (await import('./zh/channel-form.ts')).channelForm,
    en: async () => (await import('./en/channel-form.ts')).channelForm,
  },
  bulk: {
    zh: async () => (await import('./zh/bulk.ts')).bulk,
    en: async () => (await import('./en/bulk.ts')).bulk,
  },
  content: {
    zh: async () => (await import('./zh/content.ts')).content,
    en: async () => (await import('./en/content.ts')).content,
  },
  log: {
    zh: async () => (await import('./zh/log.ts')).log,
    en: async () => (await import('./en/log.ts')).log,
  },
  taskLog: {
    zh: async () => (await import('./zh/task-log.ts')).taskLog,
    en: async () => (await import('./en/task-log.ts')).taskLog,
  },
  video: {
    zh: async () => (await import('./zh/video.ts')).video,
    en: async () => (await import('./en/video.ts')).video,
  },
  setting: {
    zh: async () => (await import('./zh/setting.ts')).setting,
    en: async () => (await import('./en/setting.ts')).setting,
  },
  token: {
    zh: async () => (await import('./zh/token.ts')).token,
    en: async () => (await import('./en/token.ts')).token,
  },
  user: {
    zh: async () => (await import('./zh/user.ts')).user,
    en: async () => (await import('./en/user.ts')).user,
  },
  budget: {
    zh: async () => (await import('./zh/budget.ts')).budget,
    en: async () => (await import('./en/budget.ts')).budget,
  },
  redemption: {
    zh: async () => (await import('./zh/redemption.ts')).redemption,
    en: async () => (await import('./en/redemption.ts')).redemption,
  },
  pricing: {
    zh: async () => (await import('./zh/pricing.ts')).pricing,
    en: async () => (await import('./en/pricing.ts')).pricing,
  },
  models: {
    zh: async () => (await import('./zh/models.ts')).models,
    en: async () => (await import('./en/models.ts')).models,
  },
  square: {
    zh: async () => (await import('./zh/square.ts')).square,
    en: async () => (await import('./en/square.ts')).square,
  },
  modelManagement: {
    zh: async () => (await import('./zh/model-management.ts')).modelManagement,
    en: async () => (await import('./en/model-management.ts')).modelManagement,
  },
  prices: {
    zh: async () => (await import('./zh/prices.ts')).prices,
    en: async () => (await import('./en/prices.ts')).prices,
  },
  personal: {
    zh: async () => (await import('./zh/personal.ts')).personal,
    en: async () => (await import('./en/personal.ts')).personal,
  },
  account: {
    zh: async () => (await import('./zh/account.ts')).account,
    en: async () => (await import('./en/account.ts')).account,
  },
  topup: {
    zh: async () => (await import('./zh/topup.ts')).topup,
    en: async () => (await import('./en/topup.ts')).topup,
  },
  reset: {
    zh: async () => (await import('./zh/reset.ts')).reset,
    en: async () => (await import('./en/reset.ts')).reset,
  },
  register: {
    zh: async () => (await import('./zh/register.ts')).register,
    en: async () => (await import('./en/register.ts')).register,
  },
  phone: {
    zh: async () => (await import('./zh/phone.ts')).phone,
    en: async () => (await import('./en/phone.ts')).phone,
  },
  emailCode: {
    zh: async () => (await import('./zh/email-code.ts')).emailCode,
    en: async () => (await import('./en/email-code.ts')).emailCode,
  },
  identities: {
    zh: async () => (await import('./zh/identities.ts')).identities,
    en: async () => (await import('./en/identities.ts')).identities,
  },
  secondFactor: {
    zh: async () => (await import('./zh/second-factor.ts')).secondFactor,
    en: async () => (await import('./en/second-factor.ts')).secondFactor,
  },
  detail: {
    zh: async () => (await import('./zh/detail.ts')).detail,
    en: async () => (await import('./en/detail.ts')).detail,
  },
  quickStart: {
    zh: async () => (await import('./zh/quick-start.ts')).quickStart,
    en: async () => (await import('./en/quick-start.ts')).quickStart,
  },
  receipt: {
    zh: async () => (await import('./zh/receipt.ts')).receipt,
    en: async () => (await import('./en/receipt.ts')).receipt,
  },
  statement: {
    zh: async () => (await import('./zh/statement.ts')).statement,
    en: async () => (await import('./en/statement.ts')).statement,
  },
  node: {
    zh: async () => (await import('./zh/node.ts')).node,
    en: async () => (await import('./en/node.ts')).node,
  },
  audit: {
    zh: async () => (await import('./zh/audit.ts')).audit,
    en: async () => (await import('./en/audit.ts')).audit,
  },
  playground: {
    zh: async () => (await import('./zh/playground.ts')).playground,
    en: async () => (await import('./en/playground.ts')).playground,
  },
  chatRedirect: {
    zh: async () => (await import('./zh/chat-redirect.ts')).chatRedirect,
    en: async () => (await import('./en/chat-redirect.ts')).chatRedirect,
  },
  logActions: {
    zh: async () => (await import('./zh/log-actions.ts')).logActions,
    en: async () => (await import('./en/log-actions.ts')).logActions,
  },
  upload: {
    zh: async () => (await import('./zh/upload.ts')).upload,
    en: async () => (await import('./en/upload.ts')).upload,
  },
  palette: {
    zh: async () => (await import('./zh/palette.ts')).palette,
    en: async () => (await import('./en/palette.ts')).palette,
  },
  setup: {
    zh: async () => (await import('./zh/setup.ts')).setup,
    en: async () => (await import('./en/setup.ts')).setup,
  },
} satisfies Record<string, Record<Language, Load>>;

export type TextPart = keyof typeof textParts;
