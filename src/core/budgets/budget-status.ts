/** What was spent of budgets, by those who may see it (docs/rules/budgets.md#whose). */
import type { budgetFilters } from '../entities/budget-filters.ts';
import type { FilterValues } from '../entities/filters.ts';
import type { Actor } from '../kernel/actor.ts';
import { nowSeconds } from '../kernel/clock.ts';
import type { PageRequest } from '../kernel/page.ts';
import type {
  Budget,
  BudgetsAbout,
  ConversationFilter,
  ConversationWindow,
} from '../storage/storage.ts';
import { isEnding } from '../vocabulary/budget-forecast.ts';
import {
  type BudgetSubject,
  budgetStateOf,
  eachOfCourse,
  fullness,
  mayHaveFence,
} from '../vocabulary/budgets.ts';
import { isAdmin } from '../vocabulary/roles.ts';
import { listOf } from './budget-index.ts';
import {
  type BudgetState,
  type BudgetStatesDeps,
  createBudgetStates,
  presentStatus,
  shownOfEach,
} from './budget-states.ts';

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
   * Those about tokens or users with the windows that are theirs, or of windows with these; for
   * conversations and agents at most a hundred, without windows.
   */
  about(actor: Actor, kind: BudgetSubject, ids: readonly number[]): Promise<readonly BudgetState[]>;
  /** The fullest of those that are spent, near their end or on the way to it. */
  ending(actor: Actor): Promise<readonly BudgetState[]>;
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

/** Budgets that are said to end soon. */
const mostEnding = 5;

export interface BudgetStatusDeps extends BudgetStatesDeps {
  /** Those that somebody may see. */
  readonly list: (actor: Actor) => Promise<readonly Budget[]>;
}

export function createBudgetStatus({
  storage,
  gate,
  clock,
  list,
}: BudgetStatusDeps): BudgetStatusService {
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

  const { readNames, statesOf, withNames } = createBudgetStates({ storage, gate, clock });

  const select = async (actor: Actor, filter: BudgetFilter): Promise<readonly Budget[]> => {
    const all = await list(actor);
    if (Object.keys(filter).length === 0) return all;
    const nameOf = await readNames(
      filter.keyword === undefined ? [] : all.map(({ owner, ownerId }) => [owner, ownerId]),
    );
    return all.filter((one) => isSelected(one, filter, nameOf(one.owner, one.ownerId)));
  };

  /** Those of the budgets that somebody may see. */
  const visibleOf = async (
    actor: Actor,
    about: BudgetsAbout,
    isOne: (budget: Budget) => boolean,
    most?: number,
  ): Promise<readonly Budget[]> =>
    isAdmin(actor.role)
      ? storage.budgets.listAbout(about, most)
      : (await list(actor)).filter(isOne).slice(0, most);

  const about: BudgetStatusService['about'] = async (actor, kind, ids) => {
    if (kind === 'course') {
      const courses = { eachOf: eachOfCourse };
      const isOne = ({ each }: Budget) => mayHaveFence(each);
      return withNames(actor, await visibleOf(actor, courses, isOne, shownOfEach), []);
    }
    if (ids.length === 0) return [];
    if (kind === 'window') {
      const rows = await storage.budgets.openWindows(nowSeconds(clock), { windowIds: ids });
      const found = new Set(rows.map(({ budgetId }) => budgetId));
      const isOne = ({ id }: Budget) => found.has(id);
      const visible = await visibleOf(actor, { ids: [...found] }, isOne);
      const states = await statesOf(actor, visible, { windowIds: ids });
      return states.filter(({ windows }) => windows.length > 0);
    }
    const subjects = ids.map(String);
    const isOwn = ({ owner, ownerId }: Budget) => owner === kind && subjects.includes(ownerId);
    const visible = await visibleOf(
      actor,
      { owner: kind, owners: subjects },
      (budget) => isOwn(budget) || budget.each === kind,
    );
    const states = await statesOf(actor, visible, { parts: { each: kind, subjects } });
    return states.filter(({ budget, windows }) => isOwn(budget) || windows.length > 0);
  };

  const ending = async (actor: Actor): Promise<readonly BudgetState[]> => {
    const now = nowSeconds(clock);
    const seen = isAdmin(actor.role) ? undefined : (await list(actor)).map(({ id }) => id);
    if (seen?.length === 0) return [];
    // Of a group's budget somebody may not see the window that is ending.
    const ids = await storage.budgets.ending(now, 4 * mostEnding, seen);
    const states = await statesOf(
      actor,
      ids.length === 0 ? [] : await storage.budgets.listAbout({ ids }),
    );
    return states
      .map((state) => ({ state, shown: presentStatus(state) }))
      .filter(({ shown }) => isEnding(shown, now))
      .toSorted((one, other) => fullness(other.shown) - fullness(one.shown))
      .slice(0, mostEnding)
      .map(({ state }) => state);
  };

  return {
    about,
    ending,
    conversations: async (actor, filter, page) => {
      const userId = isAdmin(actor.role) ? filter.userId : actor.id;
      const now = nowSeconds(clock);
      const { budgets } = storage;
      const found = await budgets.listConversations({ ...filter, userId, now }, page);
      const ids = [...new Set(found.items.map(({ window }) => window.budgetId))];
      const read = ids.length === 0 ? [] : await budgets.listAbout({ ids });
      const known = new Map(read.map((budget) => [budget.id, budget]));
      const items = found.items.flatMap((item) => {
        const budget = known.get(item.window.budgetId);
        return budget === undefined ? [] : [{ ...item, budget }];
      });
      return { items, total: found.total };
    },
    status: async (actor, page, filter = {}, order = 'id') => {
      const { offset, limit } = page;
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
