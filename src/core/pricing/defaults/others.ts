import type { PriceRow } from '../rows.ts';

/** Model ratios of Cohere, Perplexity, xAI and Mistral (spec, billing 3). */
export const otherRatios: readonly PriceRow[] = [
  [0.5, 'command command-nightly command-light command-light-nightly'],
  [0.25, 'command-r'],
  [1.5, 'command-r-plus'],
  [0.075, 'command-r-08-2024'],
  [1.25, 'command-r-plus-08-2024'],
  [0.1, 'llama-3-sonar-small-32k-chat llama-3-sonar-small-32k-online'],
  [0.5, 'llama-3-sonar-large-32k-chat llama-3-sonar-large-32k-online'],
  [1.5, 'grok-3-beta'],
  [0.15, 'grok-3-mini-beta'],
  [1, 'grok-2 grok-2-vision'],
  [2.5, 'grok-beta grok-vision-beta grok-3-fast-beta'],
  [0.3, 'grok-3-mini-fast-beta'],
  [1, 'mistral-large-latest mistral-large-3'],
  [0.05, 'mistral-small-latest'],
];

/** Prices per call, in currency units (spec, billing 3). A model listed here is never billed by ratio. */
export const callPrices: readonly PriceRow[] = [
  [0.1, 'suno_music'],
  [0.01, 'suno_lyrics'],
  [0.04, 'dall-e-3 black-forest-labs/flux-1.1-pro'],
  // No default in the family (spec, billing 3, faults): the list price of one 1024x1024 image.
  [0.02, 'dall-e dall-e-2'],
  [0.03, 'imagen-3.0-generate-002'],
  [0.1, 'gpt-4-gizmo-*'],
  [
    0.1,
    'mj_imagine mj_variation mj_reroll mj_blend mj_modal mj_zoom mj_shorten mj_high_variation mj_low_variation mj_pan mj_edits',
  ],
  [0, 'mj_inpaint mj_custom_zoom'],
  [0.05, 'mj_describe mj_upscale mj_upload swap_face'],
  [0.8, 'mj_video'],
  [0.3, 'sora-2 gpt-4o-mini-tts'],
  [0.5, 'sora-2-pro'],
  [0.4, 'veo-3.0-generate-001 veo-3.1-generate-preview'],
  [0.15, 'veo-3.0-fast-generate-001 veo-3.1-fast-generate-preview'],
];
