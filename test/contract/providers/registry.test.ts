import { describe, expect, it } from 'vitest';
import { createProviderRegistry } from '../../../src/core/canonical/registry.ts';
import { builtInProviders } from '../../../src/core/providers/index.ts';
import { channelTypeInfo } from '../../../src/core/vocabulary/channel-types.ts';

describe('provider registry', () => {
  it('rejects two providers for one channel type', () => {
    const [first] = builtInProviders.all;
    if (first === undefined) throw new Error('no provider');
    expect(() => createProviderRegistry([first, { ...first, slug: 'other' }])).toThrow(
      /channel type 1 belongs to openai and to other/,
    );
  });

  it('has unique slugs, equal to the channel type’s slug for providers of one type', () => {
    expect(new Set(builtInProviders.all.map(({ slug }) => slug)).size).toBe(
      builtInProviders.all.length,
    );
    for (const { slug, channelTypes } of builtInProviders.all) {
      if (channelTypes.length === 1) expect(channelTypeInfo(channelTypes[0] ?? 0)?.slug).toBe(slug);
    }
  });

  it('finds a provider by type', () => {
    expect(builtInProviders.forType(14)?.slug).toBe('anthropic');
    expect(builtInProviders.forType(9999)).toBeUndefined();
  });
});
