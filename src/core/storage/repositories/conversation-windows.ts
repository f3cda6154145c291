import type { Kysely } from 'kysely';
import type { PageRequest } from '../../kernel/page.ts';
import { eachOfCourse, neverEnds } from '../../vocabulary/budgets.ts';
import type { BudgetRepository, ConversationFilter } from '../entities/budget.ts';
import type { Database } from '../schema.ts';
import { windowMapping } from './budget-windows.ts';

/**
 * Open windows of conversations and agents, those that cost most first. The budgets are read by the
 * caller.
 */
export async function listConversations(
  read: Kysely<Database>,
  { now, userId, budgetId, windowId }: ConversationFilter,
  { offset, limit }: PageRequest,
): ReturnType<BudgetRepository['listConversations']> {
  const open = read
    .selectFrom('budget_windows')
    .innerJoin('budgets', (join) =>
      join
        .onRef('budgets.id', '=', 'budget_windows.budget_id')
        .onRef('budgets.revision', '=', 'budget_windows.revision'),
    )
    .where('budgets.each', 'in', eachOfCourse)
    .where('starts_at', '<=', now)
    .where((where) => where.or([where('ends_at', '=', neverEnds), where('ends_at', '>', now)]))
    .$if(userId !== undefined, (part) => part.where('budget_windows.user_id', '=', userId ?? 0))
    .$if(budgetId !== undefined, (part) => part.where('budgets.id', '=', budgetId ?? 0))
    .$if(windowId !== undefined, (part) => part.where('budget_windows.id', '=', windowId ?? 0));
  const { total } = await open
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await open
    .leftJoin('users', 'users.id', 'budget_windows.user_id')
    .selectAll('budget_windows')
    .select('users.username')
    .orderBy('spent', 'desc')
    .orderBy('budget_windows.id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute();
  return {
    items: rows.map(({ username, ...row }) => ({
      window: windowMapping.read(row),
      username: username ?? '',
    })),
    total: Number(total),
  };
}
