/** Backups in a folder, such as one of another disk. */
import { createReadStream, statSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../kernel/errors.ts';
import { fileProblemOf } from '../kernel/file-problems.ts';
import type { BackupStore } from './backup-place.ts';

/** Seconds after which an unfinished file belongs to no process that still writes it. */
const abandoned = 86_400;
/** Of a backup or an archive. */
const unfinished = /^(?:turnpike-[0-9a-f]{8}-.*|[a-z]+-\d{4}-\d\d-.*\.jsonl\.gz)\.part$/;

/**
 * The folder must be there: one that is made where a disk is not mounted would fill the disk of the
 * site.
 */
export function openFolder(place: string): BackupStore {
  const inPlace = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof AppError) throw error;
      const code = (error as NodeJS.ErrnoException).code;
      if (code === undefined) throw error;
      const problem = fileProblemOf(code) ?? code;
      throw new AppError('backup_place', { place, problem }, { cause: error });
    }
  };
  const removeAbandoned = async (): Promise<void> => {
    for (const name of await readdir(place)) {
      if (!unfinished.test(name)) continue;
      const path = join(place, name);
      const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
      if (Date.now() - mtimeMs > abandoned * 1000) await rm(path, { force: true });
    }
  };
  return {
    place,
    list: (start) =>
      inPlace(async () => {
        const names = (await readdir(place)).filter((name) => name.startsWith(start));
        return Promise.all(
          names.map(async (name) => ({ name, bytes: (await stat(join(place, name))).size })),
        );
      }),
    receive: (name, write) =>
      inPlace(async () => {
        await removeAbandoned();
        return write(join(place, name));
      }),
    open: (name) =>
      inPlace(async () => {
        await stat(join(place, name));
        return createReadStream(join(place, name));
      }),
    remove: (name) => inPlace(() => rm(join(place, name), { force: true })),
  };
}
