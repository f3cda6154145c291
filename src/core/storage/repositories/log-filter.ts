import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import { logFilters } from '../../entities/log-filters.ts';
import type { LogFilter } from '../entities/log.ts';
import { filterConditions } from '../filter-conditions.ts';
import type { Database } from '../schema.ts';

type Logs = ExpressionBuilder<Database, 'logs'>;

/**
 * The same filter with conditions that an index serves: the id of a user, the time of a request.
 */
export async function narrow(read: Kysely<Database>, filter: LogFilter): Promise<LogFilter> {
  return resolveUser(read, narrowToRequest(filter));
}

/** There is no index on request ids, but an id contains its time. A range that is given counts. */
function narrowToRequest(filter: LogFilter): LogFilter {
  const span = spanOfRequest(filter.request ?? '');
  return { ...filter, from: filter.from ?? span.from, to: filter.to ?? span.to };
}

/**
 * `logs` has an index on user ids but not on names, so the name of an existing user is narrowed to
 * that user's rows. Rows keep the name at the time of writing, so a former name that no user has
 * now is searched in all rows.
 */
async function resolveUser(read: Kysely<Database>, filter: LogFilter): Promise<LogFilter> {
  if (filter.userId !== undefined || !filter.user) return filter;
  const bearer = await read
    .selectFrom('users')
    .select('id')
    .where('username_normalized', '=', filter.user.toLowerCase())
    .executeTakeFirst();
  return bearer === undefined ? filter : { ...filter, userId: bearer.id };
}

/** The filter as conditions (docs/rules/usage-logs.md#log-search). */
export function logConditions(where: Logs, filter: LogFilter): Expression<SqlBool> {
  const conditions = [...filterConditions(logFilters, filter)];
  if (filter.userId !== undefined) conditions.push(where('user_id', '=', filter.userId));
  if (filter.userIds !== undefined) conditions.push(where('user_id', 'in', filter.userIds));
  if (filter.tokenId !== undefined) conditions.push(where('token_id', '=', filter.tokenId));
  if (filter.tag) conditions.push(hasTag(filter.tag));
  return where.and(conditions);
}

/** One of the tags of a row, exact: on some engines LIKE is not. */
export function hasTag(tag: string): Expression<SqlBool> {
  const among = sql<string>`',' || tags || ','`;
  return sql<SqlBool>`tags <> '' and replace(${among}, ${`,${tag},`}, '') <> ${among}`;
}

/**
 * Tolerance in seconds between the start of a request, which its id contains, and the time of its
 * row.
 */
const slack = { before: 3600, after: 2 * 86_400 };

/** The time span of a request's rows, from its id `yyyyMMddHHmmss…` (kernel/request-id.ts). */
function spanOfRequest(requestId: string): { readonly from?: number; readonly to?: number } {
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)/.exec(requestId);
  if (parts === null) return {};
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1)
    .map(Number);
  const begun = Date.UTC(year, month - 1, day, hour, minute, second) / 1000;
  return { from: begun - slack.before, to: begun + slack.after };
}
