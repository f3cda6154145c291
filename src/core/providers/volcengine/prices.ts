import { type VendorPrices, yuan } from '../../pricing/rows.ts';

export const volcenginePrices: VendorPrices = {
  modelRatio: [
    [0.055, 'doubao-seed-1.6'],
    [yuan(0.0007), 'doubao-embedding-vision-250328 doubao-embedding-vision-250615'],
  ],
  cacheRatio: [[0.2, 'doubao-seed-1.6']],
  imageRatio: [[1.8 / 0.7, 'doubao-embedding-vision-250328 doubao-embedding-vision-250615']],
  completionRules: [['doubao-seed-1.6', 10]],
};
