import type { VendorPrices } from '../../pricing/rows.ts';

export const mistralPrices: VendorPrices = {
  completionRules: [['mistral-*', 3]],
};
