import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const isFolder = (path: string): boolean | undefined =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory();

/**
 * Makes a folder and its missing parents, for their owner only. Returns the first folder that was
 * made; undefined if all were there. Errors of the operating system name the folder that could not
 * be made, or the file in its way. Node's own recursive mkdir never returns where a file system
 * reports the new folder as missing, as /proc does.
 */
export function makeFolder(path: string): string | undefined {
  const missing: string[] = [];
  let nearest = resolve(path);
  for (
    ;
    isFolder(nearest) === undefined && nearest !== dirname(nearest);
    nearest = dirname(nearest)
  )
    missing.unshift(nearest);
  if (isFolder(nearest) === false) throw notFolder(nearest);
  for (const folder of missing) makeLevel(folder);
  return missing[0];
}

/** Its parent was there, or has just been made. */
function makeLevel(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && isFolder(folder)) return; // another process was first
    if (code === 'ENOENT' && isFolder(dirname(folder)))
      Object.assign(error as Error, { code: 'EOPNOTSUPP' });
    throw error;
  }
}

function notFolder(path: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`ENOTDIR: not a directory, mkdir '${path}'`), {
    code: 'ENOTDIR',
    syscall: 'mkdir',
    path,
  });
}
