import type { Cluster } from '../cluster/cluster.ts';
import type { Language } from '../i18n/translate.ts';
import type { Clock } from '../kernel/clock.ts';
import { decimal } from '../kernel/decimal.ts';
import { knownModels } from '../models/known-models.ts';
import type { NoticeServices } from '../notices/module.ts';
import { type OptionKey, type OptionValue, parseOption } from '../options/index.ts';
import { withAddedPrices } from '../pricing/added-prices.ts';
import { catalogueDetails } from '../pricing/catalogue-details.ts';
import { buildPriceTables, type PriceTables, readPriceOptions } from '../pricing/tables.ts';
import type { ServiceModule } from '../runtime/service-module.ts';
import type { OptionStore, SentOption } from '../site/option-store.ts';
import type { Storage } from '../storage/storage.ts';
import type { UpstreamChannel } from '../upstream/channel.ts';
import { type PriceBelowCost, pricesBelowCost } from './below-cost.ts';
import { createTellLosses, type TellLosses } from './tell-losses.ts';
import { type ShownLoss, unpricedModels } from './unpriced.ts';
import { createWatchLosses } from './watch-losses.ts';

export interface LossesModuleDeps {
  readonly storage: Pick<Storage, 'channels' | 'losses' | 'quotaData'>;
  readonly cluster: Pick<Cluster, 'changes'>;
  readonly options: Pick<OptionStore, 'get'>;
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
  list(language: Language): Promise<readonly ShownLoss[]>;
  /**
   * Prices below their cost that these options would add; without options all that there are. Throws
   * AppError option_invalid.
   */
  belowCost(sent: readonly SentOption[]): readonly PriceBelowCost[];
  /** Looks for losses: the job `losses`. */
  watch(): Promise<void>;
}

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
  const pricesWith = (sent: readonly SentOption[]): readonly PriceBelowCost[] => {
    const set = new Map(sent.map(({ key, value }) => [key, value]));
    const read = <K extends OptionKey>(key: K): OptionValue<K> => {
      const value = set.get(key);
      return value === undefined ? deps.options.get(key) : parseOption(key, String(value));
    };
    const margin = deps.options.get('model_sync.margin');
    const options = withAddedPrices(readPriceOptions(read), knownModels.added.rows, margin);
    const tables = buildPriceTables(options, catalogueDetails);
    return pricesBelowCost(deps.channels(), tables, decimal(read('QuotaPerUnit')));
  };
  const belowCost: LossServices['belowCost'] = (sent) => {
    const now = pricesWith([]);
    if (sent.length === 0) return now;
    const known = new Set(now.map((price) => JSON.stringify(price)));
    return pricesWith(sent).filter((price) => !known.has(JSON.stringify(price)));
  };
  const list: LossServices['list'] = async (language) => {
    const known = await losses.list(language);
    return deps.options.get('SelfUseModeEnabled')
      ? known
      : [...known, ...unpricedModels(deps.channels(), deps.prices(), language)];
  };
  return {
    services: { list, update: losses.update, watch, belowCost },
    jobs: [{ name: 'losses', interval: () => interval, scope: 'gateway', timeout, run: watch }],
  };
}
