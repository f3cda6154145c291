import type { Cluster } from '../cluster/cluster.ts';
import type { Language } from '../i18n/translate.ts';
import type { Clock } from '../kernel/clock.ts';
import { decimal } from '../kernel/decimal.ts';
import { AppError } from '../kernel/errors.ts';
import { knownModels } from '../models/known-models.ts';
import type { NoticeServices } from '../notices/module.ts';
import {
  isOptionKey,
  type OptionKey,
  type OptionValue,
  type OptionValues,
  parseOption,
} from '../options/index.ts';
import { withAddedPrices } from '../pricing/added-prices.ts';
import { catalogueDetails } from '../pricing/catalogue-details.ts';
import {
  buildPriceTables,
  type PriceTables,
  priceOptionKeys,
  readPriceOptions,
} from '../pricing/tables.ts';
import { buildVideoRatios, videoRatioEntry } from '../pricing/video-ratios.ts';
import type { ServiceModule } from '../runtime/service-module.ts';
import type { OptionStore, SentOption } from '../site/option-store.ts';
import type { Storage } from '../storage/storage.ts';
import type { UpstreamChannel } from '../upstream/channel.ts';
import { belowCostText, type PriceBelowCost, pricesBelowCost } from './below-cost.ts';
import { createTellLosses, type TellLosses } from './tell-losses.ts';
import { type ShownLoss, unpricedModels } from './unpriced.ts';
import { createWatchLosses } from './watch-losses.ts';

export interface LossesModuleDeps {
  readonly storage: Pick<Storage, 'channels' | 'losses' | 'quotaData'>;
  readonly cluster: Pick<Cluster, 'changes'>;
  readonly options: Pick<OptionStore, 'get' | 'values'>;
  /** Channels that are switched on. */
  readonly channels: () => Iterable<UpstreamChannel>;
  readonly notices: Pick<NoticeServices, 'root' | 'channels'>;
  /** As requests are charged. */
  readonly prices: () => PriceTables;
  readonly siteLanguage: () => Language;
  readonly clock: Clock;
}

export interface LossServices extends Pick<TellLosses, 'update'> {
  /** Where the site loses money now, and models that cannot be called for want of a price. */
  list(language: Language, channelIds?: ReadonlySet<number>): Promise<readonly ShownLoss[]>;
  /**
   * Prices below their cost that these options would add; without options all that there are. Throws
   * AppError option_invalid.
   */
  belowCost(sent: readonly SentOption[]): readonly PriceBelowCost[];
  /** Of values that would add such prices: AppError price_below_cost. The guard of the options. */
  refusal(before: OptionValues, after: OptionValues): AppError | undefined;
  /** Looks for losses: the job `losses`. */
  watch(): Promise<void>;
}

/** All that prices depend on. */
const priceKeys = [...priceOptionKeys, 'QuotaPerUnit', 'model_sync.margin'] as const;
/** Prices that a refusal names. */
const named = 5;

/** Seconds between two looks, and what one may take. */
const interval = 900;
const timeout = 600;

/** Nobody loses money in silence (docs/rules/losses.md). */
export function createLossesModule(deps: LossesModuleDeps): ServiceModule<LossServices> {
  const losses = createTellLosses({ ...deps, notices: deps.notices.root });
  const watch = createWatchLosses({
    ...deps,
    losses,
    notices: deps.notices.channels,
    changes: deps.cluster.changes,
  });
  const pricesOf = (values: OptionValues): readonly PriceBelowCost[] => {
    const read = <K extends OptionKey>(key: K): OptionValue<K> => values[key];
    const options = withAddedPrices(readPriceOptions(read), knownModels, {
      margin: values['model_sync.margin'],
      quotaPerUnit: values.QuotaPerUnit,
    });
    const tables = buildPriceTables(options, catalogueDetails);
    const videoRatios = buildVideoRatios(values.VideoRatios);
    return pricesBelowCost(
      deps.channels(),
      tables,
      decimal(values.QuotaPerUnit),
      (model) => videoRatioEntry(model, videoRatios) !== undefined,
    );
  };
  const addedBy = (before: OptionValues, after: OptionValues): readonly PriceBelowCost[] => {
    const known = new Set(pricesOf(before).map((price) => JSON.stringify(price)));
    return pricesOf(after).filter((price) => !known.has(JSON.stringify(price)));
  };
  const belowCost: LossServices['belowCost'] = (sent) => {
    const before = deps.options.values();
    if (sent.length === 0) return pricesOf(before);
    const set = sent.flatMap(({ key, value }) =>
      isOptionKey(key) ? [[key, parseOption(key, String(value))]] : [],
    );
    return addedBy(before, { ...before, ...Object.fromEntries(set) });
  };
  const refusal: LossServices['refusal'] = (before, after) => {
    if (priceKeys.every((key) => before[key] === after[key])) return undefined;
    const added = addedBy(before, after);
    if (added.length === 0) return undefined;
    const list = added.slice(0, named).map(belowCostText);
    const rest = added.length > named ? [`+${added.length - named}`] : [];
    return new AppError('price_below_cost', { list: [...list, ...rest].join('; ') });
  };
  const list: LossServices['list'] = async (language, channelIds) => {
    const isMeant = (id: number) => channelIds === undefined || channelIds.has(id);
    const known = (await losses.list(language)).filter(({ channelId }) => isMeant(channelId));
    if (deps.options.get('SelfUseModeEnabled')) return known;
    const channels = [...deps.channels()].filter(({ id }) => isMeant(id));
    return [...known, ...unpricedModels(channels, deps.prices(), language)];
  };
  return {
    services: { list, update: losses.update, watch, belowCost, refusal },
    jobs: [{ name: 'losses', interval: () => interval, scope: 'gateway', timeout, run: watch }],
  };
}
