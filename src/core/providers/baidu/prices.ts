import { type VendorPrices, yuan } from '../../pricing/rows.ts';

export const baiduPrices: VendorPrices = {
  modelRatio: [
    [yuan(0.12), 'ERNIE-4.0-8K'],
    [yuan(0.012), 'ERNIE-3.5-8K ERNIE-3.5-8K-1222 ERNIE-3.5-4K-0205'],
    [yuan(0.024), 'ERNIE-3.5-8K-0205 ERNIE-Bot-8K'],
    [yuan(0.004), 'ERNIE-Speed-8K ERNIE-Speed-128K BLOOMZ-7B'],
    [yuan(0.008), 'ERNIE-Lite-8K-0922'],
    [yuan(0.003), 'ERNIE-Lite-8K-0308'],
    [yuan(0.001), 'ERNIE-Tiny-8K'],
    [yuan(0.002), 'Embedding-V1 bge-large-zh bge-large-en tao-8k'],
  ],
  completionRules: [
    ['ERNIE-Speed-*', 2],
    ['ERNIE-Lite-*', 2],
    ['ERNIE-Character*', 2],
    ['ERNIE-Functions*', 2],
  ],
};
