import type { VendorPrices } from '../../pricing/rows.ts';

export const zhinao360Prices: VendorPrices = {
  modelRatio: [
    [0.8572, '360GPT_S2_V9 360gpt-turbo-responsibility-8k 360gpt-pro 360gpt2-pro'],
    [0.0858, '360gpt-turbo'],
    [0.0715, 'embedding-bert-512-v1 embedding_s1_v1 semantic_similarity_s1_v1'],
  ],
};
