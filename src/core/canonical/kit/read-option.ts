import type { ProviderOptions } from '../provider.ts';

/**
 * The value of an option that a vendor declares (`options.ts` in its folder); the declared default
 * where the call has none.
 */
export function readOption<
  Declared extends Readonly<Record<string, { readonly default: unknown }>>,
  Key extends keyof Declared,
>(
  options: Pick<ProviderOptions, 'vendor'>,
  declared: Declared,
  key: Key & string,
): Declared[Key]['default'] {
  // The registry of options checked the value by the schema of this very declaration.
  return options.vendor[key] ?? declared[key]?.default;
}
