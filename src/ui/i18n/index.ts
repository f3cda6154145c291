/** The console's languages (docs/rules/console.md#console-languages). */
import { useSyncExternalStore } from 'react';
import type { Language } from '../../core/vocabulary/languages.ts';
import { readStored, storageKeys, writeStored } from '../browser/local-storage.ts';
import { type TextPart, textParts } from './parts.ts';
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

type Texts = Readonly<Record<string, string>>;
/** The parts that were needed since the page was opened. */
const neededParts = new Set<TextPart>();

async function loadTexts(wanted: Language): Promise<Texts> {
  const base: Promise<Texts> =
    wanted === 'en' ? import('./en/index.ts').then(({ en }) => en) : import('./zh/index.ts').then(({ zh }) => zh);
  const parts = [...neededParts].map((name): Promise<Texts> => textParts[name][wanted]());
  return Object.assign({}, ...(await Promise.all([base, ...parts]))) as Texts;
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

/** Loads texts that are not there from the beginning; what shows them waits for it. */
export async function loadTextPart(name: TextPart): Promise<void> {
  if (neededParts.has(name)) return;
  neededParts.add(name);
  await use(language);
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
