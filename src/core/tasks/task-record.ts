/** One row of `tasks` or of `midjourneys`, as the engine works on both. */
import type { TaskResult } from '../canonical/task-provider.ts';
import type { Guard } from '../storage/ledger/guards.ts';
import type { Midjourney, Storage, Task } from '../storage/storage.ts';
import type { TaskPlatform } from '../vocabulary/task-types.ts';
import { taskIdPrefix } from './task-id.ts';
import { readPrivate, type TaskPrivate, writePrivate } from './task-private.ts';

export type TaskRecord =
  | { readonly table: 'tasks'; readonly row: Task }
  | { readonly table: 'midjourneys'; readonly row: Midjourney };

/** What the engine knows of a row, whichever table it is in. Times in Unix milliseconds. */
export interface TaskFacts {
  readonly platform: TaskPlatform;
  readonly status: string;
  readonly progress: string;
  readonly isFinished: boolean;
  readonly submittedAt: number;
  /** '' where its submit has not ended. */
  readonly upstreamId: string;
  /** How people know it: the public id, for a drawing the upstream's. */
  readonly name: string;
  readonly private: TaskPrivate;
  /** Of the refund; unique. */
  readonly reference: string;
}

export const finishedProgress = '100%';

export function factsOf({ table, row }: TaskRecord): TaskFacts {
  const { status, progress } = row;
  const known = readPrivate(row.privateData);
  const shared = { status, progress, isFinished: progress === finishedProgress, private: known };
  return table === 'tasks'
    ? {
        ...shared,
        platform: row.platform as TaskPlatform,
        submittedAt: (row.submitTime || row.createdAt) * 1000,
        // Rows of older panels have the upstream's id in place of a public one.
        upstreamId:
          known.upstream_task_id ??
          (status === 'NOT_START' || row.taskId.startsWith(taskIdPrefix) ? '' : row.taskId),
        name: row.taskId,
        reference: `task:${row.id}`,
      }
    : {
        ...shared,
        platform: 'midjourney',
        submittedAt: row.submitTime,
        upstreamId: row.mjId,
        name: row.mjId === '' ? `#${row.id}` : row.mjId,
        reference: `drawing:${row.id}`,
      };
}

/**
 * A change of a row in the terms of both tables. Times in Unix milliseconds; what is absent stays.
 */
export interface TaskChange extends Omit<TaskResult, 'progress' | 'resultUrl'> {
  readonly progress?: string;
  readonly failReason?: string;
  readonly submitTime?: number;
  readonly quota?: number;
  readonly channelId?: number;
  readonly upstreamId?: string;
  readonly properties?: string;
  readonly private?: TaskPrivate;
  readonly action?: string;
}

type Columns = Record<string, string | number | undefined>;

const secondsOf = (milliseconds: number | undefined): number | undefined =>
  milliseconds === undefined ? undefined : Math.floor(milliseconds / 1000);

/** The change as fields of the row, private data as text. */
function fieldsOf(record: TaskRecord, change: TaskChange, now: number): Columns {
  const { data, drawing, private: known, upstreamId, ...rest } = change;
  const merged =
    known === undefined ? undefined : { ...readPrivate(record.row.privateData), ...known };
  if (record.table === 'midjourneys') {
    return {
      ...rest,
      ...drawing,
      mjId: upstreamId,
      privateData: merged === undefined ? undefined : writePrivate(merged),
    };
  }
  const withId =
    upstreamId === undefined
      ? merged
      : { ...readPrivate(record.row.privateData), ...merged, upstream_task_id: upstreamId };
  return {
    ...rest,
    submitTime: secondsOf(rest.submitTime),
    startTime: secondsOf(rest.startTime),
    finishTime: secondsOf(rest.finishTime),
    updatedAt: secondsOf(now),
    data: data === undefined ? undefined : JSON.stringify(data),
    privateData: withId === undefined ? undefined : writePrivate(withId),
  };
}

type TaskStorage = Pick<Storage, 'tasks' | 'midjourneys'>;

const withoutAbsent = (columns: Columns): Columns =>
  Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));

/** Columns that the ledger does not write with money: they never change with it. */
const unguarded = new Set(['state']);

/**
 * The change as the ledger writes it together with money: only from the status that `record` was
 * read with.
 */
export function guardOf(
  storage: TaskStorage,
  record: TaskRecord,
  to: string,
  change: TaskChange,
  now: number,
): Guard {
  const { privateData, ...fields } = withoutAbsent(fieldsOf(record, change, now));
  const set = Object.fromEntries(
    Object.entries(fields)
      .filter(([field]) => !unguarded.has(field))
      .map(([field, value]) => [
        field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
        value,
      ]),
  );
  const { table, row } = record;
  const from = row.status;
  // What a window cost in addition must not be missed by a refund that was read before.
  const unchanged = { quota: row.quota };
  if (table === 'tasks') {
    const sealed =
      privateData === undefined
        ? {}
        : { private_data: storage.tasks.sealPrivateData(row.taskId, String(privateData)) };
    return { table, id: row.id, from, to, unchanged, set: { ...set, ...sealed } };
  }
  const sealed =
    privateData === undefined
      ? {}
      : { private_data: storage.midjourneys.sealPrivateData(row.userId, String(privateData)) };
  return { table, id: row.id, from, to, unchanged, set: { ...set, ...sealed } };
}

/** The change without money. False: the row has another status by now. */
export function updateRecord(
  storage: TaskStorage,
  record: TaskRecord,
  to: string,
  change: TaskChange,
  now: number,
): Promise<boolean> {
  const fields = { ...withoutAbsent(fieldsOf(record, change, now)), status: to };
  const { table, row } = record;
  return table === 'tasks'
    ? storage.tasks.update(row.id, row.status, fields)
    : storage.midjourneys.update(row.id, row.status, fields);
}

/** The row as it is now; null: it was removed. */
export async function reload(
  storage: TaskStorage,
  { table, row: { id } }: TaskRecord,
): Promise<TaskRecord | null> {
  if (table === 'tasks') {
    const row = await storage.tasks.find(id);
    return row === null ? null : { table, row };
  }
  const row = await storage.midjourneys.find(id);
  return row === null ? null : { table, row };
}
