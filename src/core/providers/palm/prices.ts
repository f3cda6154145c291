import type { VendorPrices } from '../../pricing/rows.ts';

export const palmPrices: VendorPrices = {
  modelRatio: [[1, 'PaLM-2']],
};
