import type { Language } from '../vocabulary/languages.ts';
import { isMessageKey, translate } from './translate.ts';

/**
 * What the settings call an option, with the key that commands take; undefined: this release does
 * not know it.
 */
export function optionName(key: string, language: Language): string | undefined {
  const label = `option.${key}.label`;
  if (!isMessageKey(label)) return undefined;
  const name = translate(language, label);
  return language === 'zh' ? `${name}（${key}）` : `${name} (${key})`;
}
