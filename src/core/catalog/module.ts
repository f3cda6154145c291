import type { Commit } from '../audit/commit.ts';
import type { PricingRow } from '../contract/catalog.ts';
import type { Clock } from '../kernel/clock.ts';
import { findPrice } from '../pricing/find-price.ts';
import type { PriceTables } from '../pricing/tables.ts';
import type { ServiceModule } from '../runtime/service-module.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { Storage } from '../storage/storage.ts';
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
  readonly modelEnds: PricingDeps['modelEnds'];
}

export interface CatalogServices extends Catalog {
  /** Read again after a minute, and when a channel or an option changes. */
  readonly listPricing: () => Promise<readonly PricingRow[]>;
  /** Those that have no price (docs/rules/pricing.md#price-order). */
  readonly unpriced: (models: readonly string[]) => string[];
  readonly square: ModelSquare;
}

/** Milliseconds. */
const pricingMaxAge = 60_000;

export function createCatalogModule(deps: CatalogModuleDeps): ServiceModule<CatalogServices> {
  const pricing = createFresh(bindListPricing(deps), { clock: deps.clock, maxAge: pricingMaxAge });
  const square = createModelSquare({ ...deps, listPricing: pricing.get });
  return {
    services: {
      ...createCatalog(deps),
      listPricing: pricing.get,
      unpriced: (models) => models.filter((model) => findPrice(model, deps.prices()) === undefined),
      square,
    },
    caches: [
      { name: 'price list', kinds: ['channels', 'options'], follow: pricing.drop },
      { name: 'model square', kinds: ['models'], follow: square.drop },
    ],
  };
}
