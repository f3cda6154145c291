import { tableFromRows } from '../rows.ts';
import { anthropicCacheRatios, anthropicRatios } from './anthropic.ts';
import { chinaCacheRatios, chinaImageRatios, chinaRatios } from './china.ts';
import { googleCacheRatios, googleRatios } from './google.ts';
import { openaiCacheRatios, openaiRatios } from './openai.ts';
import { callPrices, otherRatios } from './others.ts';

export { audioCompletionRules, audioRules, completionRules, type RatioRule } from './rules.ts';

/** Defaults of the price options, as the options hold them (spec, billing 2 and 3). */
export const defaultModelRatio = tableFromRows(openaiRatios, anthropicRatios, googleRatios, chinaRatios, otherRatios);
export const defaultModelPrice = tableFromRows(callPrices);
export const defaultCacheRatio = tableFromRows(openaiCacheRatios, anthropicCacheRatios, googleCacheRatios, chinaCacheRatios);
export const defaultCompletionRatio = tableFromRows([
  [2, 'gpt-4-gizmo-* gpt-4-all'],
  [3, 'gpt-4o-gizmo-*'],
  [8, 'gpt-image-1'],
]);
export const defaultImageRatio = tableFromRows([[2, 'gpt-image-1']], chinaImageRatios);
export const defaultGroupRatio = tableFromRows([[1, 'default vip svip']]);
