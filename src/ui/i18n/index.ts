/** The console's languages (docs/rules/console.md#console-languages). */
import { useSyncExternalStore } from 'react';
import type { Language } from '../../core/vocabulary/languages.ts';
import { readStored, storageKeys, writeStored } from '../browser/local-storage.ts';
import { type TextKey, type Translate, translatorOf } from './translate.ts';

export type { TextKey, Translate } from './translate.ts';

let language: Language = 'zh';
let t: Translate = translatorOf(language, {});
const listeners = new Set<() => void>();

/** The stored choice; values of One API and New API (`zh-CN`, `en-US`) count by their first two letters. */
function storedLanguage(): Language {
  return readStored(storageKeys.language)?.toLowerCase().startsWith('en') ? 'en' : 'zh';
}

export function currentLanguage(): Language {
  return language;
}

async function loadTexts(wanted: Language): Promise<Readonly<Record<string, string>>> {
  if (wanted === 'en') return (await import('./en/index.ts')).en;
  return (await import('./zh/index.ts')).zh;
}

async function use(next: Language): Promise<void> {
  t = translatorOf(next, await loadTexts(next));
  language = next;
  document.documentElement.lang = next === 'en' ? 'en' : 'zh-CN';
  for (const listener of listeners) listener();
}

/** Loads the texts of the stored language; before that no text can be shown. */
export async function startTexts(): Promise<void> {
  await use(storedLanguage());
}

export async function changeLanguage(next: Language): Promise<void> {
  await use(next);
  writeStored(storageKeys.language, next);
}

/** For code outside React. Inside, `useTranslation` follows the language. */
export function translate(key: TextKey): string {
  return t(key);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The texts of the current language; `t` changes with the language only. */
export function useTranslation(): { readonly t: Translate } {
  return { t: useSyncExternalStore(subscribe, () => t) };
}
