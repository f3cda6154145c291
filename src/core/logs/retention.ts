/** Deletes old rows in small steps (docs/rules/maintenance.md#retention). */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { RetainedKind } from '../storage/storage.ts';
import { archiveRows } from './archive.ts';
import { type ArchiveDeps, archiveOldest, deleteArchived } from './archive-logs.ts';

export interface RetentionDeps extends ArchiveDeps {
  readonly options: Pick<OptionStore, 'get'>;
  readonly clock: Clock;
  /** A folder, or a bucket as `s3://…`. */
  readonly archiveDir: string;
}

const day = 86_400;
/** Rows of a step, and the ms of the shortest pause after it. */
const pieceSize = 500;
const shortestPause = 5;

const kinds = [
  ['usage', 'UsageLogDays'],
  ['errors', 'ErrorLogDays'],
  ['audit', 'AuditLogDays'],
  ['tasks', 'TaskLogDays'],
  ['drawings', 'TaskLogDays'],
] as const satisfies readonly (readonly [RetainedKind, string])[];

/**
 * Deletes what is older than the days of its kind until all is gone or the signal aborts. The pause
 * after a step is as long as the step took, so that requests have half of the database. Rejects with
 * errors of the database and of the archive's disk; then nothing is deleted that is not archived.
 */
export function createRetention(deps: RetentionDeps): (signal: AbortSignal) => Promise<void> {
  const { storage, options, clock, archiveDir } = deps;
  /**
   * Time before which no errors are left: they lie between rows of usage that stay longer, which are
   * not to be read again in each run.
   */
  let errorsCleared = 0;

  const deletePiece = async (kind: RetainedKind, from: number, before: number): Promise<void> => {
    const old = await storage.retention.list(kind, { from, before }, pieceSize);
    if (old.rows.length === 0) return;
    if (options.get('ArchiveOldRows')) await archiveRows(archiveDir, kind, old.newest, old.rows);
    await storage.retention.delete(kind, old.ids, old);
  };

  /**
   * A bucket takes whole files only, so rows wait until their day is over: one file a day, or one
   * for each 50,000 rows.
   */
  const moveDays = async (kind: RetainedKind, before: number, signal: AbortSignal) => {
    const span = { from: kind === 'errors' ? errorsCleared : 0, before: before - (before % day) };
    while (!signal.aborted) {
      const written = await archiveOldest(deps, kind, span, archiveDir);
      if (written !== undefined) await deleteArchived(storage, kind, written, signal);
      if (signal.aborted) return;
      span.from = written?.next ?? span.before;
      if (kind === 'errors') errorsCleared = Math.min(span.from, span.before);
      if (written === undefined) return;
    }
  };

  const clear = async (kind: RetainedKind, days: number, signal: AbortSignal): Promise<void> => {
    const before = nowSeconds(clock) - days * day;
    if (archiveDir.startsWith('s3://') && options.get('ArchiveOldRows'))
      return moveDays(kind, before, signal);
    let from = kind === 'errors' ? errorsCleared : 0;
    for (;;) {
      const begun = performance.now();
      from = (await storage.retention.oldest(kind, from)) ?? before;
      if (from >= before || signal.aborted) break;
      // Of a day at most, so that few errors are not searched for among many other rows.
      await deletePiece(kind, from, Math.min(from + day, before));
      await sleep(Math.max(shortestPause, performance.now() - begun));
    }
    if (kind === 'errors') errorsCleared = Math.min(from, before);
  };

  return async (signal) => {
    const failures: unknown[] = [];
    // Rows of one kind that cannot be archived or deleted do not keep those of the others.
    for (const [kind, option] of kinds) {
      const days = options.get(option);
      if (days > 0) await clear(kind, days, signal).catch((error) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  };
}
