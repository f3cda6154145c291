/** Channel types whose models are actions of ours, not names of a vendor (seed, administration 9; providers-china-and-tasks 9). */
const midjourney = ['mj_imagine', 'mj_variation', 'mj_reroll', 'mj_blend', 'mj_upscale', 'mj_describe', 'mj_upload'];

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

const lists: Readonly<Record<number, readonly string[]>> = {
  2: midjourney,
  5: midjourneyPlus,
  36: ['suno_music', 'suno_lyrics'],
};

/** Undefined: the type's models are its vendor's. */
export function fixedModels(channelType: number): readonly string[] | undefined {
  return lists[channelType];
}
