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
  const byOwner = new Map<string, Map<string, IndexedBudget[]>>();
  const enabled = budgets.filter((budget) => budget.enabled);
  for (const budget of enabled) {
    const models = listOf(budget.models);
    const entry = { ...budget, modelSet: models.length === 0 ? undefined : new Set(models) };
    const owned = byOwner.get(budget.owner) ?? new Map<string, IndexedBudget[]>();
    byOwner.set(budget.owner, owned);
    owned.set(budget.ownerId, [...(owned.get(budget.ownerId) ?? []), entry]);
  }
  const ownedBy = (owner: BudgetOwner): ReadonlyMap<string, readonly IndexedBudget[]> =>
    byOwner.get(owner) ?? new Map();
  const byToken = byId(ownedBy('token'));
  const byUser = byId(ownedBy('user'));
  const byGroup = ownedBy('group');
  const byModel = ownedBy('model');
  return {
    size: enabled.length,
    hasRates: enabled.some((budget) => hasRates(ratesOf(budget))),
    find: ({ tokenId, userId, userGroup }, model, tags) => {
      if (byOwner.size === 0) return undefined;
      const found: IndexedBudget[] = [];
      const add = (budgets: readonly IndexedBudget[] = []) => {
        for (const budget of budgets) if (isAbout(budget, model, tags)) found.push(budget);
      };
      add(byToken.get(tokenId));
      add(byUser.get(userId));
      add(byGroup.get(userGroup));
      add(byModel.get(model));
      return found.length === 0 ? undefined : found;
    },
  };
}

/** Requests have numbers: none of them is to be written as text to be looked up. */
const byId = (
  owned: ReadonlyMap<string, readonly IndexedBudget[]>,
): ReadonlyMap<number, readonly IndexedBudget[]> =>
  new Map(Array.from(owned, ([id, budgets]) => [Number(id), budgets]));

const isAbout = (
  { modelSet, tag }: IndexedBudget,
  model: string,
  tags: readonly string[] | undefined,
): boolean => modelSet?.has(model) !== false && (tag === '' || tags?.includes(tag) === true);
