/**
 * Options of the registry as fields of a form. A form holds the text of each option, as calls carry
 * it.
 */
import { parseJson } from '../../core/kernel/json.ts';
import {
  declaredOptions,
  isBuiltOption,
  isSecretOption,
  type OptionKey,
  optionFacts,
  type PanelId,
} from '../../core/options/facts.ts';
import type { FieldKind, RowRange } from './fields.ts';

/** Clears a stored secret; an empty text keeps it. */
export const clearSecret = '-';

/**
 * What the section shows, in the order of the registry: switches save at once, the others by the
 * save bar.
 */
export function optionsOf(panel: PanelId): {
  readonly switches: readonly OptionKey[];
  readonly fields: readonly OptionKey[];
} {
  const keys = declaredOptions.filter(
    (key) => isBuiltOption(key) && optionFacts(key).panel === panel,
  );
  const isSwitch = (key: OptionKey) => optionFacts(key).kind === 'boolean';
  return { switches: keys.filter(isSwitch), fields: keys.filter((key) => !isSwitch(key)) };
}

/** Texts of several lines in the settings, and keys of payment providers. */
const textRows: RowRange = [6, 12];
const keyRows: RowRange = [10, 10];

/** How an option is edited. `choiceLabel` names the choices. */
export function optionKind(
  key: OptionKey,
  stored: boolean,
  choiceLabel: (choice: string) => string,
): FieldKind {
  const { kind, separator, multiline = false, choices, bounds, panel } = optionFacts(key);
  if (isSecretOption(key)) return { kind: 'secret', stored, lines: multiline, rows: keyRows };
  if (choices !== undefined) {
    return {
      kind: 'select',
      options: choices.map((value) => ({ value, label: choiceLabel(value) })),
    };
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
      return separator === ',' ? { kind: 'tags' } : { kind: 'text', lines: true, rows: textRows };
    case 'json':
      return { kind: 'json' };
    case 'text':
      return { kind: 'text', lines: multiline, rows: textRows };
  }
}

/** The stored text as the form shows it: JSON is indented. */
export function formText(key: OptionKey, stored: string): string {
  if (optionFacts(key).kind !== 'json') return stored;
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
