import type { PricingRow } from '../contract/catalog.ts';
import type { PriceTables } from '../pricing/tables.ts';
import type { ServiceModule } from '../runtime/service-module.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { Storage } from '../storage/storage.ts';
import { type Catalog, createCatalog } from './catalog.ts';
import { bindListPricing } from './pricing-page.ts';

export interface CatalogModuleDeps {
  readonly storage: Pick<Storage, 'abilities'>;
  readonly options: Pick<OptionStore, 'get'>;
  readonly prices: () => PriceTables;
}

export interface CatalogServices extends Catalog {
  readonly listPricing: () => Promise<PricingRow[]>;
}

export function createCatalogModule(deps: CatalogModuleDeps): ServiceModule<CatalogServices> {
  return { services: { ...createCatalog(deps), listPricing: bindListPricing(deps) } };
}
