/** Rows kept in files before they are deleted (docs/rules/maintenance.md#retention). */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { makeFolder } from '../config/make-folder.ts';
import type { RetainedKind, StoredRow } from '../storage/storage.ts';

const compress = promisify(gzip);

/**
 * Appends rows as JSON lines to `<kind>-<month>.jsonl.gz`, a gzip member for each call, and resolves
 * once they are on the disk. `time` is that of the newest row, in Unix seconds. Throws errors of
 * the file system; the file then ends where it did, because half a member would make all that
 * follow it unreadable.
 */
export async function archiveRows(
  folder: string,
  kind: RetainedKind,
  time: number,
  rows: readonly StoredRow[],
): Promise<void> {
  makeFolder(folder);
  const month = new Date(time * 1000).toISOString().slice(0, 7);
  const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  const member = await compress(lines);
  const file = await open(join(folder, `${kind}-${month}.jsonl.gz`), 'a', 0o600);
  try {
    const { size } = await file.stat();
    try {
      await file.appendFile(member);
      await file.datasync();
    } catch (error) {
      await file.truncate(size);
      throw error;
    }
  } finally {
    await file.close();
  }
}
