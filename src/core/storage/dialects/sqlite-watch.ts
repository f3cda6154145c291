/**
 * Watches the names of an open SQLite database's files (docs/rules/ledger.md#replaced-files): where
 * another program deletes or replaces one, the connections go on with a file that nobody finds any
 * more, and what they write is lost at the end of the process.
 */
import { type BigIntStats, statSync } from 'node:fs';
import { AppError } from '../../kernel/errors.ts';

export interface FileWatch {
  /**
   * AppError database_replaced; undefined: the files are those that were opened. It stays, also
   * where they are put back.
   */
  refusal(): AppError | undefined;
  stop(): void;
}

/** ms between looks. */
const interval = 1000;

/**
 * Only looks names up: a descriptor that is opened and closed here would drop SQLite's locks.
 * Undefined: nothing is there.
 */
function statOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ELOOP') return undefined;
    throw error;
  }
}

/** The same, or `before` where it is not known now, as on a disk that fails for a moment. */
function statNow(path: string, before: BigIntStats): BigIntStats | undefined {
  try {
    return statOf(path);
  } catch {
    return before;
  }
}

/** Starts when the connections are open, so that all files are there. `onLoss` is called once. */
export function watchFiles(database: string, onLoss: (refusal: AppError) => void): FileWatch {
  const paths = [database, `${database}-wal`, `${database}-shm`];
  const opened = new Map(
    paths.flatMap((path) => {
      const found = statOf(path);
      return found === undefined ? [] : [[path, found] as const];
    }),
  );
  let refusal: AppError | undefined;
  const check = (): void => {
    for (const [file, before] of opened) {
      const now = statNow(file, before);
      if (now?.ino === before.ino && now.dev === before.dev) continue;
      clearInterval(timer);
      refusal = new AppError('database_replaced', {
        file,
        how: now === undefined ? 'missing' : 'replaced',
      });
      return onLoss(refusal);
    }
  };
  const timer = setInterval(check, interval).unref();
  return { refusal: () => refusal, stop: () => clearInterval(timer) };
}
