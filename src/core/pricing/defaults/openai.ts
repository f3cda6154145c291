import type { PriceRow } from '../rows.ts';

/** Model ratios of OpenAI's names (spec, billing 3). Ratio 1 is $2 per 1M prompt tokens. */
export const openaiRatios: readonly PriceRow[] = [
  [15, 'gpt-4 gpt-4-0613 gpt-4-all gpt-4o-all gpt-4-gizmo-*'],
  [30, 'gpt-4-32k gpt-4-32k-0613'],
  [5, 'gpt-4-1106-preview gpt-4-0125-preview gpt-4-turbo-preview gpt-4-vision-preview gpt-4-1106-vision-preview'],
  [5, 'gpt-4-turbo gpt-4-turbo-2024-04-09'],
  [37.5, 'gpt-4.5-preview gpt-4.5-preview-2025-02-27'],

  [2.5, 'chatgpt-4o-latest gpt-4o-2024-05-13 gpt-4o-gizmo-*'],
  [1.25, 'gpt-4o gpt-4o-2024-08-06 gpt-4o-2024-11-20 gpt-4o-audio-preview gpt-4o-audio-preview-2024-10-01'],
  [1.25, 'gpt-4o-audio-preview-2024-12-17 gpt-4o-search-preview gpt-4o-transcribe'],
  [0.075, 'gpt-4o-mini gpt-4o-mini-2024-07-18 gpt-4o-mini-audio-preview gpt-4o-mini-search-preview'],
  [0.625, 'gpt-4o-mini-transcribe'],
  [2.5, 'gpt-4o-realtime-preview gpt-4o-realtime-preview-2024-10-01 gpt-4o-realtime-preview-2024-12-17'],
  [0.3, 'gpt-4o-mini-realtime-preview gpt-4o-mini-realtime-preview-2024-12-17'],

  [7.5, 'o1 o1-2024-12-17 o1-preview o1-preview-2024-09-12'],
  [75, 'o1-pro'],
  [0.55, 'o1-mini o1-mini-2024-09-12 o1-mini-high o1-mini-low o1-mini-medium'],
  [0.55, 'o1-mini-2024-09-12-high o1-mini-2024-09-12-low o1-mini-2024-09-12-medium'],
  [0.55, 'o3-mini o3-mini-2025-01-31 o3-mini-high o3-mini-low o3-mini-medium'],
  [0.55, 'o3-mini-2025-01-31-high o3-mini-2025-01-31-low o3-mini-2025-01-31-medium o4-mini'],
  [1, 'o3'],
  [10, 'o3-pro'],

  [1, 'gpt-4.1'],
  [0.2, 'gpt-4.1-mini'],
  [0.05, 'gpt-4.1-nano'],
  [0.625, 'gpt-5 gpt-5-chat-latest gpt-5.1'],
  [0.125, 'gpt-5-mini gpt-5.1-mini'],
  [0.025, 'gpt-5-nano'],
  [1.25, 'gpt-5.4'],
  [0.375, 'gpt-5.4-mini'],
  [0.1, 'gpt-5.4-nano'],
  [2.5, 'gpt-image-1'],

  [0.25, 'gpt-3.5-turbo gpt-3.5-turbo-0125'],
  [0.75, 'gpt-3.5-turbo-0613 gpt-3.5-turbo-instruct'],
  [1.5, 'gpt-3.5-turbo-16k gpt-3.5-turbo-16k-0613'],
  [0.5, 'gpt-3.5-turbo-1106'],
  [0.2, 'babbage-002 text-ada-001'],
  [1, 'davinci-002 text-curie-001'],
  [0.25, 'text-babbage-001'],
  [10, 'text-davinci-edit-001 code-davinci-edit-001 davinci curie babbage ada text-search-ada-doc-001'],

  // The family ships 15, five times the list price: audio is counted at 1,000 tokens a minute (spec, billing 3, faults).
  [3, 'whisper-1'],
  [7.5, 'tts-1 tts-1-1106'],
  [15, 'tts-1-hd tts-1-hd-1106'],
  [0.01, 'text-embedding-3-small'],
  [0.065, 'text-embedding-3-large'],
  [0.05, 'text-embedding-ada-002'],
  [0.1, 'text-moderation-stable text-moderation-latest'],
];

/** Cache-read ratios (spec, billing 2); a name that is not listed reads at the full price. */
export const openaiCacheRatios: readonly PriceRow[] = [
  [0.5, 'gpt-4 o1 o1-2024-12-17 o1-preview o1-preview-2024-09-12 o1-mini o1-mini-2024-09-12 o3-mini o3-mini-2025-01-31'],
  [0.5, 'gpt-4o gpt-4o-2024-08-06 gpt-4o-2024-11-20 gpt-4o-mini gpt-4o-mini-2024-07-18'],
  [0.5, 'gpt-4o-realtime-preview gpt-4o-mini-realtime-preview gpt-4.5-preview gpt-4.5-preview-2025-02-27'],
  [0.25, 'gpt-4.1 gpt-4.1-mini gpt-4.1-nano'],
  [0.1, 'gpt-5 gpt-5-chat-latest gpt-5-mini gpt-5-nano gpt-5.1 gpt-5.1-mini gpt-5.4 gpt-5.4-mini gpt-5.4-nano'],
];
