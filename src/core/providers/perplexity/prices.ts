import type { VendorPrices } from '../../pricing/rows.ts';

export const perplexityPrices: VendorPrices = {
  modelRatio: [
    [0.1, 'llama-3-sonar-small-32k-chat llama-3-sonar-small-32k-online'],
    [0.5, 'llama-3-sonar-large-32k-chat llama-3-sonar-large-32k-online'],
  ],
};
