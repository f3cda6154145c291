/** Forgets old windows of budgets in small steps (docs/rules/budgets.md#kept). */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Commit } from '../audit/commit.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import type { Storage } from '../storage/storage.ts';

/** For how long windows are kept that ended or are not used. */
const keptSeconds = 100 * 86_400;
/** Milliseconds after a step, at least. */
const shortestPause = 5;

export interface ForgetWindowsDeps {
  readonly storage: Pick<Storage, 'budgets'>;
  readonly commit: Commit;
  readonly clock: Clock;
}

/**
 * Until all is done or the signal aborts. The pause after a step is as long as the step took, so
 * that requests have half of the database.
 */
export function createForgetWindows({
  storage,
  commit,
  clock,
}: ForgetWindowsDeps): (signal: AbortSignal) => Promise<void> {
  return async (signal) => {
    const before = nowSeconds(clock) - keptSeconds;
    let forgotten = 0;
    try {
      for (let next: number | null = 0; next !== null && !signal.aborted; ) {
        const begun = performance.now();
        const step = await storage.budgets.prune(before, next);
        forgotten += step.forgotten;
        next = step.next;
        if (next !== null) await sleep(Math.max(shortestPause, performance.now() - begun));
      }
    } finally {
      // A conversation that goes on gets a new window instead of the one that is gone.
      if (forgotten > 0) await commit(async (_storage, notes) => notes.changed('budgets'));
    }
  };
}
