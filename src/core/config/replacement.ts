import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { parseJson } from '../kernel/json.ts';
import { z } from '../kernel/zod.ts';

/** A finished file and the one whose place it takes. */
const shape = z.object({ moves: z.array(z.object({ from: z.string(), to: z.string() })) });
export type Move = z.infer<typeof shape>['moves'][number];

/** Is there while a replacement is under way. */
export const journalPath = (folder: string): string => join(folder, 'replace.json');

/**
 * Replaces several files of a data folder together: after a crash either none or, once the folder
 * is locked again, all are replaced (docs/rules/maintenance.md#restore). The new files are complete
 * and on the disk. The caller owns the folder's lock.
 */
export function replaceFiles(
  folder: string,
  moves: readonly Move[],
  writeJournal: (path: string, content: string) => void,
): void {
  writeJournal(journalPath(folder), JSON.stringify({ moves }));
  syncFolder(folder);
  finishReplacement(folder);
}

/** Does nothing if no replacement was begun. A move that was made already is not repeated. */
export function finishReplacement(folder: string): void {
  const path = journalPath(folder);
  if (!existsSync(path)) return;
  const journal = shape.safeParse(parseJson(readFileSync(path, 'utf8')));
  for (const { from, to } of journal.data?.moves ?? []) {
    if (!existsSync(from)) continue;
    // A write-ahead log or a journal of charges of the old database must not be applied to the new
    // one.
    for (const suffix of ['-wal', '-shm', '-charges-0', '-charges-1'])
      rmSync(`${to}${suffix}`, { force: true });
    renameSync(from, to);
    syncFolder(dirname(to));
  }
  rmSync(path, { force: true });
}

/** Waits until names that were added or changed in a folder are on the disk. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return; // folders cannot be opened there
  const handle = openSync(folder, 'r');
  fsyncSync(handle);
  closeSync(handle);
}
