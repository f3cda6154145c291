/** Options of the registry as fields of a form. A form holds the text of each option, as calls carry it. */
import { isMessageKey, translate as translateShared } from '../../core/i18n/translate.ts';
import { AppError } from '../../core/kernel/errors.ts';
import { parseJson } from '../../core/kernel/json.ts';
import {
  isBuiltOption,
  isOptionKey,
  isSecretOption,
  type OptionKey,
  optionDefinition,
  optionRegistry,
  type PanelId,
  readOptionInput,
} from '../../core/options/index.ts';
import { currentLanguage } from '../i18n/index.ts';
import type { FieldKind } from './fields.ts';

/** Clears a stored secret; an empty text keeps it. */
export const clearSecret = '-';

const registered = Object.keys(optionRegistry).filter(isOptionKey);

/** What the section shows, in the order of the registry: switches save at once, the others by the save bar. */
export function optionsOf(panel: PanelId): { readonly switches: readonly OptionKey[]; readonly fields: readonly OptionKey[] } {
  const keys = registered.filter((key) => isBuiltOption(key) && optionDefinition(key).panel === panel);
  const isSwitch = (key: OptionKey) => optionDefinition(key).kind === 'boolean';
  return { switches: keys.filter(isSwitch), fields: keys.filter((key) => !isSwitch(key)) };
}

export const optionLabel = (key: OptionKey): string => translateShared(currentLanguage(), `option.${key}.label`);

/** Undefined where the label says it all. */
export function optionHint(key: OptionKey): string | undefined {
  const name = `option.${key}.hint`;
  return isMessageKey(name) ? translateShared(currentLanguage(), name) : undefined;
}

/** How an option is edited. `choiceLabel` names the choices. */
export function optionKind(key: OptionKey, stored: boolean, choiceLabel: (choice: string) => string): FieldKind {
  const { kind, separator, multiline = false, choices, bounds, panel } = optionDefinition(key);
  if (isSecretOption(key)) return { kind: 'secret', stored, lines: multiline };
  if (choices !== undefined) {
    return { kind: 'select', options: choices.map((value) => ({ value, label: choiceLabel(value) })) };
  }
  switch (kind) {
    case 'boolean':
      return { kind: 'switch' };
    case 'integer':
      if (panel === 'operation.quota') return { kind: 'quota' };
      return { kind: 'number', min: bounds?.min, max: bounds?.max };
    case 'decimal':
      return { kind: 'number', min: bounds?.min ?? bounds?.above, max: bounds?.max, decimal: true };
    case 'list':
      return separator === ',' ? { kind: 'tags' } : { kind: 'text', lines: true };
    case 'json':
      return { kind: 'json' };
    case 'text':
      return { kind: 'text', lines: multiline };
  }
}

/** The stored text as the form shows it: JSON is indented. */
export function formText(key: OptionKey, stored: string): string {
  if (optionDefinition(key).kind !== 'json') return stored;
  const value = parseJson(stored);
  return value === undefined ? stored : JSON.stringify(value, null, 2);
}

/** The value of the option's field. */
export function fieldValue(kind: FieldKind, text: string): unknown {
  switch (kind.kind) {
    case 'switch':
      return text === 'true';
    case 'number':
    case 'quota':
      return text === '' || !Number.isFinite(Number(text)) ? '' : Number(text);
    case 'tags':
      return text.split(',').filter((entry) => entry !== '');
    default:
      return text;
  }
}

export function textOfValue(value: unknown): string {
  return Array.isArray(value) ? value.join(',') : String(value);
}

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
