import type { VendorPrices } from '../../pricing/rows.ts';

export const moonshotPrices: VendorPrices = {
  modelRatio: [[0.3, 'kimi-k2 kimi-k2-thinking']],
  cacheRatio: [[0.25, 'kimi-k2 kimi-k2-thinking']],
  completionRules: [
    ['kimi-k2*', 2.5 / 0.6],
    ['kimi-k2.5*', 5],
  ],
};
