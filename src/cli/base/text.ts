/**
 * Texts of the command line. Each is declared where it is used, in both languages at once, so that
 * none is forgotten.
 */

import { chooseForms, type Text } from '../../core/kernel/text.ts';
import type { Language } from '../../core/vocabulary/languages.ts';

export type { Language, Text };
export type TextParams = Readonly<Record<string, string | number>>;

/**
 * The text in a language, with `{name}` replaced by the parameter of that name, and forms chosen by
 * numbers ({@link chooseForms}).
 */
export function localize(language: Language, text: Text, params: TextParams = {}): string {
  return chooseForms(text[language], params).replace(/\{(\w+)\}/g, (whole, name: string) =>
    name in params ? String(params[name]) : whole,
  );
}

/**
 * `--lang`, else the language of LC_ALL, LC_MESSAGES or LANG (the first that is set): zh* is
 * Chinese, all else English.
 */
export function pickLanguage(flag: string | undefined, environment: NodeJS.ProcessEnv): Language {
  if (flag === 'zh' || flag === 'en') return flag;
  const locale = environment.LC_ALL || environment.LC_MESSAGES || environment.LANG || '';
  return locale.toLowerCase().startsWith('zh') ? 'zh' : 'en';
}
