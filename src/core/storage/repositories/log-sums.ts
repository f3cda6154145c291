/**
 * Daily sums of log rows (docs/rules/usage-logs.md#daily-sums). A day is summed once it is over;
 * what is not summed is read from the rows, so the figures are exact at all times.
 */
import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import type { Filter, FilterValues } from '../../entities/filters.ts';
import { logFilters } from '../../entities/log-filters.ts';
import { addQuota } from '../../kernel/quota.ts';
import { logTypes } from '../../vocabulary/log-types.ts';
import type { LogFilter } from '../entities/log.ts';
import type { Database } from '../schema.ts';
import { type Access, inPieces } from './access.ts';
import { cappedSum } from './capped-sum.ts';
import { logConditions } from './log-filter.ts';

const daySeconds = 86_400;
const hourSeconds = 3600;
/** Seconds after the end of a day before it is summed: charges may wait for the database. */
const settlingTime = 600;
/** Days that are counted again in every run. */
const checkedDays = 3;

/** A stretch of time, both ends inclusive, Unix seconds. */
export interface Segment {
  readonly from: number;
  readonly to: number;
  /** Rows that match the filter, of a summed day; undefined: the rows must be counted. */
  readonly rows: number | undefined;
  /** Σ quota of the matching rows of type 2, of a summed day. */
  readonly quota: number;
}

const dimensions = [
  'user_id',
  'username',
  'type',
  'model_name',
  'token_name',
  'token_id',
  'channel_id',
  'group',
] as const;
/** Filters by columns that the sums do not have. */
const unsummed = Object.entries<Filter>(logFilters)
  .filter(([, filter]) => filter.kind !== 'time' && !isDimension(filter.column ?? filter.wire))
  .map(([name]) => name as keyof FilterValues<typeof logFilters>);

function isDimension(column: string): boolean {
  return dimensions.some((name) => name === column);
}
/** With so many columns, engines can bind a thousand rows. */
const rowsPerInsert = 500;

const startOfDay = (time: number) => time - (time % daySeconds);

/** The whole summed days of a range, newest first. */
async function summedDays(
  read: Kysely<Database>,
  { from = 0, to }: LogFilter,
): Promise<readonly number[]> {
  let query = read.selectFrom('log_days').select('day').where('day', '>=', from);
  if (to !== undefined) query = query.where('day', '<=', to - daySeconds + 1);
  return (await query.orderBy('day', 'desc').execute()).map(({ day }) => day);
}

interface DaySum {
  readonly rows: number;
  readonly quota: number;
}

async function sumsByDay(
  read: Kysely<Database>,
  filter: LogFilter,
  days: readonly number[],
): Promise<Map<number, DaySum>> {
  const [newest = 0] = days;
  const oldest = days.at(-1) ?? 0;
  const { from: _, to: __, ...conditions } = filter;
  const isFiltered = Object.values(conditions).some(
    (value) => value !== undefined && value !== '' && value !== 0,
  );
  const range = { oldest, newest };
  const rows = isFiltered ? await cellsByDay(read, conditions, range) : await allByDay(read, range);
  return new Map(rows.map(({ day, rows, quota }) => [day, { rows, quota }]));
}

type DayRange = { readonly oldest: number; readonly newest: number };

function allByDay(read: Kysely<Database>, { oldest, newest }: DayRange) {
  return read
    .selectFrom('log_days')
    .select(['day', 'row_count as rows', 'quota'])
    .where('day', '>=', oldest)
    .where('day', '<=', newest)
    .execute();
}

function cellsByDay(read: Kysely<Database>, filter: LogFilter, { oldest, newest }: DayRange) {
  const { userId, userIds, user, token, tokenId } = filter;
  const isPersonal =
    userId !== undefined || userIds !== undefined || Boolean(user || token || tokenId);
  return (
    read
      .selectFrom(isPersonal ? 'log_sums' : ('log_site_sums' as 'log_sums'))
      .select((select) => [
        'day',
        sql<number>`cast(sum(${select.ref('row_count')}) as bigint)`.as('rows'),
        cappedSum(
          sql`coalesce(sum(case when type = ${sql.lit(logTypes.consume)} then quota end), 0)`,
        ).as('quota'),
      ])
      .where('day', '>=', oldest)
      .where('day', '<=', newest)
      // The columns of a filter have the same names in both tables.
      .where((where) =>
        logConditions(where as unknown as ExpressionBuilder<Database, 'logs'>, filter),
      )
      .groupBy('day')
      .execute()
  );
}

/** The time range of a filter, newest first: its summed days, and what lies between them. */
export async function segmentsOf(
  read: Kysely<Database>,
  filter: LogFilter,
): Promise<readonly Segment[]> {
  const { from = 0, to = Number.MAX_SAFE_INTEGER } = filter;
  const days = unsummed.some((name) => filter[name]) ? [] : await summedDays(read, filter);
  const sums = days.length === 0 ? new Map<number, DaySum>() : await sumsByDay(read, filter, days);
  const segments: Segment[] = [];
  let end = to;
  for (const day of days) {
    const next = day + daySeconds;
    if (next <= end) segments.push({ from: next, to: end, rows: undefined, quota: 0 });
    const { rows, quota } = sums.get(day) ?? { rows: 0, quota: 0 };
    segments.push({ from: day, to: next - 1, rows, quota });
    end = day - 1;
  }
  if (end >= from) segments.push({ from, to: end, rows: undefined, quota: 0 });
  return segments;
}

/** A day with fewer matching rows is searched through the users who have them. */
const fewRows = 100;

/**
 * The filter of a summed day, narrowed to the users who have rows of the model: a rare model is
 * found by their index instead of a search through all rows of the day.
 */
export async function narrowDay(
  read: Kysely<Database>,
  filter: LogFilter,
  rows: number,
): Promise<LogFilter> {
  const { model = '', userId, from = 0 } = filter;
  if (rows > fewRows || userId !== undefined || model === '' || model.includes('%')) return filter;
  const users = await read
    .selectFrom('log_sums')
    .select('user_id')
    .distinct()
    .where('day', '=', from)
    .where('model_name', '=', model)
    .execute();
  return { ...filter, userIds: users.map(({ user_id }) => user_id) };
}

/**
 * Forgets the sums of the days that a change of rows touches, before the rows change. A day that is
 * being summed is not listed yet, so whoever deletes rows forgets their days afterwards too; {@link
 * sumDay} counts again once it has listed a day.
 */
export async function forgetDays(
  write: Kysely<Database>,
  range: { readonly from: number; readonly to: number },
): Promise<void> {
  await write
    .deleteFrom('log_days')
    .where('day', '>=', startOfDay(range.from))
    .where('day', '<=', range.to)
    .execute();
}

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
