import type { VendorPrices } from '../../pricing/rows.ts';

export const tencentPrices: VendorPrices = {
  modelRatio: [[7.143, 'hunyuan']],
};
