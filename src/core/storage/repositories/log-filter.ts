import { type Expression, type ExpressionBuilder, type Kysely, type SqlBool, sql } from 'kysely';
import type { LogFilter } from '../entities/log.ts';
import { escapeLike } from '../like.ts';
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
  const span = spanOfRequest(filter.requestId ?? '');
  return { ...filter, from: filter.from ?? span.from, to: filter.to ?? span.to };
}

/**
 * `logs` has an index on user ids but not on names, so the name of an existing user is narrowed to
 * that user's rows. Rows keep the name at the time of writing, so a former name that no user has
 * now is searched in all rows.
 */
async function resolveUser(read: Kysely<Database>, filter: LogFilter): Promise<LogFilter> {
  if (filter.userId !== undefined || filter.username === undefined || filter.username === '')
    return filter;
  const bearer = await read
    .selectFrom('users')
    .select('id')
    .where('username_normalized', '=', filter.username.toLowerCase())
    .executeTakeFirst();
  return bearer === undefined ? filter : { ...filter, userId: bearer.id };
}

/** The filter as conditions (docs/rules/usage-logs.md#log-search). Empty values do not filter. */
export function logConditions(where: Logs, filter: LogFilter): Expression<SqlBool> {
  const conditions: Expression<SqlBool>[] = [];
  const exact = (column: 'username' | 'token_name' | 'group' | 'request_id', value = '') => {
    if (value !== '') conditions.push(where(column, '=', value));
  };
  if (filter.userId !== undefined) conditions.push(where('user_id', '=', filter.userId));
  if (filter.userIds !== undefined) conditions.push(where('user_id', 'in', filter.userIds));
  if (filter.from !== undefined) conditions.push(where('created_at', '>=', filter.from));
  if (filter.to !== undefined) conditions.push(where('created_at', '<=', filter.to));
  if (filter.type) conditions.push(where('type', '=', filter.type));
  if (filter.channelId) conditions.push(where('channel_id', '=', filter.channelId));
  if (filter.tokenId) conditions.push(where('token_id', '=', filter.tokenId));
  exact('username', filter.username);
  exact('token_name', filter.tokenName);
  exact('group', filter.group);
  exact('request_id', filter.requestId);
  if (filter.modelName) conditions.push(modelCondition(where, filter.modelName));
  return where.and(conditions);
}

/** Exact; a `%` at the start or end matches any text, other wildcards are literal. */
function modelCondition(where: Logs, pattern: string): Expression<SqlBool> {
  const [, before = '', literal = '', after = ''] = /^(%?)(.*?)(%?)$/s.exec(pattern) ?? [];
  if (before === '' && after === '') return where('model_name', '=', pattern);
  // The engines' own lower() is faster and handles ASCII, which is enough for model names.
  const like = `${before}${escapeLike(literal.toLowerCase())}${after}`;
  return sql<SqlBool>`lower(${where.ref('model_name')}) like ${like} escape '\\'`;
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
