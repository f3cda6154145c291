/**
 * A folder on this machine (docs/rules/files.md#storage). Files are written beside their place,
 * synced and renamed.
 */
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../config/make-folder.ts';
import { AppError } from '../../kernel/errors.ts';
import { fileProblemOf } from '../../kernel/file-problems.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { Draft, FileStore, OpenFile } from './file-store.ts';
import { isStoredPath } from './paths.ts';

const draftFolder = 'drafts';
const fileMode = 0o600;
const megabyte = 1024 * 1024;

const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;
const isMissing = (error: unknown): boolean =>
  codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR';

/** A full disk is the operator's problem and has a message of its own. */
function storageError(error: unknown): unknown {
  return fileProblemOf(codeOf(error)) === 'rule.file.diskFull'
    ? new AppError('storage_full', {}, { cause: error })
    : error;
}

/** Makes a rename survive a power cut. Some file systems cannot sync folders; they need no sync. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync().catch(() => undefined);
  } finally {
    await handle.close();
  }
}

/** Makes a folder durably, too: its parent lists it. */
async function makeDurably(folder: string): Promise<void> {
  const first = makeFolder(folder);
  if (first !== undefined) await syncFolder(dirname(first));
}

export function createLocalStore(root: string, ids: Pick<Ids, 'hex'>): FileStore {
  const drafts = join(root, draftFolder);

  const placeOf = (path: string): string => {
    if (!isStoredPath(path))
      throw new AppError('internal_error', { reason: 'not a path of the store' });
    return join(root, path);
  };

  const openOrNull = async (path: string): Promise<FileHandle | null> => {
    if (!isStoredPath(path)) return null;
    try {
      return await open(placeOf(path), 'r');
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  };

  return {
    async receive(source, maxBytes) {
      const place = join(drafts, ids.hex(16));
      try {
        await makeDurably(drafts);
        const bytes = await writeDraft(place, source, maxBytes);
        return draftAt(place, bytes, placeOf);
      } catch (error) {
        await rm(place, { force: true });
        throw storageError(error);
      }
    },
    async open(path) {
      const handle = await openOrNull(path);
      if (handle === null) return null;
      try {
        return openFile(handle, (await handle.stat()).size);
      } catch (error) {
        await handle.close();
        throw error;
      }
    },
    async read(path) {
      const handle = await openOrNull(path);
      if (handle === null) return null;
      try {
        return await handle.readFile();
      } finally {
        await handle.close();
      }
    },
    delete: (path) => rm(placeOf(path), { force: true }),
    async deleteDrafts(before) {
      const names = await readdir(drafts).catch((error: unknown) => {
        if (isMissing(error)) return [];
        throw error;
      });
      let deleted = 0;
      for (const name of names) {
        const place = join(drafts, name);
        const found = await stat(place).catch(() => undefined);
        if (found === undefined || found.mtimeMs >= before) continue;
        await rm(place, { force: true });
        deleted += 1;
      }
      return deleted;
    },
  };
}

/** Returns the number of bytes. */
async function writeDraft(
  place: string,
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<number> {
  const handle = await open(place, 'wx', fileMode);
  try {
    let bytes = 0;
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > maxBytes)
        throw new AppError('file_too_large', { limit: Math.floor(maxBytes / megabyte) });
      await handle.writeFile(chunk);
    }
    await handle.sync();
    return bytes;
  } finally {
    await handle.close();
  }
}

function draftAt(place: string, bytes: number, placeOf: (path: string) => string): Draft {
  const reading = async <T>(work: (handle: FileHandle) => Promise<T>): Promise<T> => {
    const handle = await open(place, 'r');
    try {
      return await work(handle);
    } finally {
      await handle.close();
    }
  };
  return {
    bytes,
    head: (length) =>
      reading(async (handle) => {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0);
        return buffer.subarray(0, bytesRead);
      }),
    read: () => reading((handle) => handle.readFile()),
    async commit(path) {
      const target = placeOf(path);
      try {
        await makeDurably(dirname(target));
        await rename(place, target);
        await syncFolder(dirname(target));
      } catch (error) {
        throw storageError(error);
      }
    },
    discard: () => rm(place, { force: true }),
  };
}

function openFile(handle: FileHandle, size: number): OpenFile {
  return {
    size,
    stream: (range) =>
      handle.createReadStream(range === undefined ? {} : { start: range.start, end: range.end }),
    close: () => handle.close(),
  };
}
