import type { ChannelFacts, Provider } from './provider.ts';

/** The vendors that a gateway knows, found by channel type. */
export interface ProviderRegistry {
  /** Every provider once, without variants. */
  readonly all: readonly Provider[];
  /** The provider of a channel type; undefined where none serves it. */
  forType(type: number): Provider | undefined;
  /**
   * The provider that serves a channel: its type's, or the variant that the channel's key, address
   * or setting selects.
   */
  forChannel(type: number, channel: ChannelFacts): Provider | undefined;
}

/** Throws Error where two providers claim one channel type. */
export function createProviderRegistry(providers: readonly Provider[]): ProviderRegistry {
  const byType = new Map<number, Provider>();
  for (const provider of providers) {
    for (const type of provider.channelTypes) {
      const other = byType.get(type);
      if (other !== undefined)
        throw new Error(`channel type ${type} belongs to ${other.slug} and to ${provider.slug}`);
      byType.set(type, provider);
    }
  }
  return {
    all: providers,
    forType: (type) => byType.get(type),
    forChannel: (type, channel) => {
      const provider = byType.get(type);
      return provider?.variants?.find((variant) => variant.fits(channel))?.provider ?? provider;
    },
  };
}
