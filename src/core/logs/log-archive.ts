/** Usage logs to files and back, by hand (docs/rules/maintenance.md#archives). */
import type { Audit } from '../audit/audit-log.ts';
import { isText } from '../entities/convert.ts';
import type { Field } from '../entities/field.ts';
import { logFields } from '../entities/log.ts';
import type { Actor } from '../kernel/actor.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import { isObject, parseJson } from '../kernel/json.ts';
import type { OptionStore } from '../site/option-store.ts';
import { storableText } from '../storage/storable-text.ts';
import type { ArchivedLog } from '../storage/storage.ts';
import { logTypes } from '../vocabulary/log-types.ts';
import { linesOf } from './archive-file.ts';
import {
  type ArchiveDeps,
  archiveOldest,
  atPlace,
  deleteArchived,
  pauseSince,
} from './archive-logs.ts';

/** A line of an archive as a row of usage logs. */
const columns = Object.entries<Field>(logFields).filter(([, { stored }]) => stored !== false);
const names = new Set(columns.map(([name]) => name));

/**
 * Columns that an earlier version did not have yet get their defaults. Throws AppError
 * archive_foreign: it is the row of another table, or of a newer version.
 */
function readArchivedRow(text: string, file: string, line: number): ArchivedLog {
  const row = parseJson(text);
  const foreign = () => new AppError('archive_foreign', { file, line });
  if (!isObject(row) || Object.keys(row).some((name) => !names.has(name))) throw foreign();
  const values = columns.map(([name, field]) => {
    const value = columnValue(field, row[name]);
    if (value === undefined) throw foreign();
    return [name, value] as const;
  });
  const { id, created_at: time, ...others } = Object.fromEntries(values);
  if (typeof id !== 'number' || typeof time !== 'number' || id < 1 || time < 0) throw foreign();
  return { ...others, id, created_at: time };
}

/** Undefined: not what the column holds. */
function columnValue(field: Field, given: unknown): string | number | null | undefined {
  if (given === null) return field.nullable === true ? null : undefined;
  if (isText(field.kind)) {
    if (given === undefined) return String(field.default);
    return typeof given === 'string' ? storableText(given) : undefined;
  }
  if (given === undefined && !field.generated) {
    return field.nullable === true ? null : Number(field.default);
  }
  return Number.isSafeInteger(given) ? Number(given) : undefined;
}

export interface LogArchiveDeps extends ArchiveDeps {
  readonly options: Pick<OptionStore, 'get'>;
  readonly audit: Audit;
  readonly clock: Clock;
}

export interface ArchiveOrder {
  readonly place: string;
  /** In Unix seconds; without this end. */
  readonly before: number;
  /** Where the file before it ended; 0: with the oldest row. */
  readonly from: number;
  /** The rows stay in the database. */
  readonly keep: boolean;
}

export interface RestoreOrder {
  readonly place: string;
  readonly name: string;
  /** Lines that were restored by the calls before. */
  readonly skip: number;
}

export interface RestoreStep {
  readonly restored: number;
  /** Rows that were there already. */
  readonly present: number;
  /** Rows that the options about retention delete again. */
  readonly expired: number;
  /** Lines to skip in the next call; null: this was the end. */
  readonly next: number | null;
}

/** The calls do a part of the work each, so that none takes long: they are made again and again. */
export interface LogArchive {
  /**
   * The next file; null: there are no more rows. Throws AppError target_time_required,
   * target_time_future and archive_place.
   */
  archive(
    actor: Actor,
    order: ArchiveOrder,
  ): Promise<{ readonly name: string; readonly rows: number; readonly next: number } | null>;
  /** The archives of usage logs in a place, the oldest rows first. Throws AppError archive_place. */
  list(place: string): Promise<readonly { readonly name: string; readonly bytes: number }[]>;
  /** Throws AppError archive_place, archive_damaged and archive_foreign. */
  restore(actor: Actor, order: RestoreOrder): Promise<RestoreStep>;
}

const day = 86_400;
/** Rows that are compared and written together, of whole seconds; the most of one second. */
const groupSize = 500;
const largestGroup = 10_000;
/** What one call restores: lines, and ms. */
const mostLines = 50_000;
const longest = 10_000;

const kinds = ['logs', 'usage', 'errors'];
const fileName = new RegExp(`^(?:${kinds.join('|')})-(\\d{4}-\\d\\d.*)\\.jsonl\\.gz$`);
const timeOf = (name: string): string => fileName.exec(name)?.[1] ?? '';

/** Whether a group is complete with this row after it: seconds are not divided. */
const isWhole = (group: readonly ArchivedLog[], next: ArchivedLog): boolean =>
  group.length >= largestGroup ||
  (group.length >= groupSize && group.at(-1)?.created_at !== next.created_at);

export function createLogArchive(deps: LogArchiveDeps): LogArchive {
  const { storage, options, audit, clock, openPlace } = deps;
  /** One piece at a time: two that compare the same rows would both write them. */
  let restoring: Promise<unknown> = Promise.resolve();

  const write = async (rows: readonly ArchivedLog[]): Promise<number> => {
    const begun = performance.now();
    const written = restoring.then(() => storage.retention.restoreLogs(rows));
    restoring = written.catch(() => {}); // its caller gets the error
    const count = await written;
    await pauseSince(begun);
    return count;
  };
  /** The time before which rows of a type are deleted. */
  const deletedBefore = (type: unknown): number => {
    const days = options.get(type === logTypes.error ? 'ErrorLogDays' : 'UsageLogDays');
    return days === 0 ? 0 : nowSeconds(clock) - days * day;
  };

  const restorePart = async (
    { place, name, skip }: RestoreOrder,
    done: { restored: number; expired: number },
  ): Promise<RestoreStep> => {
    const begun = performance.now();
    let line = 0;
    let next: number | null = null;
    let group: ArchivedLog[] = [];
    const flush = async (): Promise<void> => {
      done.restored += await write(group);
      group = [];
    };
    for await (const text of linesOf(await openPlace(place).open(name), name)) {
      line += 1;
      if (line <= skip) continue;
      const row = readArchivedRow(text, name, line);
      if (isWhole(group, row)) {
        await flush();
        if (line - skip > mostLines || performance.now() - begun > longest) {
          next = line - 1;
          break;
        }
      }
      if (row.created_at < deletedBefore(row['type'])) done.expired += 1;
      group.push(row);
    }
    await flush();
    const read = (next ?? line) - Math.min(skip, line);
    return { ...done, present: read - done.restored, next };
  };

  return {
    async archive(actor, { place, before, from, keep }) {
      if (before <= 0) throw new AppError('target_time_required');
      if (before > nowSeconds(clock)) throw new AppError('target_time_future');
      const written = await archiveOldest(deps, 'logs', { from, before }, place);
      if (written === undefined) return null;
      const { name, ids, next } = written;
      if (!keep) await deleteArchived(storage, 'logs', written);
      await audit.record(actor, 'log.archive', name, { count: ids.length, place, kept: keep });
      return { name, rows: ids.length, next };
    },
    list: (place) =>
      atPlace(async () => {
        const store = openPlace(place);
        const found = await Promise.all(kinds.map((kind) => store.list(`${kind}-`)));
        const files = found.flat().filter(({ name }) => fileName.test(name));
        return files.sort((a, b) => (timeOf(a.name) < timeOf(b.name) ? -1 : 1));
      }),
    restore: (actor, order) =>
      atPlace(async () => {
        const { place, name } = order;
        const done = { restored: 0, expired: 0 };
        try {
          return await restorePart(order, done);
        } finally {
          const { restored: count } = done;
          if (count > 0) await audit.record(actor, 'log.restore', name, { count, place });
        }
      }),
  };
}
