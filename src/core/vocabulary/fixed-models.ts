import { type ChannelTypeSlug, channelTypeInfo } from './channel-types.ts';

/**
 * Channel types whose models name actions of the gateway, not a vendor's models
 * (docs/rules/channels.md#channel-types).
 */
const midjourney = [
  'mj_imagine',
  'mj_variation',
  'mj_reroll',
  'mj_blend',
  'mj_upscale',
  'mj_describe',
  'mj_upload',
];

const midjourneyPlus = [
  'swap_face',
  ...midjourney,
  'mj_zoom',
  'mj_shorten',
  'mj_modal',
  'mj_inpaint',
  'mj_custom_zoom',
  'mj_high_variation',
  'mj_low_variation',
  'mj_pan',
];

const bySlug: { readonly [Slug in ChannelTypeSlug]?: readonly string[] } = {
  midjourney,
  'midjourney-plus': midjourneyPlus,
  suno: ['suno_music', 'suno_lyrics'],
};

/** A name that old consoles wrote into channels (docs/rules/midjourney.md#models). */
const oldNames: Readonly<Record<string, string>> = { mj_uploads: 'mj_upload' };

/** The model that a name in a channel's list stands for. */
export function listedModel(name: string): string {
  return oldNames[name] ?? name;
}

/** Undefined: the type uses its vendor's model names. */
export function fixedModels(channelType: number): readonly string[] | undefined {
  const slug = channelTypeInfo(channelType)?.slug;
  return slug === undefined ? undefined : bySlug[slug];
}
