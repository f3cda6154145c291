/** Reads a backup: its database beside the site's, its uploads into their places. */
import { existsSync, rmSync } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { migrations } from '../../../migrations/index.ts';
import { makeFolder } from '../config/make-folder.ts';
import { AppError } from '../kernel/errors.ts';
import {
  databaseEntry,
  type EntrySink,
  keysEntry,
  readBackup,
  uploadsPrefix,
} from './backup-file.ts';
import type { RestoreOptions } from './restore-options.ts';
import { openSealed } from './sealed-file.ts';
import type { SiteConfig } from './site-database.ts';

/** Opens a backup. Errors of the operating system name the file. */
export async function openSource(file: string): Promise<Readable> {
  const handle = await open(file, 'r');
  try {
    if ((await handle.stat()).isDirectory()) {
      throw Object.assign(new Error('is a directory'), {
        code: 'EISDIR',
        syscall: 'read',
        path: file,
      });
    }
    return handle.createReadStream();
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Makes a folder, and notes the topmost one that was not there. */
export function noteFolder(made: string[], path: string): void {
  const first = makeFolder(path);
  if (first !== undefined) made.push(first);
}

/** Files and folders that were made. */
interface Made {
  readonly files: string[];
  readonly folders: string[];
}

/**
 * Writes the database beside its place, and uploads into theirs: nothing names these yet. Notes
 * what it has made.
 */
export async function extract(options: RestoreOptions, staged: string, made: Made) {
  const { config, source, name, signal, onProgress } = options;
  const found: { keys?: string; hasDatabase: boolean } = { hasDatabase: false };
  const header = await readBackup(
    openSealed(source, name, options.passphrase ?? ''),
    name,
    ({ steps, version }) => {
      if (steps.some((step) => !Object.hasOwn(migrations, step))) {
        throw new AppError('backup_newer', { file: name, version });
      }
    },
    async (entry) => {
      if (entry === keysEntry) {
        return textSink((text) => {
          found.keys = text;
        });
      }
      if (entry === databaseEntry) {
        found.hasDatabase = true;
        return fileSink(staged, staged);
      }
      const target = join(config.uploadDir, ...entry.slice(uploadsPrefix.length).split('/'));
      if (existsSync(target)) return ignored;
      noteFolder(made.folders, dirname(target));
      made.files.push(target);
      return fileSink(draftOf(config, made.folders), target);
    },
    (bytes) => {
      onProgress?.('read', bytes);
      signal?.throwIfAborted();
    },
  );
  if (!found.hasDatabase) throw new AppError('backup_damaged', { file: name });
  return { header, keys: found.keys };
}

/**
 * Among the files that are being received: what a killed restore leaves there is removed with them.
 */
function draftOf({ uploadDir }: SiteConfig, made: string[]): string {
  const folder = join(uploadDir, 'drafts');
  noteFolder(made, folder);
  return join(folder, `restored-${process.pid}`);
}

const ignored: EntrySink = { write: () => {}, end: () => {} };

function textSink(onText: (text: string) => void): EntrySink {
  const chunks: Buffer[] = [];
  return {
    write: (chunk) => void chunks.push(chunk),
    end: () => onText(Buffer.concat(chunks).toString('utf8')),
  };
}

/** Writes a file durably; it gets its name when it is complete. */
async function fileSink(path: string, target: string): Promise<EntrySink> {
  rmSync(path, { force: true });
  const handle: FileHandle = await open(path, 'wx', 0o600);
  return {
    write: async (chunk) => {
      try {
        await handle.writeFile(chunk);
      } catch (error) {
        throw Object.assign(error as Error, { path });
      }
    },
    end: async () => {
      await handle.sync();
      await handle.close();
      if (path !== target) await rename(path, target);
    },
    abort: async () => {
      await handle.close();
      rmSync(path, { force: true });
    },
  };
}
