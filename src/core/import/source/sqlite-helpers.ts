/** The files `-wal` and `-shm` that SQLite makes beside a file, also for readers. */
import { existsSync, readdirSync, readlinkSync, realpathSync, rmSync, statSync } from 'node:fs';

/**
 * Returns a function that removes those that were not there yet, to be called once the file is
 * closed. They stay where somebody has written to them or still has them open: the old program,
 * started meanwhile, would lose its changes with them.
 */
export function watchHelpers(path: string): () => void {
  const made = [`${path}-wal`, `${path}-shm`].filter((file) => !existsSync(file));
  return () => {
    const log = `${path}-wal`;
    if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > 0 || made.some(isOpen)) return;
    for (const file of made) rmSync(file, { force: true });
  };
}

/**
 * Whether a process that can be looked at has the file open. Only Linux says so; elsewhere it is
 * assumed.
 */
function isOpen(file: string): boolean {
  if (!existsSync(file)) return false;
  if (!existsSync('/proc/self/fd')) return true;
  const target = realpathSync(file);
  return namesIn('/proc').some((pid) =>
    namesIn(`/proc/${pid}/fd`).some((number) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${number}`) === target;
      } catch {
        return false;
      }
    }),
  );
}

/** Those of processes and open files are numbers. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}
