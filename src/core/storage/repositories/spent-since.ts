import { type Kysely, sql } from 'kysely';
import { logTypes } from '../../vocabulary/log-types.ts';
import type { HourSpent, SpentBefore } from '../entities/budget.ts';
import type { Database } from '../schema.ts';
import { exactSum, readExactSum } from './exact-sum.ts';
import { hasTag } from './log-filter.ts';

const secondsPerHour = 3600;

/** The first posting of the hour that an instant is in; 0: there is none since. */
const firstIdOf = (database: Kysely<Database>, since: number) =>
  database
    .selectFrom('ledger_hours')
    .select((hours) => sql<number>`coalesce(min(${hours.ref('first_id')}), 0)`.as('id'))
    .where('hour', '>=', since - (since % secondsPerHour));

/**
 * Quota that postings since a time (Unix seconds) cost, less what was refunded; with models or a
 * tag, what the log rows say (docs/rules/budgets.md#counting).
 */
export async function spentSince(
  database: Kysely<Database>,
  { tokenId, userId, group, models, tag }: SpentBefore,
  since: number,
): Promise<number> {
  const members = database
    .selectFrom('users')
    .select('id')
    .where('group', '=', group ?? '');
  const query =
    models.length === 0 && tag === ''
      ? database
          .selectFrom('ledger')
          .select((select) => exactSum(sql<number>`-${select.ref('amount')}`).as('spent'))
          .where('kind', 'in', ['charge', 'refund'])
          .where('id', '>=', firstIdOf(database, since))
          .where('created_at', '>=', since)
          .$if(tokenId !== undefined, (part) => part.where('token_id', '=', tokenId ?? 0))
          .$if(userId !== undefined, (part) => part.where('user_id', '=', userId ?? 0))
          .$if(group !== undefined, (part) => part.where('user_id', 'in', members))
      : database
          .selectFrom('logs')
          .select((select) => exactSum(select.ref('quota')).as('spent'))
          .where('type', '=', logTypes.consume)
          .where('created_at', '>=', since)
          .$if(models.length > 0, (part) => part.where('model_name', 'in', models))
          .$if(tag !== '', (part) => part.where(hasTag(tag)))
          .$if(tokenId !== undefined, (part) => part.where('token_id', '=', tokenId ?? 0))
          .$if(userId !== undefined, (part) => part.where('user_id', '=', userId ?? 0))
          .$if(group !== undefined, (part) => part.where('user_id', 'in', members));
  const { spent } = await query.executeTakeFirstOrThrow();
  return Math.max(0, Number(readExactSum(spent)));
}

/**
 * Quota that charges took from a window in whole minutes since a time (Unix seconds), of the last
 * quarter of an hour at most; 0 where its budget has no pace.
 */
export async function spentIn(
  database: Kysely<Database>,
  windowId: number,
  since: number,
): Promise<number> {
  const { spent } = await database
    .selectFrom('budget_minutes')
    .select((select) => exactSum(select.ref('spent')).as('spent'))
    .where('window_id', '=', windowId)
    .where('minute', '>=', Math.ceil(since / 60))
    .executeTakeFirstOrThrow();
  return Math.max(0, Number(readExactSum(spent)));
}

/** What a token (0: none) of a user cost, by hours in which it cost something. */
export async function spentByHour(
  database: Kysely<Database>,
  { userId, tokenId }: { readonly userId: number; readonly tokenId: number },
  from: number,
  until: number,
): Promise<readonly HourSpent[]> {
  const start = sql<number>`created_at - created_at % ${sql.lit(secondsPerHour)}`;
  const rows = await database
    .selectFrom('ledger')
    .select((select) => [
      start.as('start'),
      exactSum(sql<number>`-${select.ref('amount')}`).as('spent'),
    ])
    .where('user_id', '=', userId)
    .where('kind', '=', 'charge')
    .where('id', '>=', firstIdOf(database, from))
    .where('created_at', '>=', from)
    .where('created_at', '<', until)
    .$if(tokenId > 0, (part) => part.where('token_id', '=', tokenId))
    .$if(tokenId === 0, (part) => part.where('token_id', 'is', null))
    .groupBy(start)
    .execute();
  return rows
    .map((row) => ({ start: Number(row.start), spent: Number(readExactSum(row.spent)) }))
    .filter(({ spent }) => spent > 0);
}
