import type { Commit } from '../audit/commit.ts';
import type { PricingRow } from '../contract/catalog.ts';
import type { Clock } from '../kernel/clock.ts';
import { findPrice } from '../pricing/find-price.ts';
import type { PriceTables } from '../pricing/tables.ts';
import type { ServiceModule } from '../runtime/service-module.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { Storage } from '../storage/storage.ts';
import { modelTypeOf } from '../vocabulary/model-square.ts';
import { type Catalog, createCatalog } from './catalog.ts';
import { createFresh } from './fresh.ts';
import { createModelSquare, type ModelSquare } from './model-square.ts';
import { bindListPricing, type PricingDeps } from './pricing-page.ts';

export interface CatalogModuleDeps {
  readonly storage: Pick<Storage, 'abilities' | 'modelSquare'>;
  readonly options: Pick<OptionStore, 'get'>;
  readonly commit: Commit;
  readonly clock: Clock;
  readonly prices: () => PriceTables;
  readonly videoRatios: PricingDeps['videoRatios'];
  readonly served: PricingDeps['served'];
  readonly modelEnds: PricingDeps['modelEnds'];
}

export interface CatalogServices extends Catalog {
  /** Read again after a minute, and when a channel or an option changes. */
  readonly listPricing: () => Promise<readonly PricingRow[]>;
  /** Those that have no price (docs/rules/pricing.md#price-order). */
  readonly unpriced: (models: readonly string[]) => string[];
  /** What the operator says that models are for. */
  readonly givenTypes: PricingDeps['givenTypes'];
  readonly square: ModelSquare;
}

/** Milliseconds. Changes by this process are seen at once. */
const maxAge = 60_000;

export function createCatalogModule(deps: CatalogModuleDeps): ServiceModule<CatalogServices> {
  const { clock, storage } = deps;
  const stored = createFresh(() => storage.modelSquare.list(), { clock, maxAge });
  const givenTypes: PricingDeps['givenTypes'] = async () =>
    new Map(
      (await stored.get()).flatMap(({ model, type, typeEn }) => {
        const known = modelTypeOf(type) ?? modelTypeOf(typeEn);
        return known === undefined ? [] : [[model, known] as const];
      }),
    );
  const pricing = createFresh(bindListPricing({ ...deps, givenTypes }), { clock, maxAge });
  const catalog = createCatalog({ ...deps, listPricing: pricing.get });
  const { offered } = catalog;
  const square = createModelSquare({ ...deps, stored, listPricing: pricing.get, offered });
  return {
    services: {
      ...catalog,
      listPricing: pricing.get,
      unpriced: (models) => models.filter((model) => findPrice(model, deps.prices()) === undefined),
      givenTypes,
      square,
    },
    caches: [
      { name: 'model square', kinds: ['models'], follow: stored.drop },
      { name: 'price list', kinds: ['channels', 'models', 'options'], follow: pricing.drop },
    ],
  };
}
