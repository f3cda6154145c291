/** Texts that are loaded with what shows them, not with the first screen (docs/rules/console.md#first-load). */
import type { Language } from '../../core/vocabulary/languages.ts';

type Load = () => Promise<Readonly<Record<string, string>>>;

export const textParts = {
  pricing: {
    zh: async () => (await import('./zh/pricing.ts')).pricing,
    en: async () => (await import('./en/pricing.ts')).pricing,
  },
  prices: {
    zh: async () => (await import('./zh/prices.ts')).prices,
    en: async () => (await import('./en/prices.ts')).prices,
  },
  personal: {
    zh: async () => (await import('./zh/personal.ts')).personal,
    en: async () => (await import('./en/personal.ts')).personal,
  },
  topup: {
    zh: async () => (await import('./zh/topup.ts')).topup,
    en: async () => (await import('./en/topup.ts')).topup,
  },
} satisfies Record<string, Record<Language, Load>>;

export type TextPart = keyof typeof textParts;
