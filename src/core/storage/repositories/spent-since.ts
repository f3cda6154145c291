import { type Kysely, sql } from 'kysely';
import { logTypes } from '../../vocabulary/log-types.ts';
import type { SpentBefore } from '../entities/budget.ts';
import type { Database } from '../schema.ts';
import { exactSum, readExactSum } from './exact-sum.ts';
import { hasTag } from './log-filter.ts';

const secondsPerHour = 3600;

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
  const hour = since - (since % secondsPerHour);
  const query =
    models.length === 0 && tag === ''
      ? database
          .selectFrom('ledger')
          .select((select) => exactSum(sql<number>`-${select.ref('amount')}`).as('spent'))
          .where('kind', 'in', ['charge', 'refund'])
          .where('id', '>=', (select) =>
            select
              .selectFrom('ledger_hours')
              .select((hours) => sql<number>`coalesce(min(${hours.ref('first_id')}), 0)`.as('id'))
              .where('hour', '>=', hour),
          )
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
