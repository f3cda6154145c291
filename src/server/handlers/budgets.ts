import type { App } from '../../core/app.ts';
import { readBudgetInput } from '../../core/budgets/budget-service.ts';
import { presentBudget, presentWindow } from '../../core/budgets/present-budget.ts';
import type { budgetsApi } from '../../core/contract/budgets.ts';
import { actorOf, type Handlers } from './context.ts';

export function budgetHandlers({ budgets, site: { options } }: App): Handlers<typeof budgetsApi> {
  return {
    list: async (_input, context) => (await budgets.list(actorOf(context))).map(presentBudget),
    status: async (_input, context) =>
      (await budgets.status(actorOf(context))).map(({ budget, ownerName, ratesUsed, windows }) => ({
        ...presentBudget(budget),
        owner_name: ownerName,
        rates_used: ratesUsed,
        windows: windows.map(({ window, name }) => presentWindow(budget, window, name)),
      })),
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
