import type { VendorPrices } from '../../pricing/rows.ts';

export const mistralPrices: VendorPrices = {
  modelRatio: [
    [1, 'mistral-large-latest mistral-large-3'],
    [0.05, 'mistral-small-latest'],
  ],
  completionRules: [['mistral-*', 3]],
};
