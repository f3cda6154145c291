/** Prices for tests of charges and their log rows. */
import { decimal, one } from '../../../src/core/kernel/decimal.ts';
import { readDetails } from '../../../src/core/pricing/details.ts';
import type { RatioPrice } from '../../../src/core/pricing/find-price.ts';

export const unit = decimal(500_000);
export const plain: RatioPrice = {
  kind: 'ratio',
  modelRatio: decimal(1),
  completionRatio: decimal(4),
  cacheRatio: decimal('0.5'),
  cacheWriteRatio: decimal('1.5'),
  audioCompletionRatio: one,
  imageRatio: decimal(3),
};
/** Everything that a price can have, but for text beside images. */
export const rich: RatioPrice = {
  ...plain,
  audioRatio: decimal(8),
  audioCompletionRatio: decimal(2),
  details: readDetails({
    longCacheWrite: 2,
    cachedAudio: 0.25,
    cachedImage: 0.125,
    thinking: 6,
    tools: { web_search: 0.01, web_search_preview: 0.02, file_search: 0.0025 },
  }),
};
/** Of a model that draws. */
export const drawing: RatioPrice = { ...plain, details: readDetails({ textOutput: 0.5 }) };
export const call = { kind: 'call', price: decimal('0.02') } as const;
