import type { Cluster } from '../cluster/cluster.ts';
import { AppError } from '../kernel/errors.ts';
import type { Ids } from '../kernel/ids.ts';

/**
 * Runs `work` while nobody else pays an order back or counts what was paid back of it, over all
 * processes. Throws AppError refund_busy where somebody does.
 */
export type OneRefund = <T>(tradeNo: string, work: () => Promise<T>) => Promise<T>;

/**
 * Milliseconds after which a process that died no longer keeps others from refunding: more than
 * provider, reads and ledger take together at most.
 */
const leaseMs = 180_000;

export function bindOneRefund({
  cluster: { leases },
  ids,
}: {
  cluster: Pick<Cluster, 'leases'>;
  ids: Pick<Ids, 'uuid'>;
}): OneRefund {
  return async (tradeNo, work) => {
    const lease = `refund.${tradeNo}`;
    const owner = ids.uuid();
    if (!(await leases.acquire(lease, owner, leaseMs))) throw new AppError('refund_busy');
    try {
      return await work();
    } finally {
      await leases.release(lease, owner);
    }
  };
}
