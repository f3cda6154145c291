import { sql } from 'kysely';
import { addQuota, zeroQuota } from '../../kernel/quota.ts';
import type { TimeRange } from '../entities/listing.ts';
import type { QuotaData, QuotaDataRepository } from '../entities/log.ts';
import { counter, defineMapping, integer, quota, text } from '../mapping.ts';
import { type Access, inPieces } from './access.ts';
import { cappedSum } from './capped-sum.ts';

const mapping = defineMapping<'quota_data', QuotaData>({
  id: integer('id'),
  userId: integer('user_id'),
  username: text('username'),
  modelName: text('model_name'),
  createdAt: integer('created_at'),
  tokenUsed: counter('token_used'),
  count: counter('count'),
  quota: quota('quota'),
});

const key = ['user_id', 'username', 'model_name', 'created_at'] as const;
const counters = ['token_used', 'count', 'quota'] as const;

/** Merges rows of the same key, because a statement may change a row only once. */
function merge(rows: readonly Omit<QuotaData, 'id'>[]): readonly Omit<QuotaData, 'id'>[] {
  const sums = new Map<string, Omit<QuotaData, 'id'>>();
  for (const row of rows) {
    const name = JSON.stringify([row.userId, row.username, row.modelName, row.createdAt]);
    const sum = sums.get(name) ?? { ...row, tokenUsed: 0, count: 0, quota: zeroQuota };
    sums.set(name, {
      ...sum,
      tokenUsed: sum.tokenUsed + row.tokenUsed,
      count: sum.count + row.count,
      quota: addQuota(sum.quota, row.quota),
    });
  }
  return [...sums.values()];
}

export function createQuotaDataRepository({ read, atomically }: Access): QuotaDataRepository {
  const within = ({ from, to }: TimeRange) => {
    let query = read.selectFrom('quota_data');
    if (from !== undefined) query = query.where('created_at', '>=', from);
    if (to !== undefined) query = query.where('created_at', '<=', to);
    return query;
  };
  return {
    add: (rows) =>
      atomically(async (database) => {
        for (const piece of inPieces(merge(rows))) {
          await database
            .insertInto('quota_data')
            .values(piece.map((row) => mapping.write(row)))
            .onConflict((conflict) =>
              conflict
                .columns(key)
                .doUpdateSet((set) =>
                  Object.fromEntries(
                    counters.map((column) => [
                      column,
                      cappedSum(sql`${set.ref(`quota_data.${column}`)} + ${set.ref(`excluded.${column}`)}`),
                    ]),
                  ),
                ),
            )
            .execute();
        }
      }),
    async list({ userId, username = '', ...range }) {
      let query = within(range);
      if (userId !== undefined) query = query.where('user_id', '=', userId);
      if (username !== '') query = query.where('username', '=', username);
      return (await query.selectAll().orderBy('created_at').orderBy('id').execute()).map(mapping.read);
    },
    async listSums(range) {
      const rows = await within(range)
        .select((select) => [
          'model_name',
          'created_at',
          ...counters.map((column) => cappedSum(sql`sum(${cappedSum(sql`${select.ref(column)}`)})`).as(column)),
        ])
        .groupBy(['model_name', 'created_at'])
        .orderBy('created_at')
        .orderBy('model_name')
        .execute();
      return rows.map((row) => mapping.read({ id: 0, user_id: 0, username: '', ...row }));
    },
  };
}
