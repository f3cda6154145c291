/** Texts that are loaded with what shows them, not with the first screen (docs/rules/console.md#first-load). */
import type { Language } from '../../core/vocabulary/languages.ts';

type Load = () => Promise<Readonly<Record<string, string>>>;

export const textParts = {
  profile: {
    zh: async () => (await import('./zh/profile.ts')).profile,
    en: async () => (await import('./en/profile.ts')).profile,
  },
  redemption: {
    zh: async () => (await import('./zh/redemption.ts')).redemption,
    en: async () => (await import('./en/redemption.ts')).redemption,
  },
  topup: {
    zh: async () => (await import('./zh/topup.ts')).topup,
    en: async () => (await import('./en/topup.ts')).topup,
  },
  detail: {
    zh: async () => (await import('./zh/detail.ts')).detail,
    en: async () => (await import('./en/detail.ts')).detail,
  },
  statement: {
    zh: async () => (await import('./zh/statement.ts')).statement,
    en: async () => (await import('./en/statement.ts')).statement,
  },
  logActions: {
    zh: async () => (await import('./zh/log-actions.ts')).logActions,
    en: async () => (await import('./en/log-actions.ts')).logActions,
  },
} satisfies Record<string, Record<Language, Load>>;

export type TextPart = keyof typeof textParts;
