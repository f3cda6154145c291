/** Makes the daily sums of log rows (docs/rules/usage-logs.md#daily-sums). */
import { type Kysely, sql } from 'kysely';
import { addQuota } from '../../kernel/quota.ts';
import { logTypes } from '../../vocabulary/log-types.ts';
import type { Database } from '../schema.ts';
import { type Access, inPieces } from './access.ts';
import { cappedSum } from './capped-sum.ts';
import {
  allByDay,
  daySeconds,
  dimensions,
  forgetDays,
  startOfDay,
  summedDays,
} from './log-sums.ts';

const hourSeconds = 3600;
/** Seconds after the end of a day before it is summed: charges may wait for the database. */
const settlingTime = 600;
/** Days that are counted again in every run. */
const checkedDays = 3;
/** With so many columns, engines can bind a thousand rows. */
const rowsPerInsert = 500;

/**
 * Sums days that are over, oldest first, until `signal` aborts; resolves with their number. The
 * newest summed days are counted again, and those to which a late row was added are summed anew.
 * One process at a time. `now` in Unix seconds.
 */
export async function sumDays(
  { read, write }: Access,
  now: number,
  signal?: AbortSignal,
): Promise<number> {
  const last = startOfDay(now - settlingTime) - daySeconds;
  await recount({ read, write }, last);
  const known = new Set(await summedDays(read, {}));
  const first = await nextDayWithRows(read, 0);
  await dropOldSums({ read, write }, Math.min(first ?? last, last));
  let summed = 0;
  let day = first;
  while (day !== undefined && day <= last && signal?.aborted !== true) {
    if (!known.has(day)) {
      await sumDay({ read, write }, day);
      summed += 1;
    }
    const next = day + daySeconds;
    // Most days follow each other, so the gap is only looked for where there is one.
    day = known.has(next) ? next : await nextDayWithRows(read, next);
  }
  return summed;
}

/** Sums of days whose rows were deleted: one day at a time, as they may be many. */
async function dropOldSums({ read, write }: Databases, before: number): Promise<void> {
  for (;;) {
    const oldest = await read
      .selectFrom('log_sums')
      .select('day')
      .orderBy('day')
      .limit(1)
      .executeTakeFirst();
    if (oldest === undefined || oldest.day >= before) return;
    await dropDay(write, oldest.day);
  }
}

async function nextDayWithRows(read: Kysely<Database>, from: number): Promise<number | undefined> {
  const row = await read
    .selectFrom('logs')
    .select('created_at')
    .where('created_at', '>=', from)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? undefined : startOfDay(row.created_at);
}

type Databases = Pick<Access, 'read' | 'write'>;

async function recount({ read, write }: Databases, last: number): Promise<void> {
  const first = last - (checkedDays - 1) * daySeconds;
  // Days after the last are not over: they were summed while the clock was ahead.
  const days = await allByDay(read, { oldest: first, newest: Number.MAX_SAFE_INTEGER });
  for (const { day, rows } of days) await forgetUnlessCount({ read, write }, day, rows);
}

async function forgetUnlessCount(
  { read, write }: Databases,
  day: number,
  rows: number,
): Promise<void> {
  const { count } = await read
    .selectFrom('logs')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('created_at', '>=', day)
    .where('created_at', '<', day + daySeconds)
    .executeTakeFirstOrThrow();
  if (count !== rows) await forgetDays(write, { from: day, to: day });
}

type Cell = Record<'user_id' | 'type' | 'token_id' | 'channel_id', number> &
  Record<'username' | 'model_name' | 'token_name' | 'group', string> & {
    row_count: number;
    quota: number;
  };

/** An hour is read at a time and little is written at a time, so that nothing else waits long. */
async function sumDay({ read, write }: Databases, day: number): Promise<void> {
  const cells = new Map<string, Cell>();
  for (let hour = day; hour < day + daySeconds; hour += hourSeconds) {
    for (const cell of await cellsOfHour(read, hour)) {
      const key = JSON.stringify(dimensions.map((name) => cell[name]));
      const sum = cells.get(key);
      if (sum === undefined) cells.set(key, cell);
      else {
        sum.row_count += cell.row_count;
        sum.quota = addQuota(sum.quota, cell.quota);
      }
    }
  }
  // Sums count only once their day is listed, so an interrupted run leaves nothing wrong behind.
  await dropDay(write, day);
  for (const piece of inPieces([...cells.values()], rowsPerInsert)) {
    await write
      .insertInto('log_sums')
      .values(piece.map((cell) => ({ day, ...cell })))
      .execute();
  }
  const site = withoutUsers([...cells.values()]);
  for (const piece of inPieces(site, rowsPerInsert)) {
    await write
      .insertInto('log_site_sums')
      .values(piece.map((cell) => ({ day, ...cell })))
      .execute();
  }
  let rows = 0;
  let quota = 0;
  for (const cell of site) {
    rows += cell.row_count;
    if (cell.type === logTypes.consume) quota = addQuota(quota, cell.quota);
  }
  await write.insertInto('log_days').values({ day, row_count: rows, quota }).execute();
  await forgetUnlessCount({ read, write }, day, rows);
}

type SiteCell = Omit<Cell, 'user_id' | 'username' | 'token_name' | 'token_id'>;

function withoutUsers(cells: readonly Cell[]): readonly SiteCell[] {
  const sums = new Map<string, SiteCell>();
  for (const { type, model_name, channel_id, group, row_count, quota } of cells) {
    const key = JSON.stringify([type, model_name, channel_id, group]);
    const sum = sums.get(key) ?? { type, model_name, channel_id, group, row_count: 0, quota: 0 };
    sums.set(key, {
      ...sum,
      row_count: sum.row_count + row_count,
      quota: addQuota(sum.quota, quota),
    });
  }
  return [...sums.values()];
}

async function dropDay(write: Kysely<Database>, day: number): Promise<void> {
  await write.deleteFrom('log_sums').where('day', '=', day).execute();
  await write.deleteFrom('log_site_sums').where('day', '=', day).execute();
}

async function cellsOfHour(read: Kysely<Database>, hour: number): Promise<readonly Cell[]> {
  return read
    .selectFrom('logs')
    .select((select) => [
      ...dimensions,
      select.fn.countAll<number>().as('row_count'),
      cappedSum(sql`coalesce(sum(${cappedSum(select.ref('quota'))}), 0)`).as('quota'),
    ])
    .where('created_at', '>=', hour)
    .where('created_at', '<', hour + hourSeconds)
    .groupBy(dimensions)
    .execute();
}
