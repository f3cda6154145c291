import { planBatch } from './billing/plan/plan-batch.ts';
import { type OpenOptions, type OpenStorage, openStorage } from './storage/open.ts';

export interface DatabaseOptions extends Omit<OpenOptions, 'planBatch' | 'worker'> {
  /**
   * SQLite only: worker threads own the connections and the calling thread never waits for the disk. For the gateway;
   * commands and tests work on the calling thread.
   */
  readonly threads?: boolean;
}

/** Opens storage with the rules of money on whichever thread writes. Throws AppError database_unavailable. */
export function openDatabase({ threads = false, ...options }: DatabaseOptions): Promise<OpenStorage> {
  return openStorage({ ...options, planBatch, worker: threads ? workerUrl() : undefined });
}

/** Node runs the source itself; a build puts the worker beside the bundle. */
function workerUrl(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? './sqlite-worker.ts' : './sqlite-worker.js', import.meta.url);
}
