import type { Provider } from '../../../../src/core/canonical/provider.ts';
import { builtInProviders } from '../../../../src/core/providers/index.ts';

const all = builtInProviders.all.flatMap((provider) => [
  provider,
  ...(provider.variants ?? []).map((variant) => variant.provider),
]);

/** Every provider and variant, one per slug. */
export const interfaces: readonly Provider[] = [
  ...new Map(all.map((provider) => [provider.slug, provider])).values(),
];
