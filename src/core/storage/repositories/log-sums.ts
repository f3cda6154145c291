/**
 * Daily sums of log rows (docs/rules/usage-logs.md#daily-sums). A day is summed once it is over;
 * what is not summed is read from the rows, so the figures are exact at all times.
 */
import { type ExpressionBuilder, type Kysely, sql } from 'kysely';
import type { Filter, FilterValues } from '../../entities/filters.ts';
import { logFilters } from '../../entities/log-filters.ts';
import { logTypes } from '../../vocabulary/log-types.ts';
import type { LogFilter } from '../entities/log.ts';
import type { Database } from '../schema.ts';
import { cappedSum } from './capped-sum.ts';
import { logConditions } from './log-filter.ts';

export const daySeconds = 86_400;

/** A stretch of time, both ends inclusive, Unix seconds. */
export interface Segment {
  readonly from: number;
  readonly to: number;
  /** Rows that match the filter, of a summed day; undefined: the rows must be counted. */
  readonly rows: number | undefined;
  /** Σ quota of the matching rows of type 2, of a summed day. */
  readonly quota: number;
}

export const dimensions = [
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

export const startOfDay = (time: number) => time - (time % daySeconds);

/** The whole summed days of a range, newest first. */
export async function summedDays(
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

export function allByDay(read: Kysely<Database>, { oldest, newest }: DayRange) {
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
 * being summed is not listed yet, so a deletion of rows forgets their days afterwards too; {@link
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
