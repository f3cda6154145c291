import { sql } from 'kysely';
import type { RequestOutcomes, RequestOutcomesRepository } from '../entities/log.ts';
import { counter, defineMapping, integer } from '../mapping.ts';
import { type Access, inPieces } from './access.ts';
import { cappedSum } from './capped-sum.ts';

const mapping = defineMapping<'request_outcomes', RequestOutcomes>({
  userId: integer('user_id'),
  createdAt: integer('created_at'),
  succeeded: counter('succeeded'),
  failed: counter('failed'),
  refused: counter('refused'),
  unlogged: counter('unlogged'),
});

const counters = ['succeeded', 'failed', 'refused', 'unlogged'] as const;

/**
 * The order of the primary key: two processes that write at once must not wait for each other's
 * rows in turn.
 */
function byKey(one: RequestOutcomes, other: RequestOutcomes): number {
  return one.userId - other.userId || one.createdAt - other.createdAt;
}

export function createRequestOutcomesRepository({
  read,
  atomically,
}: Access): RequestOutcomesRepository {
  return {
    add: (rows) =>
      atomically(async (database) => {
        for (const piece of inPieces([...rows].sort(byKey))) {
          await database
            .insertInto('request_outcomes')
            .values(piece.map((row) => mapping.write(row)))
            .onConflict((conflict) =>
              conflict
                .columns(['user_id', 'created_at'])
                .doUpdateSet((set) =>
                  Object.fromEntries(
                    counters.map((column) => [
                      column,
                      cappedSum(
                        sql`${set.ref(`request_outcomes.${column}`)} + ${set.ref(`excluded.${column}`)}`,
                      ),
                    ]),
                  ),
                ),
            )
            .execute();
        }
      }),
    async sum({ userId, from, to }) {
      let query = read.selectFrom('request_outcomes');
      if (userId !== undefined) query = query.where('user_id', '=', userId);
      if (from !== undefined) query = query.where('created_at', '>=', from);
      if (to !== undefined) query = query.where('created_at', '<=', to);
      return query
        .select((select) =>
          counters.map((column) =>
            cappedSum(sql`coalesce(sum(${select.ref(column)}), 0)`).as(column),
          ),
        )
        .executeTakeFirstOrThrow();
    },
  };
}
