import type { Leases } from '../cluster/cluster.ts';
import { onceIn } from '../cluster/once-in.ts';
import type { Actor } from '../kernel/actor.ts';
import { AppError } from '../kernel/errors.ts';
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
    if (actor === null) return;
    const { leases, ids } = deps;
    const longest = timeout * 1000;
    await onceIn(
      { leases, name: 'price-sync', owner: ids.uuid(), period: pause, longest },
      async () => {
        const [source] = await sync.look(actor);
        // It is read again with the next check.
        if (source !== undefined) throw new AppError('price_source_unreadable', { source });
      },
    );
  };
  return {
    services: sync,
    jobs: [{ name: 'price-sync', interval: () => interval, scope: 'gateway', timeout, run }],
  };
}
