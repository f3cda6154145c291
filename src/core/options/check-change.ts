import { AppError } from '../kernel/errors.ts';
import { isOptionKey } from './facts.ts';
import { type OptionKey, type OptionValue, type OptionValues, optionDefinition } from './registry.ts';

/**
 * Checks a new value against the other options: for example, a sign-in method cannot be enabled without its client id
 * (docs/rules/options.md#needs). Returns the error, with the first missing option in `needs`.
 */
export function checkOptionChange<K extends OptionKey>(
  key: K,
  value: OptionValue<K>,
  current: OptionValues,
): AppError | undefined {
  if (!isSet(value)) return undefined;
  const { needs = [], needsFor } = optionDefinition(key);
  const needed = [...needs, ...(typeof value === 'string' ? (needsFor?.[value] ?? []) : [])];
  const missing = needed.find((other) => isOptionKey(other) && !isSet(current[other]));
  return missing === undefined ? undefined : new AppError('option_needs', { key, needs: missing });
}

function isSet(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== false && value !== '';
}
