import type { VendorPrices } from '../../pricing/rows.ts';

export const deepseekPrices: VendorPrices = {
  modelRatio: [[0.14, 'deepseek-v3.2']],
  cacheRatio: [[0.1, 'deepseek-v3.2']],
  completionRules: [
    ['deepseek-chat', 4],
    ['deepseek-reasoner', 4],
    ['deepseek-v3.2', 1.5],
  ],
};
