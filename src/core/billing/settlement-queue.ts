/**
 * Every settlement passes this queue, on both engines: it is written in groups, divided where an
 * item is refused (docs/rules/ledger.md#refused-settlements), repeated while the database is
 * unavailable (docs/rules/ledger.md#ledger-stalled), and given up where its caller has waited too
 * long (docs/rules/ledger.md#waiting).
 */

import { endsWithin } from '../kernel/at-most.ts';
import type { Clock } from '../kernel/clock.ts';
import { AppError, type ErrorParams } from '../kernel/errors.ts';
import { parseJson } from '../kernel/json.ts';
import type { Logger } from '../kernel/logger.ts';
import { maxQuota } from '../kernel/quota.ts';
import type {
  JournaledCharge,
  Settlement,
  SettlementResult,
} from '../storage/ledger/settlement.ts';
import { RefusedItemError, UnknownOutcomeError } from '../storage/ledger/write-errors.ts';
import { createGroupWriter } from './group-writer.ts';

export interface SettlementQueueDeps<Item> {
  /**
   * Writes a batch in one transaction. Where it rejects, nothing was written; with
   * RefusedItemError, an item is at fault; with UnknownOutcomeError, the same batch has to be
   * written again to find out.
   */
  readonly commit: (batch: readonly Item[]) => Promise<readonly SettlementResult[]>;
  /** Why nothing is written any more until the process ends; undefined: it is. */
  readonly refusal?: (() => AppError | undefined) | undefined;
  /**
   * Called for each item in the order of the ledger; without a result where it was refused or given
   * up.
   */
  readonly onSettled?: (item: Item, result: SettlementResult | undefined) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface SettlementQueue<Item> {
  /**
   * Resolves once the item is in the tables. Throws AppError ledger_refused, balance_limit; the
   * item is in the process log then. Throws ledger_unavailable where that took too long and nothing
   * of it will be written, ledger_outcome_unknown where it may still be; at once what `refusal`
   * says.
   */
  write(item: Item): Promise<SettlementResult>;
  /** The item may wait for others. Where it is refused, it is in the process log. */
  add(item: Item): void;
  /** The database is unavailable: settlements wait, and no new holds should be admitted. */
  isStalled(): boolean;
  /** How many are queued, without the group that is being written. */
  waiting(): number;
  /** Why nothing is written, as an error for callers and the log. */
  unavailability(): AppError;
  /** The gateway stops: nobody waits longer than a few seconds from now on. */
  hurry(): void;
  /**
   * Writes at once what is queued by now, and resolves when that is done; undefined: nothing is
   * queued.
   */
  flush(): Promise<void> | undefined;
  /** Waits for everything that is queued, at most these ms. Whether it was written. */
  drain(limit: number): Promise<boolean>;
  /** Ends the attempts: callers who still wait get an error; what the journal has stays there. */
  abandon(): Promise<void>;
}

/** Milliseconds that a proof of the books, and the end of the process, wait for what is queued. */
export const verifyWait = 10_000;
export const closeWait = 3000;
/** Milliseconds between attempts while the database is unavailable. */
const retryDelay = 1000;
/** Milliseconds that somebody waits for a settlement; while the gateway stops. */
export const longestWait = 30_000;
const stopWait = 10_000;
/** Further milliseconds for an attempt that does not end. */
const attemptGrace = 15_000;

export function createSettlementQueue<Item extends Settlement | JournaledCharge>(
  deps: SettlementQueueDeps<Item>,
): SettlementQueue<Item> {
  const { commit, refusal = () => undefined, onSettled = () => {}, clock, logger } = deps;
  let stalled = false;
  let lastFailure: unknown;
  const abandoned = new AbortController();

  /**
   * A request that was served must not go unpaid in silence: the log has all that is needed to post
   * it by hand.
   */
  const report = (item: Item, reason: string, message: string): void => {
    const settlement = item.kind === 'journaled' ? parseJson(item.json) : item;
    logger.error({ reason, settlement }, message);
  };
  const reportRefused = (item: Item, reason: string): void => {
    onSettled(item, undefined);
    report(item, reason, 'a settlement was refused and is not in the ledger');
  };

  const unavailability = (): AppError => {
    const refused = refusal();
    if (refused !== undefined) return refused;
    const waiting = writer.unwritten().length;
    return new AppError(
      'ledger_unavailable',
      { ...reasonOf(lastFailure), ...(waiting > 0 && { waiting }) },
      { cause: lastFailure },
    );
  };

  const onLate = (item: Item, isDropped: boolean): AppError => {
    if (!isDropped) {
      stalled = true; // an attempt that gets no reply does not say so itself
      report(
        item,
        'no reply from the database',
        'a settlement takes too long; it is not known whether it will be in the ledger',
      );
      return new AppError('ledger_outcome_unknown', {}, { cause: lastFailure });
    }
    onSettled(item, undefined);
    report(
      item,
      'the database was not available',
      'a settlement was given up and is not in the ledger',
    );
    return new AppError('ledger_unavailable', {}, { cause: lastFailure });
  };

  const writer = createGroupWriter<Item, SettlementResult>({
    commit,
    patience: { clock, limit: longestWait, grace: attemptGrace, onLate },
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
      lastFailure = error;
      logger.error(
        { error, waiting: batch.length + writer.waiting() },
        'the ledger could not be written; trying again',
      );
      // the only rejection is the end
      await clock.sleep(retryDelay, abandoned.signal).catch(() => {});
      if (abandoned.signal.aborted) return 'reject';
      return error instanceof UnknownOutcomeError ? 'repeat' : 'retry';
    },
  });

  return {
    write: async (item) => {
      const refused = refusal();
      if (refused !== undefined) {
        onSettled(item, undefined);
        report(item, refused.code, 'a settlement was refused and is not in the ledger');
        throw refused;
      }
      let result: SettlementResult;
      try {
        result = await writer.write(item);
      } catch (cause) {
        if (cause instanceof AppError && /^ledger_/.test(cause.code)) throw cause;
        throw new AppError(
          abandoned.signal.aborted ? 'ledger_unavailable' : 'ledger_refused',
          {},
          { cause },
        );
      }
      if (result.overLimit === true) throw new AppError('balance_limit', { max: maxQuota });
      if (result.refused !== undefined)
        throw new AppError('ledger_refused', { reason: result.refused });
      return result;
    },
    add: writer.add,
    isStalled: () => stalled || refusal() !== undefined,
    waiting: writer.waiting,
    unavailability,
    hurry: () => writer.hurry(stopWait),
    flush: writer.flush,
    drain: (limit) => endsWithin(limit, writer.drain()),
    abandon: async () => {
      const left = writer.unwritten();
      const journaled = left.filter(({ kind }) => kind === 'journaled').length;
      if (journaled > 0)
        logger.warn({ charges: journaled }, 'charges are left in the journal for the next start');
      for (const item of left)
        if (item.kind !== 'journaled')
          report(
            item,
            'the database was not available',
            'a settlement was given up and is not in the ledger',
          );
      abandoned.abort(new Error('the ledger ends'));
      await endsWithin(retryDelay, writer.drain());
    },
  };
}

/** What a database says of itself, for operators. */
function reasonOf(failure: unknown): ErrorParams {
  if (failure instanceof AppError) return failure.params;
  return failure instanceof Error ? { reason: failure.message } : {};
}
