/** Deletes old log rows in the background (docs/rules/usage-logs.md#log-prune). */
import type { Audit } from '../audit/audit-log.ts';
import type { PruneStatus } from '../contract/log.ts';
import type { Actor } from '../kernel/actor.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Storage } from '../storage/storage.ts';
import { logTypes } from '../vocabulary/log-types.ts';
import type { WriteLog } from './write-log.ts';

export interface PruneRunnerDeps {
  readonly storage: Pick<Storage, 'logs'>;
  readonly writeLog: WriteLog;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface PruneRunner {
  /**
   * Begins to delete rows older than a time in Unix seconds. Throws AppError target_time_required,
   * target_time_future, and log_prune_running if it has not finished yet.
   */
  start(actor: Actor, before: number): Promise<PruneStatus>;
  status(): PruneStatus;
  /** Stops after the current piece; what is deleted stays deleted. */
  stop(): void;
  /**
   * Resolves with the number of rows once the running deletion has ended. Rejects with its error.
   */
  finished(): Promise<number>;
}

/**
 * The pause after a piece is at least as long as the piece took, so that requests have half of the
 * database.
 */
const shortestPause = 5;

const idle: PruneStatus = {
  state: 'idle',
  before: 0,
  total: 0,
  deleted: 0,
  started_at: 0,
  finished_at: 0,
};

export function createPruneRunner(deps: PruneRunnerDeps): PruneRunner {
  const { storage, writeLog, audit, clock, logger } = deps;
  let status = idle;
  let stopping = new AbortController();
  let running: Promise<number> = Promise.resolve(0);

  const deletePieces = async (before: number, signal: AbortSignal): Promise<void> => {
    for (;;) {
      const begun = performance.now();
      const { deleted, done } = await storage.logs.deletePiece(before);
      status = { ...status, deleted: status.deleted + deleted };
      if (done || signal.aborted) return;
      await pause(Math.max(shortestPause, performance.now() - begun));
    }
  };

  const record = async (actor: Actor, before: number): Promise<void> => {
    const count = status.deleted;
    await writeLog.write(
      { userId: actor.id, username: actor.username },
      logTypes.manage,
      'log.pruned',
      {
        count,
        before: new Date(before * 1000).toISOString(),
      },
    );
    await audit.record(actor, 'log.prune', before, { count });
  };

  const run = async (actor: Actor, before: number): Promise<number> => {
    const { signal } = stopping;
    const end = (state: PruneStatus['state']) => {
      status = { ...status, state, finished_at: nowSeconds(clock) };
    };
    try {
      await deletePieces(before, signal);
      await record(actor, before);
      end(signal.aborted ? 'stopped' : 'done');
      return status.deleted;
    } catch (error) {
      logger.error({ error, before, deleted: status.deleted }, 'usage logs could not be deleted');
      // the failure itself is in the log already
      if (status.deleted > 0) await record(actor, before).catch(() => {});
      end('failed');
      throw error;
    }
  };

  return {
    async start(actor, before) {
      if (before <= 0) throw new AppError('target_time_required');
      if (before > nowSeconds(clock)) throw new AppError('target_time_future');
      if (status.state === 'running') throw new AppError('log_prune_running');
      status = { ...idle, state: 'running', before, started_at: nowSeconds(clock) };
      stopping = new AbortController();
      const { total } = await storage.logs
        .page({ to: before - 1 }, { offset: 0, limit: 1 })
        .catch((error: unknown) => {
          status = idle;
          throw error;
        });
      status = { ...status, total };
      running = run(actor, before);
      running.catch(() => {}); // a caller that needs the error awaits `finished`
      return status;
    },
    status: () => status,
    stop: () => stopping.abort(),
    finished: () => running,
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
