import { type VendorPrices, yuan } from '../../pricing/rows.ts';

export const moonshotPrices: VendorPrices = {
  modelRatio: [
    [yuan(0.012), 'moonshot-v1-8k'],
    [yuan(0.024), 'moonshot-v1-32k'],
    [yuan(0.06), 'moonshot-v1-128k'],
    [0.3, 'kimi-k2 kimi-k2-thinking kimi-k2.5'],
  ],
  cacheRatio: [[0.25, 'kimi-k2 kimi-k2-thinking']],
  completionRules: [
    ['kimi-k2*', 2.5 / 0.6],
    ['kimi-k2.5*', 5],
  ],
};
