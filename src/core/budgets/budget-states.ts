/** Budgets with their open windows and the names of their owners, by those who may see them. */
import type { RateUse } from '../cluster/cluster.ts';
import type { BudgetStatus } from '../contract/budgets.ts';
import type { Actor } from '../kernel/actor.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import type { Budget, BudgetWindowRow, OpenWindowFilter, Storage } from '../storage/storage.ts';
import { hasRates, playgroundOf } from '../vocabulary/budgets.ts';
import { isAdmin } from '../vocabulary/roles.ts';
import type { BudgetGate } from './budget-gate.ts';
import { listOf, ratesOf } from './budget-index.ts';
import { presentBudget, presentWindow } from './present-budget.ts';

/**
 * The windows of a budget that somebody may see: of a group's those that are about it, or about all
 * together (docs/rules/budgets.md#whose). Others' names and figures are theirs.
 */
async function seenWindows(
  tokens: Pick<Storage['tokens'], 'find'>,
  actor: Actor,
  budget: Budget,
  rows: readonly BudgetWindowRow[],
): Promise<readonly BudgetWindowRow[]> {
  const { owner, each } = budget;
  if (isAdmin(actor.role) || owner !== 'group' || each === '') return rows;
  if (each === 'user') return rows.filter(({ subject }) => subject === String(actor.id));
  if (each !== 'token') return rows.filter(({ userId }) => userId === actor.id);
  const seen: BudgetWindowRow[] = [];
  for (const row of rows) {
    const { subject } = row;
    const ownerId = playgroundOf(budget, subject) ?? (await tokens.find(Number(subject)))?.userId;
    if (ownerId === actor.id) seen.push(row);
  }
  return seen;
}

/** A budget, and its windows that are open. Names are '' where there are none. */
export interface BudgetState {
  readonly budget: Budget;
  /** What counts now of its rates; null: it has none, or they are for each apart. */
  readonly ratesUsed: RateUse | null;
  /** Of the token or user that it is for. */
  readonly ownerName: string;
  /** `name`: of the token or user that has the window for itself. */
  readonly windows: readonly { readonly window: BudgetWindowRow; readonly name: string }[];
}

/** Windows of a budget for each conversation or agent: the others are in their own list. */
export const shownOfEach = 100;

/** A budget with its open windows. */
export function presentStatus({
  budget,
  ownerName,
  ratesUsed,
  windows,
}: BudgetState): BudgetStatus {
  return {
    ...presentBudget(budget),
    owner_name: ownerName,
    rates_used: ratesUsed,
    windows: windows.map(({ window, name }) => presentWindow(budget, window, name)),
  };
}

export interface BudgetStatesDeps {
  readonly storage: Pick<Storage, 'budgets' | 'tokens' | 'users'>;
  readonly gate: Pick<BudgetGate, 'openAll' | 'usedRates'>;
  readonly clock: Clock;
}

/** Whether its window is one of the calendar for all of its requests. */
function opensByItself({ window, period, each, enabled }: Budget): boolean {
  const isRolling = window === 'rolling' && period !== 'total';
  return each === '' && !isRolling && enabled && period !== 'none';
}

/** The token or user that a window is for. */
function namedBy(
  budget: Budget,
  { subject }: BudgetWindowRow,
): readonly [kind: string, id: string] {
  const playground = playgroundOf(budget, subject);
  return playground === undefined ? [budget.each, subject] : ['user', String(playground)];
}

export function createBudgetStates({ storage, gate, clock }: BudgetStatesDeps) {
  /** Reads the names of tokens and users once each. What is returned gives '' for all else. */
  const readNames = async (named: readonly (readonly [kind: string, id: string])[]) => {
    const idsOf = (wanted: string) => [
      ...new Set(named.filter(([kind, id]) => kind === wanted && id !== '').map(([, id]) => id)),
    ];
    const names = new Map<string, string>();
    for (const { id, username } of await storage.users.findMany(idsOf('user').map(Number)))
      names.set(`user ${id}`, username);
    for (const [id, name] of await storage.tokens.namesOf(idsOf('token').map(Number)))
      names.set(`token ${id}`, name);
    return (kind: string, id: string) => names.get(`${kind} ${id}`) ?? '';
  };

  /** The budgets with their open windows, or with some of these. */
  const statesOf = async (
    actor: Actor,
    visible: readonly Budget[],
    filter: OpenWindowFilter = {},
  ): Promise<readonly BudgetState[]> => {
    const budgetIds = visible.map(({ id }) => id);
    const wanted = { mostOfEach: shownOfEach, ...filter, budgetIds };
    const open =
      budgetIds.length === 0 ? [] : await storage.budgets.openWindows(nowSeconds(clock), wanted);
    if (filter.windowIds !== undefined) return withNames(actor, visible, open);
    // The window of all requests is opened to be shown; others exist once they had a request.
    const seen = new Set(open.map(({ budgetId }) => budgetId));
    const unopened = visible.filter((budget) => !seen.has(budget.id) && opensByItself(budget));
    const opened =
      unopened.length === 0
        ? []
        : await gate.openAll(
            unopened.map((budget) => {
              const models = listOf(budget.models);
              return { ...budget, modelSet: models.length === 0 ? undefined : new Set(models) };
            }),
          );
    return withNames(actor, visible, [...open, ...opened]);
  };

  const withNames = async (
    actor: Actor,
    visible: readonly Budget[],
    windows: readonly BudgetWindowRow[],
  ): Promise<readonly BudgetState[]> => {
    const byBudget = Map.groupBy(windows, ({ budgetId }) => budgetId);
    const states: { readonly budget: Budget; readonly rows: readonly BudgetWindowRow[] }[] = [];
    for (const budget of visible)
      states.push({
        budget,
        rows: await seenWindows(storage.tokens, actor, budget, byBudget.get(budget.id) ?? []),
      });
    const nameOf = await readNames(
      states.flatMap(({ budget, rows }) => [
        [budget.owner, budget.ownerId] as const,
        ...rows.map((row) => namedBy(budget, row)),
      ]),
    );
    const rated = visible.filter(
      (budget) => budget.enabled && budget.each === '' && hasRates(ratesOf(budget)),
    );
    const used = await gate.usedRates(rated.map(({ id }) => id));
    const usedOf = new Map(rated.map(({ id }, at) => [id, used[at]]));
    return states.map(({ budget, rows }) => ({
      budget,
      ratesUsed: usedOf.get(budget.id) ?? null,
      ownerName: nameOf(budget.owner, budget.ownerId),
      windows: rows.map((window) => ({ window, name: nameOf(...namedBy(budget, window)) })),
    }));
  };

  return { readNames, statesOf, withNames };
}
