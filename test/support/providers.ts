import type { Provider } from '../../src/core/canonical/provider.ts';
import {
  createProviderRegistry,
  type ProviderRegistry,
} from '../../src/core/canonical/registry.ts';
import { builtInProviders } from '../../src/core/providers/index.ts';

/** The built-in providers, with this one in the place of the one that has its slug. */
export function replaceProvider(provider: Provider): ProviderRegistry {
  return createProviderRegistry(
    builtInProviders.all.map((one) => (one.slug === provider.slug ? provider : one)),
  );
}

/** The provider without pass-through routes: every body is translated. */
export function withoutPassThrough(provider: Provider): Provider {
  const operations = Object.entries(provider.operations).map(([name, adapter]) => [
    name,
    { ...adapter, passThrough: [] },
  ]);
  return { ...provider, operations: Object.fromEntries(operations) };
}
