/**
 * The budgets of the site in memory, by whose requests they are about: a request that falls under
 * none costs four look-ups (docs/rules/budgets.md#whose).
 */
import type { Budget } from '../storage/storage.ts';
import { type BudgetOwner, hasRates, type Rates } from '../vocabulary/budgets.ts';

/** Who spends. `tokenId` 0: no token, as in the playground. */
export interface Spender {
  readonly tokenId: number;
  readonly userId: number;
  readonly userGroup: string;
}

/** A budget, and its models as a set; undefined: all. */
export interface IndexedBudget extends Budget {
  readonly modelSet: ReadonlySet<string> | undefined;
}

export const ratesOf = (budget: Budget): Rates => ({
  requests: budget.requestsPerMinute,
  tokens: budget.tokensPerMinute,
  parallel: budget.parallelRequests,
});

export interface BudgetIndex {
  readonly size: number;
  /** Whether any of them has rates. */
  readonly hasRates: boolean;
  /** Those that a request falls under, by id; undefined: none. `tags` absent: it has none. */
  find(
    spender: Spender,
    model: string,
    tags?: readonly string[],
  ): readonly IndexedBudget[] | undefined;
}

export const listOf = (text: string): readonly string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** Budgets that are switched off are left out. */
export function indexBudgets(budgets: readonly Budget[]): BudgetIndex {
  const byOwner = new Map<string, IndexedBudget[]>();
  const enabled = budgets.filter((budget) => budget.enabled);
  for (const budget of enabled) {
    const models = listOf(budget.models);
    const entry = { ...budget, modelSet: models.length === 0 ? undefined : new Set(models) };
    const key = `${budget.owner} ${budget.ownerId}`;
    byOwner.set(key, [...(byOwner.get(key) ?? []), entry]);
  }
  const ownedBy = (owner: BudgetOwner, id: string | number) => byOwner.get(`${owner} ${id}`) ?? [];
  return {
    size: enabled.length,
    hasRates: enabled.some((budget) => hasRates(ratesOf(budget))),
    find: ({ tokenId, userId, userGroup }, model, tags) => {
      if (byOwner.size === 0) return undefined;
      const found = [
        ...ownedBy('token', tokenId),
        ...ownedBy('user', userId),
        ...ownedBy('group', userGroup),
        ...ownedBy('model', model),
      ].filter(
        ({ modelSet, tag }) =>
          modelSet?.has(model) !== false && (tag === '' || tags?.includes(tag) === true),
      );
      return found.length === 0 ? undefined : found;
    },
  };
}
