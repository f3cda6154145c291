/** A backup is written only where it destroys nothing (docs/rules/maintenance.md#backup). */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { AppError } from '../kernel/errors.ts';
import { namingFile } from '../kernel/file-problems.ts';
import { magic } from './backup-file.ts';
import { sealedMagic } from './sealed-file.ts';
import type { SiteConfig } from './site-database.ts';

/**
 * Throws AppError backup_target for a file that is there and is no backup, for a device, and for
 * the names of the data folder's own files; an error of the file system that names the folder if
 * there is none.
 */
export function checkTarget(
  config: Pick<SiteConfig, 'dataDir' | 'sqlitePath'>,
  target: string,
): void {
  namingFile(dirname(target), () => statSync(dirname(target)));
  const isOwn =
    dirname(resolve(target)) === resolve(config.dataDir) &&
    /^(lock\.db|secret\.json|gateway\.json|replace\.json)/.test(nameOf(target));
  if (isOwn || resolve(target).startsWith(resolve(config.sqlitePath)))
    throw new AppError('backup_target', { file: target });
  const found = statSync(target, { throwIfNoEntry: false });
  if (found === undefined || (found.isFile() && found.size === 0)) return;
  if (!found.isFile() || !startsAsBackup(target))
    throw new AppError('backup_target', { file: target });
}

const nameOf = (path: string): string => path.slice(dirname(path).length + 1);

function startsAsBackup(path: string): boolean {
  return namingFile(path, () => {
    const handle = openSync(path, 'r');
    try {
      const start = Buffer.alloc(magic.length);
      const read = start.toString('latin1', 0, readSync(handle, start));
      return read === magic || read === sealedMagic;
    } finally {
      closeSync(handle);
    }
  });
}
