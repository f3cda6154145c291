import { AppError } from '../kernel/errors.ts';
import { isOptionKey } from './facts.ts';
import {
  type OptionKey,
  type OptionValue,
  type OptionValues,
  optionDefinition,
  optionKeys,
} from './registry.ts';

/**
 * Checks a new value against the other options: for example, a sign-in method cannot be enabled
 * without its secret, and its secret cannot be cleared while it is enabled
 * (docs/rules/options.md#needs). `after` holds all values as they will be. Returns the error, with
 * the first option that is missing (`needs`) or that is in the way (`by`).
 */
export function checkOptionChange<K extends OptionKey>(
  key: K,
  value: OptionValue<K>,
  after: OptionValues,
): AppError | undefined {
  if (isSet(value)) {
    const needs = needsOf(key, value).find((other) => !isSet(after[other]));
    return needs && new AppError('option_needs', { key, needs, name: `option.${needs}.label` });
  }
  const by = neededBy
    .get(key)
    ?.find((other) => needsOf(other, after[other]).includes(key) && isSet(after[other]));
  return by && new AppError('option_in_use', { key, by, name: `option.${by}.label` });
}

/** What an option needs while it has this value. */
function needsOf(key: OptionKey, value: unknown): readonly OptionKey[] {
  const { needs = [], needsFor = {} } = optionDefinition(key);
  return [...needs, ...(typeof value === 'string' ? (needsFor[value] ?? []) : [])].filter(
    isOptionKey,
  );
}

/** By option: those that need it, some of them only with certain values. */
const neededBy = new Map<OptionKey, OptionKey[]>();
for (const key of optionKeys) {
  const { needs = [], needsFor = {} } = optionDefinition(key);
  for (const other of [...needs, ...Object.values(needsFor).flat()].filter(isOptionKey))
    neededBy.set(other, [...(neededBy.get(other) ?? []), key]);
}

function isSet(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== false && value !== '';
}
