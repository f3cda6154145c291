import { describe, expect, it } from 'vitest';
import { providerForType, providers } from '../../../src/core/providers/index.ts';
import { channelTypeInfo } from '../../../src/core/vocabulary/channel-types.ts';

describe('the registry of providers', () => {
  it('claims each channel type at most once', () => {
    const types = providers.flatMap((provider) => provider.channelTypes);
    expect(new Set(types).size).toBe(types.length);
  });

  it('knows each slug once, and by the vocabulary where it serves one type', () => {
    expect(new Set(providers.map(({ slug }) => slug)).size).toBe(providers.length);
    for (const { slug, channelTypes } of providers) {
      if (channelTypes.length === 1) expect(channelTypeInfo(channelTypes[0] ?? 0)?.slug).toBe(slug);
    }
  });

  it('finds a provider by type', () => {
    expect(providerForType(14)?.slug).toBe('anthropic');
    expect(providerForType(9999)).toBeUndefined();
  });
});
