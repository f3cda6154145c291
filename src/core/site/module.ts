import type { AuditServices } from '../audit/module.ts';
import type { Config } from '../config/schema.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import type { ServiceModule } from '../runtime/service-module.ts';
import type { Storage } from '../storage/storage.ts';
import { createAddedModels } from './added-models.ts';
import { createLatestRelease, type LatestRelease } from './latest-release.ts';
import { createOptionStore, type OptionStore, type OptionStoreDeps } from './option-store.ts';

export interface SiteModuleDeps {
  readonly config: Pick<Config, 'releaseUrl'>;
  readonly storage: Pick<Storage, 'options'>;
  readonly audit: AuditServices;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly guard: OptionStoreDeps['guard'];
}

export interface SiteServices {
  readonly options: OptionStore;
  /** Throws AppError release_address_missing, release_lookup_failed. */
  latestRelease(): Promise<LatestRelease>;
}

/** Resolves when the stored options are loaded. */
export async function createSiteModule({
  config,
  storage,
  audit,
  clock,
  logger,
  guard,
}: SiteModuleDeps): Promise<ServiceModule<SiteServices>> {
  const options = createOptionStore({
    repository: storage.options,
    commit: audit.commit,
    logger,
    follow: createAddedModels(),
    guard,
  });
  await options.refresh();
  return {
    services: {
      options,
      latestRelease: createLatestRelease({ address: config.releaseUrl, clock, logger }),
    },
    caches: [{ name: 'options', kinds: ['options'], follow: options.refresh }],
  };
}
