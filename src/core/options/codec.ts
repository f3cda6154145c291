import { AppError, type ErrorParams } from '../kernel/errors.ts';
import { hasPrototypeEntry, parseJson } from '../kernel/json.ts';
import { findJsonError } from '../kernel/json-place.ts';
import type { OptionDefinition } from './define.ts';
import { isOptionKey, isSecretOption } from './facts.ts';
import { type OptionKey, type OptionValue, optionDefinition, optionRegistry } from './registry.ts';
import type { RuleKey } from './rules.ts';

/**
 * Length limit of an option's text, the limit of PUT /api/option/
 * (docs/rules/options.md#text-limits).
 */
const longestWireText = 4 * 1024 * 1024;

/**
 * Parses the text of an option, as it is stored and sent, into its canonical value. Throws AppError
 * `option_invalid` with `key` and `reason`, a rule key for {@link translate}. An invalid text never
 * becomes 0 or an empty map (docs/rules/options.md#wire-texts).
 */
export function parseOption<K extends OptionKey>(key: K, wireText: string): OptionValue<K> {
  const definition = optionDefinition(key);
  if (wireText.length > longestWireText) throw refuse(key, 'rule.tooLong');
  const read = readWireText(definition, wireText);
  if (!read.understood)
    throw refuse(key, read.rule, read.rule === 'rule.json' ? { ...findJsonError(wireText) } : {});
  const checked = definition.schema.safeParse(read.value);
  if (checked.success) return checked.data as OptionValue<K>;
  const issue = checked.error.issues[0];
  if (issue === undefined) throw refuse(key, 'rule.shape');
  throw refuse(key, isRule(issue.message) ? issue.message : 'rule.shape', {
    path: issue.path.map(String).join('.'),
    ...(definition.choices === undefined ? {} : { choices: definition.choices.join(', ') }),
    ...('minimum' in issue ? { min: Number(issue.minimum) } : {}),
    ...('maximum' in issue ? { max: Number(issue.maximum) } : {}),
  });
}

/** The text in which a value is stored and sent: `"true"`, `500000`, `a\nb`, JSON. */
export function writeOption<K extends OptionKey>(key: K, value: OptionValue<K>): string {
  const { kind, separator = ',' } = optionDefinition(key);
  if (kind === 'list') return (value as readonly string[]).join(separator);
  return kind === 'json' ? JSON.stringify(value) : String(value);
}

/**
 * A requested change: a new value, or keep a secret as it is (docs/rules/options.md#secrets: an
 * empty text keeps, `-` clears).
 */
export type OptionInput<K extends OptionKey> =
  | { readonly change: 'keep' }
  | { readonly change: 'set'; readonly value: OptionValue<K> };

/** Reads the requested value of a key. Throws AppError `option_unknown` and `option_invalid`. */
export function readOptionInput(
  key: string,
  sent: string | number | boolean,
): OptionInput<OptionKey> & { readonly key: OptionKey } {
  if (!isOptionKey(key)) throw new AppError('option_unknown', { key });
  const text = String(sent);
  if (isSecretOption(key)) {
    if (text === '') return { key, change: 'keep' };
    if (text === '-') return { key, change: 'set', value: optionRegistry[key].default };
  }
  return { key, change: 'set', value: parseOption(key, text) };
}

type Read =
  | { readonly understood: true; readonly value: unknown }
  | { readonly understood: false; readonly rule: RuleKey };

function readWireText({ kind, separator = ',' }: OptionDefinition, text: string): Read {
  const trimmed = text.trim();
  switch (kind) {
    case 'boolean':
      return /^(true|false)$/i.test(trimmed)
        ? known(trimmed.toLowerCase() === 'true')
        : { understood: false, rule: 'rule.boolean' };
    case 'integer':
      return /^[+-]?\d+(\.0*)?$/.test(trimmed)
        ? known(Number(trimmed))
        : { understood: false, rule: 'rule.integer' };
    case 'decimal':
      return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed)
        ? known(Number(trimmed))
        : { understood: false, rule: 'rule.decimal' };
    case 'text':
      return known(text);
    case 'list':
      return known(separator === '\n' ? text.split(/\r?\n/) : text.split(separator));
    case 'json': {
      const value = parseJson(text);
      if (value === undefined) return { understood: false, rule: 'rule.json' };
      return hasPrototypeEntry(value) ? { understood: false, rule: 'rule.ownName' } : known(value);
    }
  }
}

function known(value: unknown): Read {
  return { understood: true, value };
}

function isRule(message: string): message is RuleKey {
  return message.startsWith('rule.');
}

function refuse(key: OptionKey, reason: RuleKey, params: ErrorParams = {}): AppError {
  return new AppError('option_invalid', { key, reason, ...params });
}
