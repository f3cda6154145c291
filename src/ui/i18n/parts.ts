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
} satisfies Record<string, Record<Language, Load>>;

export type TextPart = keyof typeof textParts;
