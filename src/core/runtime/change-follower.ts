/**
 * Keeps memory and database together (docs/rules/process.md#reconciliation). Changes come from
 * announcements, which may be lost, and from the database, which notes each of them; what a cache
 * could not read is tried again until it succeeds.
 */
import {
  type Change,
  type ChangeKind,
  type Changes,
  changeKinds,
  listIds,
} from '../cluster/changes.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import type { LockRepository, RowChange, RowChangeRepository } from '../storage/storage.ts';
import type { Cache, ServiceModule } from './service-module.ts';
import { StaleRows } from './stale-rows.ts';

export interface ChangeFollower {
  /**
   * For services. An announcement never rejects, because the change is committed: what a cache
   * could not apply is logged and made up for.
   */
  readonly changes: Changes;
  /** Caches that were loaded after this follower was made. */
  follow(caches: readonly Cache[]): void;
  /**
   * Applies what the database noted since the last time, and what failed before. Rejects where
   * something is still stale.
   */
  reconcile(): Promise<void>;
}

export interface ChangeFollowerDeps {
  readonly changes: Changes;
  readonly rowChanges: RowChangeRepository;
  readonly locks: Pick<LockRepository, 'prune'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Seconds between two readings, and that one may take. */
const interval = 5;
const timeout = 30;
/**
 * Seconds for which the database keeps changes and leases that ended, and between two deletions of
 * older ones.
 */
const retention = 86_400;
const pruneInterval = 3600;
/** A process that has not read for longer reads everything again, in ms. */
const longestGap = (retention / 2) * 1000;
/** The pause before what failed is tried again, in ms; it doubles. */
const shortestPause = 250;
const longestPause = 5000;

/**
 * Make it before the caches are loaded: what changes from then on is not missed. Throws AppError
 * database_unavailable.
 */
export async function createChangeFollower(
  deps: ChangeFollowerDeps,
): Promise<ServiceModule<ChangeFollower>> {
  const { changes, rowChanges, clock, logger } = deps;
  const stopping = new AbortController();
  const stale = new StaleRows();
  /** Changes that the last reading returned and the next one may return again. */
  let seen = new Map<string, number>();
  let caches: readonly Cache[] = [];
  let { horizon } = await rowChanges.since(undefined);
  let lastReading = clock.now();
  let retrying: Promise<void> | undefined;

  /** Every cache gets the change, also after one failed. Never rejects. */
  const apply = async (change: Change): Promise<boolean> => {
    let isApplied = true;
    for (const cache of caches) {
      if (!cache.kinds.includes(change.kind)) continue;
      try {
        await cache.follow(change);
      } catch (error) {
        isApplied = false;
        logger.error(
          { error, cache: cache.name, kind: change.kind, ids: change.ids },
          'a change could not be applied',
        );
      }
    }
    if (!isApplied) stale.add(change.kind, change.ids);
    return isApplied;
  };

  const applyStale = async (): Promise<boolean> => {
    const results = [];
    for (const { kind, ids } of stale.take()) results.push(await apply({ kind, ids }));
    return results.every(Boolean);
  };

  const retry = async (): Promise<void> => {
    for (
      let pause = shortestPause;
      !stale.isEmpty && !stopping.signal.aborted;
      pause = Math.min(2 * pause, longestPause)
    ) {
      await clock.sleep(pause, stopping.signal);
      await applyStale();
    }
  };

  const retrySoon = (): void => {
    if (stale.isEmpty || stopping.signal.aborted) return;
    retrying ??= retry()
      .catch((error: unknown) => {
        // the next reading goes on
        if (!stopping.signal.aborted) logger.error({ error }, 'changes could not be applied again');
      })
      .finally(() => {
        retrying = undefined;
      });
  };

  const note = (rows: readonly RowChange[]): void => {
    for (const { kind, key, tx } of rows) {
      const known = changeKinds.find((one) => one === kind);
      if (known === undefined || seen.get(`${kind} ${key}`) === tx) continue;
      stale.add(known, idsOf(known, key));
    }
  };

  const readChanges = async (): Promise<void> => {
    const now = clock.now();
    const found = await rowChanges.since(horizon);
    if (found.isCut || found.horizon < horizon || now - lastReading > longestGap)
      stale.addEverything();
    else note(found.rows);
    horizon = found.horizon;
    seen = new Map(
      found.rows
        .filter(({ tx }) => tx >= horizon)
        .map(({ kind, key, tx }) => [`${kind} ${key}`, tx]),
    );
    lastReading = now;
  };

  const reconcile = async (): Promise<void> => {
    await readChanges();
    if (await applyStale()) return;
    retrySoon();
    throw new Error('what changed in the database could not be read again');
  };

  changes.listen(async (change) => {
    if (!(await apply(change))) retrySoon();
  });
  const announce = async (kind: ChangeKind, ids?: number | readonly number[]): Promise<void> => {
    try {
      await changes.announce(kind, ids);
    } catch (error) {
      logger.error({ error, kind, ids }, 'a change could not be announced');
      if (!(await apply({ kind, ids: listIds(ids) }))) retrySoon();
    }
  };

  return {
    services: {
      changes: { announce, listen: (listener) => changes.listen(listener) },
      follow: (loaded) => {
        caches = loaded;
      },
      reconcile,
    },
    jobs: [
      {
        name: 'follow-changes',
        interval: () => interval,
        scope: 'process',
        timeout,
        run: reconcile,
      },
      {
        name: 'forget-changes',
        interval: () => pruneInterval,
        scope: 'gateway',
        timeout,
        run: async () => void (await rowChanges.prune(retention)),
      },
      {
        name: 'forget-leases',
        interval: () => pruneInterval,
        scope: 'gateway',
        timeout,
        // A day later, because the clocks of processes differ.
        run: () => deps.locks.prune(nowSeconds(clock) - retention),
      },
    ],
    stop: async () => {
      stopping.abort(new Error('stopping'));
      await retrying;
    },
  };
}

/** Rows of these kinds are named by their ids; others are read together. */
function idsOf(kind: ChangeKind, key: string): readonly number[] {
  const id = Number(key);
  return (kind === 'channels' || kind === 'token' || kind === 'user') && Number.isSafeInteger(id)
    ? [id]
    : [];
}
