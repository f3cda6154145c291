/** What logs are read for besides lists: sums of charges by token, and the rows of postings. */
import { type Kysely, type Selectable, sql } from 'kysely';
import { toQuota } from '../../kernel/quota.ts';
import { logTypes } from '../../vocabulary/log-types.ts';
import type { ActivitySum, LogFilter, LogRepository, UsageLog } from '../entities/log.ts';
import type { Database } from '../schema.ts';
import { inPieces } from './access.ts';
import { cappedSum } from './capped-sum.ts';
import { logConditions, narrow } from './log-filter.ts';

/** See {@link LogRepository.activity}. */
export async function sumActivity(
  read: Kysely<Database>,
  filter: LogFilter,
): Promise<readonly ActivitySum[]> {
  const resolved = { ...(await narrow(read, filter)), type: logTypes.consume };
  const figure = (column: string) => cappedSum(sql`sum(${cappedSum(sql.ref(column))})`);
  const rows = await read
    .selectFrom('logs')
    .where((where) => logConditions(where, resolved))
    .select((select) => [
      'user_id as userId',
      'username',
      'token_id as tokenId',
      'token_name as tokenName',
      'model_name as modelName',
      select.fn.countAll<number>().as('count'),
      figure('prompt_tokens').as('promptTokens'),
      figure('completion_tokens').as('completionTokens'),
      figure('quota').as('quota'),
    ])
    .groupBy(['user_id', 'username', 'token_id', 'token_name', 'model_name'])
    .orderBy('quota', 'desc')
    .orderBy('user_id')
    .orderBy('token_id')
    .orderBy('token_name')
    .orderBy('model_name')
    .execute();
  return rows.map((row) => ({ ...row, quota: toQuota(row.quota) }));
}

/** See {@link LogRepository.firstCharge}: the beginning of an index. */
export async function firstCharge(
  read: Kysely<Database>,
  filter: LogFilter,
): Promise<number | undefined> {
  const resolved = { ...(await narrow(read, filter)), type: logTypes.consume };
  const row = await read
    .selectFrom('logs')
    .where((where) => logConditions(where, resolved))
    .select('created_at')
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst();
  return row?.created_at;
}

/** See {@link LogRepository.ofPostings}. */
export async function rowsOfPostings(
  read: Kysely<Database>,
  toLog: (row: LogRow) => UsageLog,
  postings: Parameters<LogRepository['ofPostings']>[0],
): Promise<readonly UsageLog[]> {
  const found: UsageLog[] = [];
  for (const piece of inPieces(postings)) {
    const ids = piece.map(({ id }) => id);
    const rows = await read
      .selectFrom('logs')
      .selectAll()
      .where('user_id', 'in', [...new Set(piece.map(({ userId }) => userId))])
      .where('created_at', 'in', [...new Set(piece.map(({ createdAt }) => createdAt))])
      .where('ledger_id', 'in', ids)
      .execute();
    found.push(...rows.map(toLog));
  }
  return found;
}
type LogRow = Selectable<Database['logs']>;
