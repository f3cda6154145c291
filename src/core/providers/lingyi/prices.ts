import { type VendorPrices, yuan } from '../../pricing/rows.ts';

export const lingyiPrices: VendorPrices = {
  modelRatio: [
    [0.18, 'yi-34b-chat-0205'],
    [0.864, 'yi-34b-chat-200k'],
    [0.432, 'yi-vl-plus'],
    [yuan(0.02), 'yi-large yi-large-preview'],
    [yuan(0.0025), 'yi-medium'],
    [yuan(0.006), 'yi-vision'],
    [yuan(0.012), 'yi-medium-200k yi-large-turbo'],
    [yuan(0.001), 'yi-spark'],
    [yuan(0.025), 'yi-large-rag yi-large-rag-preview'],
  ],
};
