import { planBatch } from './billing/plan/plan-batch.ts';
import { type OpenOptions, type OpenStorage, openStorage } from './storage/open.ts';

export interface DatabaseOptions extends Omit<OpenOptions, 'planBatch' | 'worker'> {
  /**
   * SQLite only. True: worker threads own the connections, so the calling thread never waits for
   * the disk. The gateway uses this; commands and tests use the calling thread.
   */
  readonly threads?: boolean;
}

/**
 * Opens storage; the billing rules run on the thread that writes. Throws AppError
 * database_unavailable.
 */
export function openDatabase({
  threads = false,
  ...options
}: DatabaseOptions): Promise<OpenStorage> {
  return openStorage({ ...options, planBatch, worker: threads ? workerUrl() : undefined });
}

/** The worker's source file, or in a build the file beside the bundle. */
function workerUrl(): URL {
  return new URL(
    import.meta.url.endsWith('.ts') ? './sqlite-worker.ts' : './sqlite-worker.js',
    import.meta.url,
  );
}
