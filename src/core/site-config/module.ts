import type { BudgetService } from '../budgets/budget-service.ts';
import type { CatalogServices } from '../catalog/module.ts';
import type { ChannelService } from '../channels/channel-service.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { Ids } from '../kernel/ids.ts';
import type { ServiceModule } from '../runtime/service-module.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { Storage } from '../storage/storage.ts';
import { createSiteConfig, type SiteConfig } from './apply-config.ts';

export interface SiteConfigModuleDeps {
  readonly options: OptionStore;
  readonly channels: ChannelService;
  readonly catalog: Pick<CatalogServices, 'square'>;
  readonly budgets: BudgetService;
  readonly storage: Pick<Storage, 'channels' | 'budgets'>;
  readonly cluster: Pick<Cluster, 'leases'>;
  readonly ids: Ids;
}

export function createSiteConfigModule({
  catalog,
  cluster,
  ...deps
}: SiteConfigModuleDeps): ServiceModule<SiteConfig> {
  return {
    services: createSiteConfig({ ...deps, models: catalog.square, leases: cluster.leases }),
  };
}
