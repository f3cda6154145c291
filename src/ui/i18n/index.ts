/** The console's languages (docs/rules/console.md#console-languages). */
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { Language } from '../../core/vocabulary/languages.ts';
import { readStored, storageKeys, writeStored } from '../browser/local-storage.ts';
import type { zh } from './zh/index.ts';

/** Keys of texts that take no parameter: what tables of labels may hold. */
export type TextKey = {
  [K in keyof typeof zh]: (typeof zh)[K] extends `${string}{{${string}` ? never : K extends `${string}_other` ? never : K;
}[keyof typeof zh];

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof zh };
    keySeparator: false;
    nsSeparator: false;
  }
}

/** The stored choice; values of One API and New API (`zh-CN`, `en-US`) count by their first two letters. */
function storedLanguage(): Language {
  return readStored(storageKeys.language)?.toLowerCase().startsWith('en') ? 'en' : 'zh';
}

export function currentLanguage(): Language {
  return i18next.language === 'en' ? 'en' : 'zh';
}

async function loadTexts(language: Language): Promise<Readonly<Record<string, string>>> {
  if (language === 'en') return (await import('./en/index.ts')).en;
  return (await import('./zh/index.ts')).zh;
}

export async function startTexts(): Promise<void> {
  const language = storedLanguage();
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false },
    returnNull: false,
    resources: { [language]: { translation: await loadTexts(language) } },
  });
  document.documentElement.lang = language === 'en' ? 'en' : 'zh-CN';
}

export async function changeLanguage(language: Language): Promise<void> {
  if (!i18next.hasResourceBundle(language, 'translation')) {
    i18next.addResourceBundle(language, 'translation', await loadTexts(language));
  }
  await i18next.changeLanguage(language);
  writeStored(storageKeys.language, language);
  document.documentElement.lang = language === 'en' ? 'en' : 'zh-CN';
}

/** For code outside React. Inside, `useTranslation` follows the language. */
export function translate(key: TextKey): string {
  return i18next.t(key);
}
