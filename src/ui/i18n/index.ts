/** The console's languages (docs/rules/console.md#console-languages). */
import { useSyncExternalStore } from 'react';
import type { Language } from '../../core/vocabulary/languages.ts';
import { readStored, storageKeys, writeStored } from '../browser/local-storage.ts';
import { type ScreenTexts, screenTexts } from './screen-texts.ts';
import { type TextKey, type Translate, translatorOf } from './translate.ts';

export type { ScreenTexts } from './screen-texts.ts';
export type { TextKey, Translate } from './translate.ts';

let language: Language = 'zh';
/** The language that is shown, or that loads. */
let wanted: Language = language;
let t: Translate = translatorOf(language, {});
const listeners = new Set<() => void>();
/** The screens that were opened; each resolves when its texts are there. */
const opened = new Map<ScreenTexts, Promise<void>>();
let latest: Promise<void> = Promise.resolve();

/** The stored choice; values of One API and New API (`zh-CN`, `en-US`) count by their first two letters. */
function storedLanguage(): Language {
  return readStored(storageKeys.language)?.toLowerCase().startsWith('en') ? 'en' : 'zh';
}

export function currentLanguage(): Language {
  return language;
}

async function loadBase(of: Language): Promise<Readonly<Record<string, string>>> {
  if (of === 'en') return (await import('./en/index.ts')).en;
  return (await import('./zh/index.ts')).zh;
}

async function loadTexts(of: Language): Promise<Readonly<Record<string, string>>> {
  const parts = await Promise.all([loadBase(of), ...[...opened.keys()].map((name) => screenTexts[name][of]())]);
  return Object.assign({}, ...parts);
}

/** Of two calls at once the later one counts, and both resolve with it. */
function use(next: Language): Promise<void> {
  wanted = next;
  const loading: Promise<void> = loadTexts(next).then((texts) => {
    if (latest !== loading) return latest;
    t = translatorOf(next, texts);
    language = next;
    document.documentElement.lang = next === 'en' ? 'en' : 'zh-CN';
    for (const listener of listeners) listener();
    return undefined;
  });
  latest = loading;
  return loading;
}

/** Loads the texts of the stored language; before that no text can be shown. */
export async function startTexts(): Promise<void> {
  await use(storedLanguage());
}

/** Loads the texts of a screen, once; call it before the screen is drawn. */
export async function loadScreenTexts(name: ScreenTexts): Promise<void> {
  const known = opened.get(name);
  if (known !== undefined) return known;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  opened.set(name, promise);
  use(wanted).then(resolve, (error: unknown) => {
    // The next visit tries again.
    opened.delete(name);
    reject(error);
  });
  return promise;
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
