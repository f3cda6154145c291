/**
 * Checks options by the registry's schemas. Loaded when a field is edited: it needs zod and the
 * messages of both languages.
 */
import { isMessageKey, translate as translateShared } from '../../core/i18n/translate.ts';
import { AppError } from '../../core/kernel/errors.ts';
import { type OptionKey, readOptionInput } from '../../core/options/index.ts';
import { currentLanguage } from '../i18n/index.ts';

/** Why the server would refuse this text, in the reader's language; undefined: it would not. */
export function optionProblem(key: OptionKey, text: string): string | undefined {
  try {
    readOptionInput(key, text);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { reason } = error.params;
    const language = currentLanguage();
    if (typeof reason !== 'string' || !isMessageKey(reason))
      return translateShared(language, `error.${error.code}`, error.params);
    const rule = translateShared(language, reason, error.params);
    return rule.charAt(0).toUpperCase() + rule.slice(1);
  }
}
