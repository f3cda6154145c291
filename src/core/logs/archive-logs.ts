/** Old rows as files of a place, before they are deleted (docs/rules/maintenance.md#archives). */
import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../kernel/errors.ts';
import type { OldRows, RetainedKind, RowPlace, Storage, TimeSpan } from '../storage/storage.ts';
import { writeArchive } from './archive-file.ts';

/** A folder or bucket with archives. All calls throw AppError backup_place. */
export interface ArchivePlace {
  list(start: string): Promise<readonly { readonly name: string; readonly bytes: number }[]>;
  /** Stores the file that `write` makes at the path it is given. */
  receive<T>(name: string, write: (path: string) => Promise<T>): Promise<T>;
  open(name: string): Promise<Readable>;
}

export interface ArchiveDeps {
  readonly storage: Pick<Storage, 'retention'>;
  /** Of a folder's path or `s3://…`. */
  readonly openPlace: (place: string) => ArchivePlace;
}

/** Rows of a file, but for a second that has more; rows that are read at a time. */
const rowsPerFile = 50_000;
const pieceSize = 1000;
/** Rows of one deletion, and the ms of the shortest pause after it. */
const deletedAtOnce = 500;
const shortestPause = 5;

/** A file that is on its place, and the rows in it. */
export interface ArchiveWritten extends Pick<OldRows, 'oldest' | 'newest'> {
  readonly name: string;
  readonly ids: readonly number[];
  /** Where the next file begins, in Unix seconds. */
  readonly next: number;
}

/** Rejects with AppError archive_place where the place cannot be used. */
export async function atPlace<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'backup_place') throw error;
    throw new AppError('archive_place', error.params, { cause: error });
  }
}

/**
 * Writes the oldest rows of a span to one file, those of whole seconds of one month; undefined:
 * there are none. Throws AppError archive_place; nothing of the file is left then.
 */
export async function archiveOldest(
  { storage: { retention }, openPlace }: ArchiveDeps,
  kind: RetainedKind,
  { from, before }: TimeSpan,
  place: string,
  most = rowsPerFile,
): Promise<ArchiveWritten | undefined> {
  const first = await retention.oldest(kind, from);
  if (first === undefined || first >= before) return undefined;
  const month = { from: first, before: Math.min(before, nextMonth(first)) };
  const full = await retention.timeAfter(kind, month, most);
  const span = full === undefined ? month : { from: first, before: Math.max(full, first + 1) };
  const ids: number[] = [];
  let newest = first;
  const pieces = async function* () {
    let after: RowPlace | undefined;
    for (;;) {
      const piece = await retention.list(kind, span, pieceSize, after);
      ids.push(...piece.ids);
      if (piece.last === undefined) return;
      newest = piece.newest;
      after = piece.last;
      yield piece.rows;
    }
  };
  const name = `${kind}-${timeText(first)}-${randomBytes(4).toString('hex')}.jsonl.gz`;
  await atPlace(() => openPlace(place).receive(name, (path) => writeArchive(path, pieces())));
  return { name, ids, oldest: first, newest, next: span.before };
}

/**
 * Deletes what a file has, in steps with pauses as long as they took, so that requests have half of
 * the database. An abort ends it after a step; the rest is archived again then.
 */
export async function deleteArchived(
  { retention }: Pick<Storage, 'retention'>,
  kind: RetainedKind,
  { ids, oldest, newest }: ArchiveWritten,
  signal?: AbortSignal,
): Promise<void> {
  for (let start = 0; start < ids.length && signal?.aborted !== true; start += deletedAtOnce) {
    const begun = performance.now();
    await retention.delete(kind, ids.slice(start, start + deletedAtOnce), { oldest, newest });
    await pauseSince(begun);
  }
}

/** As long as the work took that began at this time of `performance.now`. */
export const pauseSince = (begun: number): Promise<void> =>
  sleep(Math.max(shortestPause, performance.now() - begun));

function nextMonth(time: number): number {
  const date = new Date(time * 1000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / 1000;
}

/** `2026-11-20T193005Z` */
const timeText = (time: number): string =>
  `${new Date(time * 1000).toISOString().slice(0, 19).replaceAll(':', '')}Z`;
