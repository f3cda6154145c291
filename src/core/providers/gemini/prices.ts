import type { VendorPrices } from '../../pricing/rows.ts';

export const geminiPrices: VendorPrices = {
  modelRatio: [
    [1.25, 'gemini-1.5-pro gemini-1.5-pro-latest'],
    [0.075, 'gemini-1.5-flash-latest'],
    [0.05, 'gemini-2.0-flash'],
    [0.625, 'gemini-2.5-pro-exp-03-25 gemini-2.5-pro-preview-03-25'],
    [0.05, 'gemini-2.5-flash-lite-preview-06-17'],
    [1, 'gemini-3-pro gemini-3-pro-preview'],
    [0.001, 'text-embedding-004'],
  ],
  modelPrice: [[0.03, 'imagen-3.0-generate-002']],
  cacheRatio: [[0.1, 'gemini-3-pro gemini-3-pro-preview']],
  completionRules: [
    ['gemini-*', 4],
    ['gemini-2.5-pro*', 8],
    ['gemini-2.5-flash*', 2.5 / 0.3],
    ['gemini-2.5-flash-preview*', 3.5 / 0.15],
    ['gemini-2.5-flash-preview*-nothinking', 4],
    ['gemini-2.5-flash-lite*', 4],
    ['gemini-robotics-er-1.5*', 2.5 / 0.3],
    ['gemini-3-pro*', 6],
    ['gemini-3-flash*', 6],
    ['gemini-3-pro-image*', 60],
  ],
};
