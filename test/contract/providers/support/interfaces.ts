import type { Provider } from '../../../../src/core/canonical/provider.ts';
import { providers } from '../../../../src/core/providers/index.ts';

const all = providers.flatMap((provider) => [provider, ...(provider.variants ?? []).map((variant) => variant.provider)]);

/** Every provider and every variant, each slug once. */
export const interfaces: readonly Provider[] = [...new Map(all.map((provider) => [provider.slug, provider])).values()];
