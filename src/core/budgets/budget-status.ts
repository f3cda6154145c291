/** What was spent of budgets, by those who may see it (docs/rules/budgets.md#whose). */
import type { RateUse } from '../cluster/cluster.ts';
import type { BudgetStatus } from '../contract/budgets.ts';
import type { budgetFilters } from '../entities/budget-filters.ts';
import type { FilterValues } from '../entities/filters.ts';
import type { Actor } from '../kernel/actor.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import type { PageRequest } from '../kernel/page.ts';
import type {
  Budget,
  BudgetWindowRow,
  ConversationFilter,
  ConversationWindow,
  Storage,
} from '../storage/storage.ts';
import { budgetStateOf, fullness, hasRates } from '../vocabulary/budgets.ts';
import { isAdmin } from '../vocabulary/roles.ts';
import type { BudgetGate } from './budget-gate.ts';
import { listOf, ratesOf } from './budget-index.ts';
import { presentBudget, presentWindow } from './present-budget.ts';
import { seenWindows } from './seen-windows.ts';

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

export type BudgetFilter = FilterValues<typeof budgetFilters>;

export interface ConversationState extends ConversationWindow {
  readonly budget: Budget;
}

export interface BudgetStatusService {
  /** Conversations and agents that have a budget each: users see theirs, administrators all. */
  conversations(
    actor: Actor,
    filter: Omit<ConversationFilter, 'now'>,
    page: PageRequest,
  ): Promise<{ readonly items: readonly ConversationState[]; readonly total: number }>;
  /**
   * With the windows that are open now, most spent first; of each budget for conversations or agents
   * a hundred. What is not on the page is read only where it decides which ones are: for a state, or
   * to have the fullest first.
   */
  status(
    actor: Actor,
    page: PageRequest,
    filter?: BudgetFilter,
    order?: 'id' | 'used',
  ): Promise<{ readonly items: readonly BudgetState[]; readonly total: number }>;
}

/** Windows of a budget for each conversation or agent: the others are in their own list. */
const shownOfEach = 100;

export interface BudgetStatusDeps {
  readonly storage: Pick<Storage, 'budgets' | 'tokens' | 'users'>;
  readonly gate: Pick<BudgetGate, 'openAll' | 'usedRates'>;
  readonly clock: Clock;
  /** Those that somebody may see. */
  readonly list: (actor: Actor) => Promise<readonly Budget[]>;
}

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

/** Whether its window is one of the calendar for all of its requests. */
function opensByItself({ window, period, each, enabled }: Budget): boolean {
  const isRolling = window === 'rolling' && period !== 'total';
  return each === '' && !isRolling && enabled && period !== 'none';
}

export function createBudgetStatus({
  storage,
  gate,
  clock,
  list,
}: BudgetStatusDeps): BudgetStatusService {
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

  /** Whether a budget is one of those that the filter's own fields select. */
  const isSelected = (
    { id, name, owner, ownerId, models }: Budget,
    { keyword = '', owner: kind, of, model }: BudgetFilter,
    ownerName: string,
  ): boolean => {
    const wanted = keyword.toLowerCase();
    const isFound = [`#${id}`, name, ownerId, ownerName].some((text) =>
      text.toLowerCase().includes(wanted),
    );
    return (
      isFound &&
      (kind === undefined || owner === kind) &&
      (of === undefined || ownerId === of) &&
      (model === undefined || models === '' || listOf(models).includes(model))
    );
  };

  const select = async (actor: Actor, filter: BudgetFilter): Promise<readonly Budget[]> => {
    const all = await list(actor);
    if (Object.keys(filter).length === 0) return all;
    const nameOf = await readNames(
      filter.keyword === undefined ? [] : all.map(({ owner, ownerId }) => [owner, ownerId]),
    );
    return all.filter((one) => isSelected(one, filter, nameOf(one.owner, one.ownerId)));
  };

  /** The budgets with their open windows. */
  const statesOf = async (
    actor: Actor,
    visible: readonly Budget[],
  ): Promise<readonly BudgetState[]> => {
    const ids = visible.map(({ id }) => id);
    const open =
      ids.length === 0
        ? []
        : await storage.budgets.openWindows(nowSeconds(clock), ids, shownOfEach);
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
    const rows = [...open, ...opened];
    const byBudget = Map.groupBy(rows, ({ budgetId }) => budgetId);
    const states: { readonly budget: Budget; readonly rows: readonly BudgetWindowRow[] }[] = [];
    for (const budget of visible)
      states.push({
        budget,
        rows: await seenWindows(storage.tokens, actor, budget, byBudget.get(budget.id) ?? []),
      });
    const nameOf = await readNames(
      states.flatMap(({ budget: { owner, ownerId, each }, rows }) => [
        [owner, ownerId],
        ...rows.map(({ subject }) => [each, subject] as const),
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
      windows: rows.map((window) => ({ window, name: nameOf(budget.each, window.subject) })),
    }));
  };

  return {
    conversations: async (actor, filter, page) => {
      const userId = isAdmin(actor.role) ? filter.userId : actor.id;
      const now = nowSeconds(clock);
      const { budgets } = storage;
      const found = await budgets.listConversations({ ...filter, userId, now }, page);
      const known = new Map((await budgets.list()).map((budget) => [budget.id, budget]));
      const items = found.items.flatMap((item) => {
        const budget = known.get(item.window.budgetId);
        return budget === undefined ? [] : [{ ...item, budget }];
      });
      return { items, total: found.total };
    },
    status: async (actor, page, filter = {}, order = 'id') => {
      const { offset, limit } = page;
      // The console reads every page of it.
      if (isAdmin(actor.role) && order === 'id' && Object.keys(filter).length === 0) {
        const { budgets } = storage;
        const [items, total] = await Promise.all([budgets.list(page), budgets.count()]);
        return { items: await statesOf(actor, items), total };
      }
      const selected = await select(actor, filter);
      const onPage = <T>(all: readonly T[]) => all.slice(offset, offset + limit);
      if (filter.state === undefined && order === 'id')
        return { items: await statesOf(actor, onPage(selected)), total: selected.length };
      const all = (await statesOf(actor, selected)).map((state) => ({
        state,
        shown: presentStatus(state),
      }));
      const found = all
        .filter(({ shown }) => filter.state === undefined || budgetStateOf(shown) === filter.state)
        .toSorted((one, other) =>
          order === 'id'
            ? 0
            : fullness(other.shown) - fullness(one.shown) || other.shown.id - one.shown.id,
        );
      return { items: onPage(found).map(({ state }) => state), total: found.length };
    },
  };
}
