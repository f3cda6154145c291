import type { Actor } from '../kernel/actor.ts';
import { type Clock, dayOf, nowSeconds } from '../kernel/clock.ts';
import { decimal } from '../kernel/decimal.ts';
import { AppError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/logger.ts';
import type { PriceBelowCost } from '../losses/below-cost.ts';
import type { LossServices } from '../losses/module.ts';
import type { TellLosses } from '../losses/tell-losses.ts';
import { knownModels } from '../models/known-models.ts';
import { withAddedPrices } from '../pricing/added-prices.ts';
import { priceWords } from '../pricing/all-prices.ts';
import { catalogueDetails } from '../pricing/catalogue-details.ts';
import type { UnreadablePrice } from '../pricing/expression-terms.ts';
import { type SourcePrice, type SourcePrices, sourceTables } from '../pricing/source-entries.ts';
import {
  atUnit,
  cataloguePrices,
  publicLists,
  readSource,
  withMargin,
} from '../pricing/source-prices.ts';
import { buildPriceTables, type PriceOptions, readPriceOptions } from '../pricing/tables.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { Storage } from '../storage/storage.ts';
import { type ChangedModel, changedModels, isSaveable, withPrices } from './price-changes.ts';
import { type PriceImpact, priceImpact } from './price-impact.ts';

/** Where prices come from. */
export interface PriceSource {
  /** `catalogue`, the name of a public list, an http(s) address; of a given text its name. */
  readonly source: string;
  /** The list itself, where it is given. */
  readonly text?: string | undefined;
  /** Times the price of the source. */
  readonly margin: number;
}

export interface PricePreview {
  readonly models: readonly ChangedModel[];
  /** Models of the site whose price is that of the source already. */
  readonly same: readonly string[];
  /** Models of the site that the source has. */
  readonly found: number;
  readonly impact: PriceImpact;
  /** Prices that would be below their cost, and are not now. */
  readonly belowCost: readonly PriceBelowCost[];
  /** Models of the site of which the source has a price that cannot be read. */
  readonly skipped: readonly { readonly model: string; readonly reason: UnreadablePrice }[];
}

export interface ApplyPrices extends PriceSource {
  /** As they were seen in the preview; of those that had the price already, the version is ''. */
  readonly models: readonly Pick<ChangedModel, 'model' | 'version'>[];
  /** `save`: from now on daily; `tell`: a daily notice of differences. */
  readonly follow: 'no' | 'tell' | 'save';
  /** Somebody agreed to prices below their cost. */
  readonly below_cost: boolean;
}

export interface PriceSync {
  /**
   * What would change of the models that channels offer, or with `all` of all that have a price,
   * and who would have paid what in the last `days`. Nothing is saved. Throws AppError
   * price_source_unreadable and what the call throws.
   */
  preview(source: PriceSource, all: boolean, days: number): Promise<PricePreview>;
  /** Saves prices that were seen. Throws AppError price_source_changed where one is another now. */
  apply(actor: Actor, request: ApplyPrices): Promise<void>;
  /** The daily look at the sources that models follow. Returns those that could not be read. */
  look(actor: Actor): Promise<readonly string[]>;
}

export interface PriceSyncDeps {
  readonly options: Pick<OptionStore, 'get' | 'setMany'>;
  readonly storage: Pick<Storage, 'logs'>;
  /** Models that enabled channels offer. */
  readonly offered: () => Iterable<string>;
  readonly fetchText: (url: string, proxy: string | undefined) => Promise<string>;
  readonly losses: Pick<LossServices, 'update' | 'belowCost'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

const daySeconds = 86_400;

/** Prices that stay right (docs/rules/pricing.md#price-sources). */
export function createPriceSync(deps: PriceSyncDeps): PriceSync {
  const { options, clock } = deps;
  const quotaPerUnit = () => decimal(options.get('QuotaPerUnit'));

  const read = async ({ source, text }: PriceSource): Promise<SourcePrices> => {
    if (text === undefined && source === 'catalogue') return cataloguePrices;
    const address = publicLists[source] ?? source;
    if (text === undefined && !/^https?:\/\//.test(address))
      throw new AppError('price_source_unreadable', { source });
    const list = text ?? (await deps.fetchText(gatewayAddress(address), proxy()));
    const prices = readSource(list, dayOf(clock.now()));
    if (prices === undefined) throw new AppError('price_source_unreadable', { source });
    return prices;
  };
  const proxy = () => options.get('model_sync.proxy') || undefined;

  /** As the relay has them. */
  const tablesOf = (values: PriceOptions) =>
    buildPriceTables(
      withAddedPrices(values, knownModels, {
        margin: options.get('model_sync.margin'),
        quotaPerUnit: options.get('QuotaPerUnit'),
      }),
      catalogueDetails,
    );

  const compareWith = (prices: ReadonlyMap<string, SourcePrice>) => {
    const values = readPriceOptions(options.get);
    const tables = tablesOf(values);
    const after = withPrices(values, prices, tables);
    const afterTables = tablesOf(after);
    const models = changedModels(prices, tables, afterTables, quotaPerUnit());
    return { before: values, after, afterTables, models };
  };

  /** As the site would have it, or why it cannot; undefined: the source has none. */
  const soldPrice = (
    { find, unreadable }: SourcePrices,
    model: string,
    margin: number,
  ): SourcePrice | UnreadablePrice | undefined => {
    const price = find(model);
    if (price === undefined) return unreadable.get(model);
    const sold = withMargin(atUnit(price, quotaPerUnit()), margin);
    return isSaveable(model, sold) ? sold : 'limits';
  };

  const pricesOf = (source: SourcePrices, models: Iterable<string>, margin: number) =>
    new Map(
      [...models].flatMap((model) => {
        const price = soldPrice(source, model, margin);
        return typeof price === 'object' ? [[model, price] as const] : [];
      }),
    );

  const changedOptions = ({ before, after }: ReturnType<typeof compareWith>) =>
    ([...sourceTables, 'ModelPriceDetails'] as const)
      .map((key) => ({ key, value: JSON.stringify(after[key]) }))
      .filter(({ key, value }) => value !== JSON.stringify(before[key]));

  const belowCost = (compared: ReturnType<typeof compareWith>) => {
    const changed = changedOptions(compared);
    return changed.length === 0 ? [] : deps.losses.belowCost(changed);
  };

  const save = async (
    actor: Actor,
    prices: ReadonlyMap<string, SourcePrice>,
    followed?: ReturnType<typeof options.get<'price_sync.followed'>>,
    belowCost = false,
  ): Promise<void> => {
    const changed = changedOptions(compareWith(prices));
    const entry = { key: 'price_sync.followed', value: JSON.stringify(followed) };
    const values = followed === undefined ? changed : [...changed, entry];
    if (values.length > 0) await options.setMany(actor, values, { belowCost });
  };

  /** A source that cannot be read says nothing: what is known of its models stays. */
  const lookAt = async (actor: Actor, source: string, models: readonly string[]) => {
    const followed = options.get('price_sync.followed');
    const listed = await read({ source, margin: 1 });
    const prices = new Map<string, SourcePrice>();
    const unread: string[] = [];
    for (const model of models) {
      const entry = followed[model];
      const price = entry && soldPrice(listed, model, entry.margin);
      if (typeof price === 'string') unread.push(model);
      else if (price !== undefined) prices.set(model, price);
    }
    const compared = compareWith(prices);
    const changed = compared.models;
    // Nobody can confirm it: what would be below its cost is reported instead.
    const below = new Set(belowCost(compared).map(({ model }) => model));
    const saved = changed.filter(
      ({ model }) => followed[model]?.save === true && !below.has(model),
    );
    const adopted = saved.flatMap(({ model }) => {
      const price = prices.get(model);
      return price === undefined ? [] : [[model, price] as const];
    });
    await save(actor, new Map(adopted));
    return {
      differing: changed.filter((entry) => !saved.includes(entry)),
      unread,
    };
  };

  return {
    preview: async (source, all, days) => {
      const listed = await read(source);
      const { ModelRatio, ModelPrice } = readPriceOptions(options.get);
      const names = new Set(deps.offered());
      if (all)
        for (const table of [ModelRatio, ModelPrice])
          for (const name of Object.keys(table)) names.add(name);
      const sorted = [...names].sort();
      const prices = pricesOf(listed, sorted, source.margin);
      const compared = compareWith(prices);
      const { models, afterTables } = compared;
      const changed = new Set(models.map(({ model }) => model));
      const since = nowSeconds(clock) - days * daySeconds;
      const impact =
        days === 0 || changed.size === 0
          ? { models: new Map(), users: [], isPartial: false }
          : await priceImpact(deps.storage.logs, changed, afterTables, quotaPerUnit(), since);
      const skipped = sorted.flatMap((model) => {
        const reason = soldPrice(listed, model, source.margin);
        return typeof reason === 'string' ? [{ model, reason }] : [];
      });
      const same = [...prices.keys()].filter((model) => !changed.has(model));
      return { models, same, found: prices.size, impact, belowCost: belowCost(compared), skipped };
    },
    apply: async (actor, { models, follow, below_cost: agreed, ...source }) => {
      const names = models.map(({ model }) => model);
      const prices = pricesOf(await read(source), names, source.margin);
      const now = new Map(
        compareWith(prices).models.map(({ model, version }) => [model, version] as const),
      );
      const versionOf = (model: string) => now.get(model) ?? (prices.has(model) ? '' : undefined);
      const other = models.find(({ model, version }) => versionOf(model) !== version);
      if (other !== undefined) throw new AppError('price_source_changed', { model: other.model });
      const entry = { source: source.source, margin: source.margin, save: follow === 'save' };
      await save(
        actor,
        new Map([...prices].filter(([model]) => now.has(model))),
        follow === 'no'
          ? undefined
          : {
              ...options.get('price_sync.followed'),
              ...Object.fromEntries(names.map((model) => [model, entry])),
            },
        agreed,
      );
    },
    look: async (actor) => {
      const bySource = new Map<string, string[]>();
      for (const [model, { source }] of Object.entries(options.get('price_sync.followed'))) {
        const known = bySource.get(source);
        if (known === undefined) bySource.set(source, [model]);
        else known.push(model);
      }
      const unread = new Set<string>();
      const failed: string[] = [];
      const found: Parameters<TellLosses['update']>[1][number][] = [];
      for (const [source, models] of bySource)
        try {
          const looked = await lookAt(actor, source, models);
          for (const model of looked.unread) {
            deps.logger.warn({ source, model }, 'the price of a model could not be read');
            unread.add(model);
          }
          for (const { model, changes } of looked.differing) {
            const [change] = changes;
            if (change === undefined) continue;
            const { kind, site, source: listed } = change;
            const figures = {
              price: priceWords(kind, options.get('SiteLanguage')),
              site: site ?? '—',
            };
            found.push({
              kind: 'price',
              channelId: 0,
              model,
              figures: { ...figures, source: listed ?? '—', name: source },
            });
          }
        } catch (error) {
          deps.logger.warn({ error, source }, 'a source of prices could not be read');
          for (const model of models) unread.add(model);
          failed.push(source);
        }
      await deps.losses.update(['price'], found, ({ modelName }) => !unread.has(modelName));
      return failed;
    },
  };
}

/** The price list of another gateway, where only its address is given. */
function gatewayAddress(address: string): string {
  const url = new URL(address);
  return url.pathname === '/' ? new URL('/api/pricing', url).href : address;
}
