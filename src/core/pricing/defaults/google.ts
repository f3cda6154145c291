import type { PriceRow } from '../rows.ts';

/** Model ratios of Google (spec, billing 3). The `-thinking-*` rows price names with a thinking budget in them (billing 2). */
export const googleRatios: readonly PriceRow[] = [
  [1, 'PaLM-2'],
  [1.25, 'gemini-1.5-pro gemini-1.5-pro-latest'],
  [0.075, 'gemini-1.5-flash-latest'],
  [0.05, 'gemini-2.0-flash'],
  [0.625, 'gemini-2.5-pro-exp-03-25 gemini-2.5-pro-preview-03-25 gemini-2.5-pro gemini-2.5-pro-thinking-*'],
  [0.15, 'gemini-2.5-flash gemini-2.5-flash-thinking-*'],
  [0.05, 'gemini-2.5-flash-lite gemini-2.5-flash-lite-preview-06-17 gemini-2.5-flash-lite-thinking-*'],
  [1, 'gemini-3-pro gemini-3-pro-preview gemini-3-pro-image-preview'],
  [0.25, 'gemini-3-flash-preview'],
  [0.075, 'gemini-embedding-001'],
  [0.001, 'text-embedding-004'],
];

export const googleCacheRatios: readonly PriceRow[] = [[0.1, 'gemini-3-pro gemini-3-pro-preview gemini-3-flash-preview']];
