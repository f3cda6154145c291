/**
 * The settings' texts in the current language only. They are loaded with the first screen that
 * shows an option.
 */
import { use } from 'react';
import type { optionTexts } from '../../core/i18n/zh/option-texts.ts';
import type { OptionKey, PanelId, PanelPage } from '../../core/options/facts.ts';
import type { Language } from '../../core/vocabulary/languages.ts';
import { currentLanguage, useTranslation } from './index.ts';

type Texts = Readonly<Record<keyof typeof optionTexts, string>>;

export interface OptionTexts {
  label(key: OptionKey): string;
  /** The same of a key that may be unknown. */
  name(key: string): string | undefined;
  /** Undefined where the label says it all. */
  hint(key: OptionKey): string | undefined;
  panel(id: PanelId | PanelPage): string;
}

const loaded = new Map<Language, Promise<OptionTexts>>();

async function load(language: Language): Promise<OptionTexts> {
  const texts: Texts =
    language === 'en'
      ? (await import('../../core/i18n/en/option-texts.ts')).optionTexts
      : (await import('../../core/i18n/zh/option-texts.ts')).optionTexts;
  const all: Readonly<Record<string, string>> = texts;
  return {
    label: (key) => texts[`option.${key}.label`],
    name: (key) => all[`option.${key}.label`],
    hint: (key) => all[`option.${key}.hint`],
    panel: (id) => texts[`panel.${id}`],
  };
}

/** Suspends until the texts are loaded. */
export function useOptionTexts(): OptionTexts {
  useTranslation();
  const language = currentLanguage();
  let texts = loaded.get(language);
  if (texts === undefined) {
    texts = load(language);
    // Loaded again after a failure.
    texts.catch(() => loaded.delete(language));
    loaded.set(language, texts);
  }
  return use(texts);
}
