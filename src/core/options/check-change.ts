import { AppError } from '../kernel/errors.ts';
import { isOptionKey, type OptionKey, type OptionValue, type OptionValues, optionDefinition } from './registry.ts';

/**
 * Whether an option may take this value beside the others as they are: switching on a login without its client id is refused
 * (console-api 5.2). Returns the error to answer, with the first missing option in `needs`.
 */
export function checkOptionChange<K extends OptionKey>(
  key: K,
  value: OptionValue<K>,
  current: OptionValues,
): AppError | undefined {
  if (!isSet(value)) return undefined;
  const missing = optionDefinition(key).needs?.find((other) => isOptionKey(other) && !isSet(current[other]));
  return missing === undefined ? undefined : new AppError('option_needs', { key, needs: missing });
}

function isSet(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== false && value !== '';
}
