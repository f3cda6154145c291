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

/**
 * The stored choice; values of One API and New API (`zh-CN`, `en-US`) count by their first two
 * letters.
 */
function storedLanguage(): Language {
  return readStored(storageKeys.language)?.toLowerCase().startsWith('en') ? 'en' : 'zh';
}

export function currentLanguage(): Language {
  return language;
}

type Texts = Readonly<Record<string, string>>;
/** The parts that were needed since the page was opened, each with the load that brings it. */
const neededParts = new Map<TextPart, Promise<void>>();
/** The language that was asked for last; it is used once its texts are loaded. */
let wantedLanguage: Language = language;
/** Loads in the order in which they began. Each brings all that those before it bring. */
let lastBegun = 0;
let lastUsed = 0;

async function loadTexts(wanted: Language): Promise<Texts> {
  const base: Promise<Texts> =
    wanted === 'en'
      ? import('./en/index.ts').then(({ en }) => en)
      : import('./zh/index.ts').then(({ zh }) => zh);
  const parts = [...neededParts.keys()].map((name): Promise<Texts> => textParts[name][wanted]());
  return Object.assign({}, ...(await Promise.all([base, ...parts]))) as Texts;
}

async function use(next: Language): Promise<void> {
  wantedLanguage = next;
  lastBegun += 1;
  const turn = lastBegun;
  const texts = await loadTexts(next).catch((error: unknown) => {
    // A later load would bring the language that was not to be had.
    if (turn === lastBegun) wantedLanguage = language;
    throw error;
  });
  // A load that began later has ended already: it knows all of these texts, and perhaps more.
  if (turn < lastUsed) return;
  lastUsed = turn;
  t = translatorOf(next, texts);
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
export function loadTextPart(name: TextPart): Promise<void> {
  const begun = neededParts.get(name);
  if (begun !== undefined) return begun;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // Known before the load begins, because it reads which parts are needed.
  neededParts.set(name, promise);
  use(wantedLanguage).then(resolve, (error: unknown) => {
    neededParts.delete(name);
    reject(error);
  });
  return promise;
}

/** For code outside React. Inside, `useTranslation` follows the language. */
export function translate(key: TextKey): string {
  return t(key);
}

/** The same for texts with parameters: of the texts that are loaded now. */
export const currentTranslate = (): Translate => t;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The texts of the current language; `t` changes with the language only. */
export function useTranslation(): { readonly t: Translate } {
  return { t: useSyncExternalStore(subscribe, () => t) };
}
