/** Options as the API lists them, and what administrators below root see of them (docs/rules/options.md#readers). */
import { parseJson } from '../kernel/json.ts';
import { entryName, hiddenText, isSecretEntry, mapTexts } from '../kernel/secret-texts.ts';
import { isOptionKey, optionDefinition } from '../options/index.ts';

export interface ListedOption {
  readonly key: string;
  readonly value: string;
  /** Secret options only: whether a value is stored. */
  readonly configured?: boolean;
  /** The default as the API writes it, where the value differs from it. Not of secrets. */
  readonly default?: string;
}

/**
 * The option with {@link hiddenText} in place of each credential: a user in an address, the path of
 * a webhook, a header's key. What visitors may read stays as it is.
 */
export function withoutCredentials(row: ListedOption): ListedOption {
  const { key, value } = row;
  if (!isOptionKey(key)) return row;
  const { kind, exposure, separator = ',' } = optionDefinition(key);
  if (exposure === 'public' || value === '') return row;
  const hide = (text: string, name: string) => (isSecretEntry(name, text) ? hiddenText : text);
  if (kind === 'list') {
    const entries = value.split(separator).map((entry) => hide(entry, key));
    return { ...row, value: entries.join(separator) };
  }
  if (kind !== 'json') return { ...row, value: hide(value, key) };
  const parsed = parseJson(value);
  // What cannot be read may have a credential anywhere.
  if (parsed === undefined) return { ...row, value: hiddenText };
  let isHidden = false;
  const shown = mapTexts(parsed, (text, path) => {
    const kept = hide(text, entryName([key, ...path]));
    isHidden ||= kept !== text;
    return kept;
  });
  return isHidden ? { ...row, value: JSON.stringify(shown) } : row;
}
