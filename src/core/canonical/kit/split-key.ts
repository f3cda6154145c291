import { AppError } from '../../kernel/errors.ts';
import type { Secret } from '../../kernel/secret.ts';

/**
 * The parts of a key written `APIKey|SecretKey`, by name. Throws AppError('invalid_channel_key')
 * for another number of parts or an empty one; its message names the expected form and never the
 * key.
 */
export function splitKey<const Name extends string>(
  key: Secret,
  names: readonly Name[],
  separator = '|',
): { readonly [N in Name]: string } {
  const parts = key
    .reveal()
    .split(separator)
    .map((part) => part.trim());
  if (parts.length !== names.length || parts.includes('')) {
    throw new AppError('invalid_channel_key', { detail: names.join(separator) });
  }
  return Object.fromEntries(names.map((name, at) => [name, parts[at]])) as { [N in Name]: string };
}
