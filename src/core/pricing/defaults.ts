/**
 * Defaults of the price options and the ratios by pattern: the catalogue's list prices, and what
 * vendors declare of models that it does not price (docs/rules/pricing.md#default-tables).
 */
import { vendorPrices } from '../providers/prices.ts';
import { cataloguePrices } from './catalogue-prices.ts';
import { type RatioRule, tableFromRows, type VendorPrices } from './rows.ts';

/** Models without a vendor's folder: those of tasks, and open models that several vendors serve. */
const otherPrices: VendorPrices = {
  modelPrice: [
    [0.1, 'suno_music'],
    [0.01, 'suno_lyrics'],
    [0.04, 'black-forest-labs/flux-1.1-pro'],
    [
      0.1,
      'mj_imagine mj_variation mj_reroll mj_blend mj_modal mj_zoom mj_shorten mj_high_variation mj_low_variation mj_pan mj_edits',
    ],
    [0, 'mj_inpaint mj_custom_zoom'],
    [0.05, 'mj_describe mj_upscale mj_upload swap_face'],
    [0.8, 'mj_video'],
  ],
  completionRules: [
    ['llama2-70b-4096', 1.25],
    ['llama3-8b-8192', 2],
    ['llama3-70b-8192', 0.79 / 0.59],
  ],
};

const all = [...vendorPrices, otherPrices, cataloguePrices];

type RulesOf = 'completionRules' | 'audioRules' | 'audioCompletionRules';
type RowsOf = Exclude<keyof VendorPrices, RulesOf>;

const table = (name: RowsOf) => tableFromRows(...all.map((prices) => prices[name] ?? []));
const rules = (name: RulesOf): readonly RatioRule[] => all.flatMap((prices) => prices[name] ?? []);

export const defaultModelRatio = table('modelRatio');
export const defaultModelPrice = table('modelPrice');
export const defaultCacheRatio = table('cacheRatio');
export const defaultCreateCacheRatio = table('cacheWriteRatio');
export const defaultAudioRatio = table('audioRatio');
export const defaultAudioCompletionRatio = table('audioCompletionRatio');
export const defaultCompletionRatio = table('completionRatio');
export const defaultImageRatio = table('imageRatio');
export const defaultGroupRatio = tableFromRows([[1, 'default vip svip']]);

export const completionRules = rules('completionRules');
export const audioRules = rules('audioRules');
export const audioCompletionRules = rules('audioCompletionRules');
