import { type Clock, nowSeconds } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import type { LockRepository } from '../storage/storage.ts';
import { clockTolerance, type Leases } from './cluster.ts';

/**
 * Leases in the table `locks`, whose times are whole seconds. They are shared between processes and
 * survive a restart.
 */
export function createStoredLeases(locks: LockRepository, clock: Clock, logger: Logger): Leases {
  return {
    acquire: (name, owner, ms, longest = ms) => {
      const now = nowSeconds(clock);
      const after = (duration: number) => now + Math.ceil(duration / 1000);
      return locks.acquire(name, owner, now, after(ms), after(longest + clockTolerance));
    },
    release: async (name, owner) => {
      try {
        return await locks.release(name, owner);
      } catch (error) {
        logger.warn({ error, name }, 'a lease could not be released and ends by its time');
        return false;
      }
    },
  };
}
