import { sql } from 'kysely';
import type { LedgerKind } from '../../vocabulary/ledger-kinds.ts';
import type { StatementProgress, StatementRepository, StatementSum } from '../entities/statement.ts';
import { type Access, inPieces } from './access.ts';
import { cappedSum } from './capped-sum.ts';
import { postingMapping } from './ledger-repository.ts';
import { verifyStatements } from './verify-statements.ts';

const nothing: StatementProgress = { lastId: 0, balance: 0, month: 0 };

export function createStatementRepository({ read, atomically }: Access): StatementRepository {
  const postings = () => read.selectFrom('ledger');
  return {
    async progress(userId) {
      const row = await read.selectFrom('statement_progress').selectAll().where('user_id', '=', userId).executeTakeFirst();
      return row === undefined ? nothing : { lastId: row.last_id, balance: row.balance, month: row.month };
    },
    advance: (userId, from, to, sums = [], months = []) =>
      atomically(async (database) => {
        const row = { last_id: to.lastId, balance: to.balance, month: to.month };
        const { numUpdatedRows } = await database
          .updateTable('statement_progress')
          .set(row)
          .where('user_id', '=', userId)
          .where('last_id', '=', from.lastId)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) {
          const { numInsertedOrUpdatedRows } = await database
            .insertInto('statement_progress')
            .values({ user_id: userId, ...row })
            .onConflict((conflict) => conflict.column('user_id').doNothing())
            .executeTakeFirst();
          if (numInsertedOrUpdatedRows !== 1n) return false;
        }
        for (const piece of inPieces(sums)) {
          await database
            .insertInto('statement_sums')
            .values(
              piece.map(({ month, day, kind, count, amount }) => ({
                user_id: userId,
                month,
                day,
                kind,
                row_count: count,
                amount,
              })),
            )
            .onConflict((conflict) =>
              conflict.columns(['user_id', 'month', 'day', 'kind']).doUpdateSet((set) => ({
                row_count: sql<number>`${set.ref('statement_sums.row_count')} + ${set.ref('excluded.row_count')}`,
                amount: cappedSum(sql`${set.ref('statement_sums.amount')} + ${set.ref('excluded.amount')}`),
              })),
            )
            .execute();
        }
        if (months.length > 0) {
          await database
            .insertInto('statement_months')
            .values(months.map(({ month, lastId, closing }) => ({ user_id: userId, month, last_id: lastId, closing })))
            .onConflict((conflict) =>
              conflict
                .columns(['user_id', 'month'])
                .doUpdateSet((set) => ({ last_id: set.ref('excluded.last_id'), closing: set.ref('excluded.closing') })),
            )
            .execute();
        }
        return true;
      }),
    async postingsAfter(userId, id, limit) {
      const rows = await postings()
        .selectAll()
        .where('user_id', '=', userId)
        .where('id', '>', id)
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(postingMapping.read);
    },
    async months(userId) {
      const rows = await read.selectFrom('statement_months').selectAll().where('user_id', '=', userId).orderBy('month').execute();
      return rows.map(({ month, last_id, closing }) => ({ month, lastId: last_id, closing }));
    },
    async sums(userId, month) {
      const rows = await read
        .selectFrom('statement_sums')
        .selectAll()
        .where('user_id', '=', userId)
        .where('month', '=', month)
        .orderBy('day')
        .orderBy('kind')
        .execute();
      return rows.map(
        ({ month, day, kind, row_count, amount }): StatementSum => ({
          month,
          day,
          kind: kind as LedgerKind,
          count: row_count,
          amount,
        }),
      );
    },
    async movements(userId, { after, upTo, kind }, { offset, limit }) {
      let query = postings()
        .where('user_id', '=', userId)
        // A literal, because with a parameter the planners do not use the partial index.
        .where('kind', '!=', sql.lit('charge'))
        .where('id', '>', after)
        .where('id', '<=', upTo);
      if (kind !== undefined) query = query.where('kind', '=', kind);
      const rows = await query.selectAll().orderBy('id').limit(limit).offset(offset).execute();
      const { total } = await query.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
      return { items: rows.map(postingMapping.read), total };
    },
    async usersBetween(after, upTo) {
      const rows = await postings().select('user_id').distinct().where('id', '>', after).where('id', '<=', upTo).execute();
      return rows.map(({ user_id }) => user_id);
    },
    verify: () => verifyStatements(read),
    async newestPosting() {
      const row = await postings().select('id').orderBy('id', 'desc').limit(1).executeTakeFirst();
      return row?.id ?? 0;
    },
  };
}
