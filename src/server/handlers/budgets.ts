import type { App } from '../../core/app.ts';
import { readBudgetInput } from '../../core/budgets/budget-service.ts';
import { presentStatus } from '../../core/budgets/budget-states.ts';
import { presentBudget, presentConversation } from '../../core/budgets/present-budget.ts';
import type { budgetsApi } from '../../core/contract/budgets.ts';
import { budgetFilters } from '../../core/entities/budget-filters.ts';
import { readFilters } from '../../core/entities/filters.ts';
import { nowSeconds } from '../../core/kernel/clock.ts';
import { actorOf, type Handlers, pageRequest } from './context.ts';

export function budgetHandlers({
  budgets,
  clock,
  site: { options },
}: App): Handlers<typeof budgetsApi> {
  return {
    list: async (_input, context) => (await budgets.list(actorOf(context))).map(presentBudget),
    status: async ({ p, page_size, sort, ...query }, context) => {
      const { items, total } = await budgets.status(
        actorOf(context),
        pageRequest(p, page_size),
        readFilters(budgetFilters, query),
        sort,
      );
      return { items: items.map(presentStatus), total, page: p, page_size };
    },
    about: async ({ kind, ids }, context) => {
      const numbers = ids === '' ? [] : ids.split(',').map(Number);
      return (await budgets.about(actorOf(context), kind, numbers)).map(presentStatus);
    },
    ending: async (_input, context) => (await budgets.ending(actorOf(context))).map(presentStatus),
    conversations: async ({ p, page_size, user_id, budget, window }, context) => {
      const found = await budgets.conversations(
        actorOf(context),
        { userId: user_id, budgetId: budget, windowId: window },
        pageRequest(p, page_size),
      );
      const items = found.items.map((item) => presentConversation(item, nowSeconds(clock)));
      return { items, total: found.total, page: p, page_size };
    },
    siteRate: async () =>
      options.get('ModelRequestRateLimitEnabled')
        ? {
            minutes: options.get('ModelRequestRateLimitDurationMinutes'),
            requests: options.get('ModelRequestRateLimitCount'),
            successes: options.get('ModelRequestRateLimitSuccessCount'),
          }
        : null,
    get: async ({ id }, context) => presentBudget(await budgets.get(actorOf(context), id)),
    create: async (input, context) =>
      presentBudget(await budgets.create(actorOf(context), readBudgetInput(input))),
    update: async ({ id, ...input }, context) =>
      presentBudget(await budgets.update(actorOf(context), id, readBudgetInput(input))),
    remove: async ({ id }, context) => {
      await budgets.remove(actorOf(context), id);
    },
    grant: async ({ id, window, amount }, context) => {
      await budgets.grant(actorOf(context), id, window, amount);
    },
  };
}
