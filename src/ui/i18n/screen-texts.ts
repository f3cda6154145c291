/** Texts that load with the screen that uses them, instead of with the console (docs/rules/console.md#first-load). */
import type { Language } from '../../core/vocabulary/languages.ts';

type Texts = Readonly<Record<string, string>>;
type Load = Readonly<Record<Language, () => Promise<Texts>>>;

export const screenTexts = {
  profile: {
    zh: async () => (await import('./zh/profile.ts')).profile,
    en: async () => (await import('./en/profile.ts')).profile,
  },
  redemption: {
    zh: async () => (await import('./zh/redemption.ts')).redemption,
    en: async () => (await import('./en/redemption.ts')).redemption,
  },
} as const satisfies Readonly<Record<string, Load>>;

/** The texts of one screen; their keys begin with this name. */
export type ScreenTexts = keyof typeof screenTexts;
