import type { Leases } from '../cluster/cluster.ts';
import type { Actor } from '../kernel/actor.ts';
import type { Ids } from '../kernel/ids.ts';
import type { ServiceModule } from '../runtime/service-module.ts';
import { createPriceSync, type PriceSync, type PriceSyncDeps } from './price-sync.ts';

export interface PriceSyncModuleDeps extends PriceSyncDeps {
  readonly leases: Leases;
  readonly ids: Pick<Ids, 'uuid'>;
  /** Whose the changes are that the program makes by itself; null before the site is set up. */
  readonly findActor: () => Promise<Actor | null>;
}

/** Seconds between two checks, and what one may take. */
const interval = 3600;
const timeout = 600;
/** Milliseconds in which the sources are looked at once, over all processes and restarts. */
const pause = 23 * 3_600_000;

/** Prices that follow a source (docs/rules/pricing.md#price-sources). */
export function createPriceSyncModule(deps: PriceSyncModuleDeps): ServiceModule<PriceSync> {
  const sync = createPriceSync(deps);
  const run = async (): Promise<void> => {
    if (Object.keys(deps.options.get('price_sync.followed')).length === 0) return;
    const actor = await deps.findActor();
    if (actor === null || !(await deps.leases.acquire('price-sync', deps.ids.uuid(), pause)))
      return;
    await sync.look(actor);
  };
  return {
    services: sync,
    jobs: [{ name: 'price-sync', interval: () => interval, scope: 'gateway', timeout, run }],
  };
}
