/**
 * Every settlement passes this queue, on both engines: it is written in groups, divided where an item is refused
 * (docs/rules/ledger.md#refused-settlements), repeated while the database is unavailable (docs/rules/ledger.md#ledger-stalled).
 */
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import { parseJson } from '../kernel/json.ts';
import type { Logger } from '../kernel/logger.ts';
import { maxQuota } from '../kernel/quota.ts';
import { RefusedItemError } from '../storage/ledger/refused-item.ts';
import type { JournaledCharge, Settlement, SettlementResult } from '../storage/ledger/settlement.ts';
import { createGroupWriter } from './group-writer.ts';

export interface SettlementQueueDeps<Item> {
  /** Writes a batch in one transaction. Where it rejects, nothing was written; with RefusedItemError, an item is at fault. */
  readonly commit: (batch: readonly Item[]) => Promise<readonly SettlementResult[]>;
  /** Called for each item in the order of the ledger; without a result where it was refused. */
  readonly onSettled?: (item: Item, result: SettlementResult | undefined) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface SettlementQueue<Item> {
  /**
   * Resolves once the item is in the tables. Throws AppError ledger_refused, balance_limit; the item is in the process log then.
   */
  write(item: Item): Promise<SettlementResult>;
  /** The item may wait for others. Where it is refused, it is in the process log. */
  add(item: Item): void;
  /** The database is unavailable: settlements wait, and no new holds should be admitted. */
  isStalled(): boolean;
  /** How many are queued, without the group that is being written. */
  waiting(): number;
  /** Writes at once what is queued by now, and resolves when that is done; undefined: nothing is queued. */
  flush(): Promise<void> | undefined;
  /** Waits for everything that is queued. */
  drain(): Promise<void>;
}

/** Milliseconds between attempts while the database is unavailable. */
const retryDelay = 1000;

export function createSettlementQueue<Item extends Settlement | JournaledCharge>(
  deps: SettlementQueueDeps<Item>,
): SettlementQueue<Item> {
  const { commit, onSettled = () => {}, clock, logger } = deps;
  let stalled = false;

  /** A request that was served must not go unpaid in silence: the log has all that is needed to post it by hand. */
  const reportRefused = (item: Item, reason: string): void => {
    onSettled(item, undefined);
    const settlement = item.kind === 'journaled' ? parseJson(item.json) : item;
    logger.error({ reason, settlement }, 'a settlement was refused and is not in the ledger');
  };

  const writer = createGroupWriter<Item, SettlementResult>({
    commit,
    onCommitted: (batch, results) => {
      stalled = false;
      for (const [index, item] of batch.entries()) {
        const result = results[index];
        if (result?.refused === undefined) onSettled(item, result);
        else reportRefused(item, result.refused);
      }
    },
    onFailure: async (error, batch) => {
      if (error instanceof RefusedItemError) {
        stalled = false;
        const [item] = batch;
        if (batch.length === 1 && item !== undefined) reportRefused(item, error.message);
        return 'divide';
      }
      stalled = true;
      logger.error({ error, waiting: batch.length + writer.waiting() }, 'the ledger could not be written; trying again');
      await clock.sleep(retryDelay);
      return 'retry';
    },
  });

  return {
    write: async (item) => {
      let result: SettlementResult;
      try {
        result = await writer.write(item);
      } catch (cause) {
        throw new AppError('ledger_refused', {}, { cause });
      }
      if (result.overLimit === true) throw new AppError('balance_limit', { max: maxQuota });
      if (result.refused !== undefined) throw new AppError('ledger_refused', { reason: result.refused });
      return result;
    },
    add: writer.add,
    isStalled: () => stalled,
    waiting: writer.waiting,
    flush: writer.flush,
    drain: writer.drain,
  };
}
