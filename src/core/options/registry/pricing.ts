import {
  defaultAudioCompletionRatio,
  defaultAudioRatio,
  defaultCacheRatio,
  defaultCompletionRatio,
  defaultCreateCacheRatio,
  defaultGroupRatio,
  defaultImageRatio,
  defaultModelPrice,
  defaultModelRatio,
} from '../../pricing/defaults.ts';
import { jsonOption } from '../define.ts';
import {
  followedPrices,
  priceDetails,
  ratioMap,
  ratioMapByGroup,
  textMap,
  videoRatios,
} from '../rules.ts';

const prices = { panel: 'operation.prices', schema: ratioMap } as const;
const groups = { panel: 'operation.groups' } as const;

/**
 * Prices (docs/rules/pricing.md#ratio-order). The four tables after CacheRatio come from later
 * versions of New API.
 */
export const pricingOptions = {
  ModelRatio: jsonOption({ ...prices, default: defaultModelRatio }),
  ModelPrice: jsonOption({ ...prices, default: defaultModelPrice }),
  CompletionRatio: jsonOption({ ...prices, default: defaultCompletionRatio }),
  CacheRatio: jsonOption({ ...prices, default: defaultCacheRatio }),
  CreateCacheRatio: jsonOption({ ...prices, default: defaultCreateCacheRatio }),
  AudioRatio: jsonOption({ ...prices, default: defaultAudioRatio }),
  AudioCompletionRatio: jsonOption({ ...prices, default: defaultAudioCompletionRatio }),
  ImageRatio: jsonOption({ ...prices, default: defaultImageRatio }),
  ModelPriceDetails: jsonOption({
    panel: 'operation.prices',
    schema: priceDetails,
    default: {},
  }),
  VideoRatios: jsonOption({ panel: 'models.video', schema: videoRatios, default: {} }),

  /** Models whose prices follow a source (docs/rules/pricing.md#price-sources). */
  'price_sync.followed': jsonOption({
    panel: 'operation.prices',
    schema: followedPrices,
    default: {},
  }),

  GroupRatio: jsonOption({ ...groups, schema: ratioMap, default: defaultGroupRatio }),
  GroupGroupRatio: jsonOption({ ...groups, schema: ratioMapByGroup, default: {} }),
  UserUsableGroups: jsonOption({
    ...groups,
    schema: textMap,
    default: { default: '默认分组', vip: 'vip分组' },
  }),
};
