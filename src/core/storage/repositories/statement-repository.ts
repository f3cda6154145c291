import { type Kysely, sql } from 'kysely';
import { clampQuota } from '../../kernel/quota.ts';
import type { LedgerKind } from '../../vocabulary/ledger-kinds.ts';
import type {
  StatementProgress,
  StatementRepository,
  StatementStep,
  StatementSum,
  SummedPosting,
  WaitingProgress,
} from '../entities/statement.ts';
import type { Database } from '../schema.ts';
import { type Access, inPieces } from './access.ts';
import { cappedSum } from './capped-sum.ts';
import { postingMapping } from './ledger-repository.ts';
import { verifyStatements } from './verify-statements.ts';

const nothing: StatementProgress = { lastId: 0, balance: 0, month: 0 };

const summedColumns = ['id', 'user_id', 'kind', 'amount', 'balance_after', 'created_at'] as const;

function readSummed(
  row: Pick<Database['ledger'], 'user_id' | 'kind' | 'amount' | 'balance_after' | 'created_at'> & {
    id: number;
  },
): SummedPosting {
  return {
    id: row.id,
    userId: row.user_id,
    kind: row.kind as LedgerKind,
    amount: clampQuota(row.amount),
    balanceAfter: clampQuota(row.balance_after),
    createdAt: row.created_at,
  };
}

/** Steps that one statement binds. */
const stepsPerUpdate = 500;

/**
 * Sets the progress of those users who are where their step begins; resolves with them. Each has a
 * row of progress.
 */
async function move(
  database: Kysely<Database>,
  steps: readonly StatementStep[],
): Promise<readonly number[]> {
  const bigint = (value: number) => sql`cast(${value} as bigint)`;
  const rows = steps.map(
    ({ userId, from, to }) =>
      sql`(${sql.join([bigint(userId), bigint(from.lastId), bigint(to.lastId), bigint(to.balance), bigint(to.month)])})`,
  );
  // SQLite cannot name the columns of such a list; both engines call them column1, column2, …
  const { rows: moved } = await sql<{ user_id: number }>`
    update statement_progress set last_id = step.column3, balance = step.column4, month = step.column5
    from (values ${sql.join(rows)}) as step
    where statement_progress.user_id = step.column1 and statement_progress.last_id = step.column2
    returning statement_progress.user_id`.execute(database);
  return moved.map(({ user_id }) => Number(user_id));
}

type Addition = Pick<StatementStep, 'userId' | 'sums' | 'months'>;

async function addToMonths(
  database: Kysely<Database>,
  additions: readonly Addition[],
): Promise<void> {
  const sums = additions.flatMap(({ userId, sums }) =>
    sums.map(({ month, day, kind, count, amount }) => ({
      user_id: userId,
      month,
      day,
      kind,
      row_count: count,
      amount,
    })),
  );
  for (const piece of inPieces(sums)) {
    await database
      .insertInto('statement_sums')
      .values(piece)
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'month', 'day', 'kind']).doUpdateSet((set) => ({
          row_count: sql<number>`${set.ref('statement_sums.row_count')} + ${set.ref('excluded.row_count')}`,
          amount: cappedSum(
            sql`${set.ref('statement_sums.amount')} + ${set.ref('excluded.amount')}`,
          ),
        })),
      )
      .execute();
  }
  const months = additions.flatMap(({ userId, months }) =>
    months.map(({ month, lastId, closing }) => ({
      user_id: userId,
      month,
      last_id: lastId,
      closing,
    })),
  );
  for (const piece of inPieces(months)) {
    await database
      .insertInto('statement_months')
      .values(piece)
      .onConflict((conflict) =>
        conflict.columns(['user_id', 'month']).doUpdateSet((set) => ({
          last_id: set.ref('excluded.last_id'),
          closing: set.ref('excluded.closing'),
        })),
      )
      .execute();
  }
}

export function createStatementRepository({ read, atomically }: Access): StatementRepository {
  const postings = () => read.selectFrom('ledger');
  const summed = () => postings().select(summedColumns).orderBy('id');
  return {
    async progress(userId) {
      const row = await read
        .selectFrom('statement_progress')
        .selectAll()
        .where('user_id', '=', userId)
        .executeTakeFirst();
      return row === undefined
        ? nothing
        : { lastId: row.last_id, balance: row.balance, month: row.month };
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
        await addToMonths(database, [{ userId, sums, months }]);
        return true;
      }),
    advanceAll: (steps) =>
      atomically(async (database) => {
        const moved = new Set<number>();
        const begun = steps.filter(({ from }) => from.lastId === 0).map(({ userId }) => userId);
        // In one order, so that two processes wait for each other and never in a circle.
        for (const piece of inPieces(begun.toSorted((one, other) => one - other)))
          await database
            .insertInto('statement_progress')
            .values(piece.map((id) => ({ user_id: id, last_id: 0, balance: 0, month: 0 })))
            .onConflict((conflict) => conflict.column('user_id').doNothing())
            .execute();
        for (const piece of inPieces(steps, stepsPerUpdate))
          for (const userId of await move(database, piece)) moved.add(userId);
        await addToMonths(
          database,
          steps.filter(({ userId }) => moved.has(userId)),
        );
        return steps.map(({ userId }) => userId).filter((userId) => !moved.has(userId));
      }),
    async progressOf(userIds, upTo) {
      const progress = new Map<number, WaitingProgress>();
      for (const piece of inPieces(userIds)) {
        const rows = await read
          .selectFrom('statement_progress')
          .selectAll()
          .select(({ selectFrom }) =>
            selectFrom('ledger')
              .select(({ fn }) => fn.countAll<number>().as('rows'))
              .whereRef('ledger.user_id', '=', 'statement_progress.user_id')
              .whereRef('ledger.id', '>', 'statement_progress.last_id')
              .where('ledger.id', '<=', upTo)
              .as('waiting'),
          )
          .where('user_id', 'in', piece)
          .execute();
        for (const { user_id, last_id, balance, month, waiting } of rows)
          progress.set(user_id, { lastId: last_id, balance, month, waiting: waiting ?? 0 });
      }
      for (const piece of inPieces(userIds.filter((id) => !progress.has(id)))) {
        const rows = await postings()
          .select(({ fn }) => ['user_id', fn.countAll<number>().as('waiting')])
          .where('user_id', 'in', piece)
          .where('id', '<=', upTo)
          .groupBy('user_id')
          .execute();
        for (const { user_id, waiting } of rows)
          progress.set(user_id, { ...nothing, waiting: Number(waiting) });
      }
      return progress;
    },
    async postingsAfter(userId, id, limit) {
      const rows = await summed()
        .where('user_id', '=', userId)
        .where('id', '>', id)
        .limit(limit)
        .execute();
      return rows.map(readSummed);
    },
    async postingsBetween(after, upTo, limit) {
      const rows = await summed()
        .where('id', '>', after)
        .where('id', '<=', upTo)
        .limit(limit)
        .execute();
      return rows.map(readSummed);
    },
    async months(userId) {
      const rows = await read
        .selectFrom('statement_months')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('month')
        .execute();
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
      const { total } = await query
        .select((select) => select.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      return { items: rows.map(postingMapping.read), total };
    },
    verify: () => verifyStatements(read),
    async newestPosting() {
      const row = await postings().select('id').orderBy('id', 'desc').limit(1).executeTakeFirst();
      return row?.id ?? 0;
    },
  };
}
