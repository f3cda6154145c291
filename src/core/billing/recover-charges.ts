import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/logger.ts';
import type { NumberedCharge } from '../storage/journal/charge-journal.ts';
import { type SettlementResult, textOfBatch } from '../storage/ledger/settlement.ts';
import type { Storage } from '../storage/storage.ts';
import { createSettlementQueue } from './settlement-queue.ts';

export interface ChargeRecovery {
  readonly storage: Pick<Storage, 'ledger'>;
  readonly commit: (batch: string) => Promise<readonly SettlementResult[]>;
  /** What a journal holds, by their numbers. */
  readonly charges: readonly NumberedCharge[];
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Writes the charges into the tables that a process had committed in its journal before it was
 * killed (docs/rules/ledger.md#charge-journal). Returns the last number that was used. Throws
 * AppError ledger_unavailable where the tables cannot be written for half a minute: the journal
 * must stay then.
 */
export async function recoverCharges({
  storage,
  commit,
  charges,
  clock,
  logger,
}: ChargeRecovery): Promise<number> {
  const applied = await storage.ledger.appliedCharge();
  const left = charges.filter(({ sequence }) => sequence > applied);
  const last = left.at(-1)?.sequence ?? applied;
  if (left.length === 0) return last;
  const queue = createSettlementQueue<NumberedCharge>({
    commit: async (batch) => commit(textOfBatch(batch)),
    clock,
    logger,
  });
  const written = await Promise.allSettled(left.map((charge) => queue.write(charge)));
  if (written.some(isUnwritten)) throw queue.unavailability();
  logger.info(
    { charges: written.filter(({ status }) => status === 'fulfilled').length },
    'charges that the last process left in its journal were written into the tables',
  );
  const missing = last - applied - left.length;
  if (missing > 0)
    logger.error(
      { missing },
      'the journal lacks charges: its file was damaged, or the machine lost power',
    );
  return last;
}

/** What is refused by its data is reported by the queue, and stops no other. */
function isUnwritten(result: PromiseSettledResult<SettlementResult>): boolean {
  return (
    result.status === 'rejected' &&
    !(result.reason instanceof AppError && result.reason.code === 'ledger_refused')
  );
}
