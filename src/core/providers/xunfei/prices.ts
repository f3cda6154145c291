import type { VendorPrices } from '../../pricing/rows.ts';

export const xunfeiPrices: VendorPrices = {
  modelRatio: [
    [1.2858, 'SparkDesk-v1.1 SparkDesk-v2.1 SparkDesk-v3.1 SparkDesk-v3.5 SparkDesk-v4.0'],
  ],
};
