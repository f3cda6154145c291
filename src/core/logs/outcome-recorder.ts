/**
 * How requests ended, by user and hour, and the rows about those that failed
 * (docs/rules/usage-logs.md#outcomes).
 */
import type { Clock } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/logger.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { NewUsageLog, OutcomeSums, RequestOutcomes, Storage } from '../storage/storage.ts';

export type FinalOutcome = 'succeeded' | 'failed' | 'refused';

export interface OutcomeRecorder {
  /**
   * Counts the end of a request and never waits. Null: it has only a row. `row` is called only if
   * the error row will be written.
   */
  record(userId: number, outcome: FinalOutcome | null, row?: () => NewUsageLog): void;
  /** Writes what was recorded since the last call, in one transaction. */
  save(): Promise<void>;
}

/**
 * Error rows per minute (docs/rules/usage-logs.md#error-row-limits), and rows kept while the
 * database is unavailable.
 */
const perUser = 30;
const inAll = 300;
const mostWaiting = 1000;

const hourMs = 3_600_000;
const minuteMs = 60_000;

type Counts = { -readonly [Name in keyof RequestOutcomes]: RequestOutcomes[Name] };

export function createOutcomeRecorder(deps: {
  readonly storage: Pick<Storage, 'transaction'>;
  readonly options: Pick<OptionStore, 'get'>;
  readonly clock: Clock;
  readonly logger: Logger;
}): OutcomeRecorder {
  const { storage, options, clock, logger } = deps;
  let counts = new Map<string, Counts>();
  let rows: NewUsageLog[] = [];
  const isAtLimit = createRowLimit();

  const countsOf = (userId: number, createdAt: number): Counts => {
    const key = `${userId} ${createdAt}`;
    let found = counts.get(key);
    if (found === undefined) {
      found = { userId, createdAt, succeeded: 0, failed: 0, refused: 0, unlogged: 0 };
      counts.set(key, found);
    }
    return found;
  };

  /** After a failure: counts are written later, rows only if the database could not be reached. */
  const restore = (
    lost: Iterable<Counts>,
    lostRows: readonly NewUsageLog[],
    keepsRows: boolean,
  ): void => {
    for (const { userId, createdAt, ...sums } of lost) {
      const current = countsOf(userId, createdAt);
      for (const name of Object.keys(sums) as (keyof OutcomeSums)[]) current[name] += sums[name];
    }
    if (keepsRows) {
      rows = [...lostRows, ...rows];
      return;
    }
    for (const row of lostRows) countsOf(row.userId, hourOf(row.createdAt * 1000)).unlogged += 1;
  };

  return {
    record: (userId, outcome, row) => {
      const now = clock.now();
      const current = countsOf(userId, hourOf(now));
      if (outcome !== null) current[outcome] += 1;
      if (row === undefined || !options.get('ErrorLogEnabled')) return;
      if (rows.length >= mostWaiting || isAtLimit(userId, now)) current.unlogged += 1;
      else rows.push(row());
    },
    save: async () => {
      if (counts.size === 0) return;
      const written = { counts: [...counts.values()], rows };
      counts = new Map();
      rows = [];
      try {
        await storage.transaction(async ({ requestOutcomes, logs }) => {
          await requestOutcomes.add(written.counts);
          await logs.insertMany(written.rows);
        });
      } catch (error) {
        const isUnavailable = error instanceof AppError && error.code === 'database_unavailable';
        restore(written.counts, written.rows, isUnavailable);
        throw error;
      }
      const unlogged = written.counts.reduce((sum, { unlogged }) => sum + unlogged, 0);
      if (unlogged > 0) logger.warn({ unlogged }, 'more requests failed than the usage log takes');
    },
  };
}

/** Tells whether a row would be one too many, and counts it if not. */
function createRowLimit(): (userId: number, now: number) => boolean {
  let minute = 0;
  let all = 0;
  const byUser = new Map<number, number>();
  return (userId, now) => {
    const current = Math.floor(now / minuteMs);
    if (current !== minute) {
      minute = current;
      all = 0;
      byUser.clear();
    }
    const own = byUser.get(userId) ?? 0;
    if (own >= perUser || all >= inAll) return true;
    byUser.set(userId, own + 1);
    all += 1;
    return false;
  };
}

/** Start of the hour in Unix seconds. */
function hourOf(now: number): number {
  return Math.floor(now / hourMs) * 3600;
}
