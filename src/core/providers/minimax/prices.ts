import { type VendorPrices, yuan } from '../../pricing/rows.ts';

export const minimaxPrices: VendorPrices = {
  modelRatio: [[yuan(0.0005), 'embo-01']],
};
