import { chooseForms } from '../kernel/text.ts';
import type { Language } from '../vocabulary/languages.ts';
import { en } from './en.ts';
import { type MessageKey, zh } from './zh.ts';

export type { Language } from '../vocabulary/languages.ts';
export type { MessageKey } from './zh.ts';
export type MessageParams = Readonly<Record<string, string | number>>;

const tables: Readonly<Record<Language, Readonly<Record<MessageKey, string>>>> = { zh, en };

export function isMessageKey(text: string): text is MessageKey {
  return Object.hasOwn(zh, text);
}

/**
 * The text of a key. `{name}` is replaced by a parameter, and forms are chosen by numbers ({@link
 * chooseForms}). A part in square brackets is omitted when one of its parameters is missing or
 * empty. A parameter that is itself a `rule.` or `option.` key (`reason: 'rule.min'`) is translated
 * with the same parameters.
 */
export function translate(language: Language, key: MessageKey, params: MessageParams = {}): string {
  return fill(tables[language][key], language, params);
}

function fill(text: string, language: Language, params: MessageParams): string {
  const missing = (name: string) => !Object.hasOwn(params, name) || params[name] === '';
  return chooseForms(text, params)
    .replace(/\[([^[\]]*\{\w+\}[^[\]]*)\]/g, (_, part: string) => {
      const names = [...part.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
      return names.some(missing) ? '' : part;
    })
    .replace(/\{(\w+)\}/g, (whole, name: string) =>
      missing(name) ? whole : translateParam(params[name] ?? '', language, params),
    );
}

function translateParam(value: string | number, language: Language, params: MessageParams): string {
  const text = String(value);
  if (!/^(rule|option)\./.test(text) || !isMessageKey(text)) return text;
  return fill(tables[language][text], language, params);
}

/**
 * The language of `Accept-Language`, by weight; the site's language where it names neither Chinese
 * nor English (docs/rules/console-api.md#languages).
 */
export function pickLanguage(acceptLanguage: string | undefined, siteLanguage: Language): Language {
  // as most programs
  if (acceptLanguage === undefined || acceptLanguage === '*') return siteLanguage;
  let best: { language: Language; weight: number } | undefined;
  for (const entry of acceptLanguage.split(',')) {
    const [range = '', ...attributes] = entry.trim().toLowerCase().split(';');
    const language = /^zh\b/.test(range) ? 'zh' : /^en\b/.test(range) ? 'en' : undefined;
    const quality = attributes
      .map((attribute) => /^\s*q=([\d.]+)\s*$/.exec(attribute)?.[1])
      .find((text) => text !== undefined);
    const weight = quality === undefined ? 1 : Number(quality);
    if (language !== undefined && weight > (best?.weight ?? 0)) best = { language, weight };
  }
  return best?.language ?? siteLanguage;
}
