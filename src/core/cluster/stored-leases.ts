import { type Clock, nowSeconds } from '../kernel/clock.ts';
import type { LockRepository } from '../storage/storage.ts';
import type { Leases } from './cluster.ts';

/** Leases in the table `locks`, whose times are whole seconds. They are shared between processes and survive a restart. */
export function createStoredLeases(locks: LockRepository, clock: Clock): Leases {
  return {
    acquire: (name, owner, ms) => {
      const now = nowSeconds(clock);
      return locks.acquire(name, owner, now, now + Math.ceil(ms / 1000));
    },
    release: (name, owner) => locks.release(name, owner),
  };
}
