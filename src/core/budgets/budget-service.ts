/** Budgets as people make and change them (docs/rules/budgets.md#whose). */
import { describeChanges } from '../audit/changes.ts';
import type { Commit } from '../audit/commit.ts';
import type { RateUse } from '../cluster/cluster.ts';
import { budgetFields } from '../entities/budget.ts';
import { createInputReader } from '../entities/convert.ts';
import type { Written } from '../entities/field.ts';
import { checkAmount, createFieldCheck } from '../entities/limits.ts';
import { requireAllowed } from '../entities/require-allowed.ts';
import type { Actor } from '../kernel/actor.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Budget, BudgetWindowRow, Storage } from '../storage/storage.ts';
import { eachOf, hasRates, mayHaveFence } from '../vocabulary/budgets.ts';
import { isAdmin } from '../vocabulary/roles.ts';
import type { BudgetGate } from './budget-gate.ts';
import { listOf, ratesOf } from './budget-index.ts';
import { isTimeZone } from './calendar.ts';
import { hasFence } from './fence.ts';
import { seenWindows } from './seen-windows.ts';

/** `amount` may be left out where there is none. */
export type BudgetInput = Omit<Written<typeof budgetFields, 'create'>, 'amount'> & {
  readonly amount?: number | undefined;
};
export type BudgetEdit = Partial<Written<typeof budgetFields, 'edit'>>;

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

/** Each throws AppError not_found, budget_forbidden, and for users who may not be changed theirs. */
export interface BudgetService {
  /** Administrators see all, users those that are about them or their tokens. */
  list(actor: Actor): Promise<readonly Budget[]>;
  get(actor: Actor, id: number): Promise<Budget>;
  /** Throws AppError budget_field_invalid, amount_limit. */
  create(actor: Actor, input: BudgetInput): Promise<Budget>;
  update(actor: Actor, id: number, change: BudgetEdit): Promise<Budget>;
  remove(actor: Actor, id: number): Promise<void>;
  /** Adds to what may be spent in an open window. */
  grant(actor: Actor, id: number, windowId: number, amount: number): Promise<void>;
  /** With the windows that are open now, most spent first. */
  status(actor: Actor): Promise<readonly BudgetState[]>;
}

export interface BudgetServiceDeps {
  readonly storage: Pick<Storage, 'budgets' | 'tokens' | 'users'>;
  readonly gate: Pick<BudgetGate, 'windowOf' | 'usedRates'>;
  readonly commit: Commit;
  readonly clock: Clock;
}

/** Converts from the field names of the API. */
export const readBudgetInput = createInputReader(budgetFields);
const checkNew = createFieldCheck(budgetFields, 'create');
const checkEdit = createFieldCheck(budgetFields, 'edit');

/** What makes windows begin anew: they count something else from then on. */
const counted = [
  ...(['owner', 'ownerId', 'each', 'period', 'window', 'timeZone', 'weekStart', 'models'] as const),
  'tag' as const,
];

const invalid = (field: string) => new AppError('budget_field_invalid', { field });

/** Throws AppError budget_field_invalid where fields do not go together. */
function requireSound(budget: Partial<Budget>): void {
  const { owner = '', ownerId = '', each = '', timeZone = 'UTC', carryOver = 0 } = budget;
  const hasAmount = budget.period !== 'none';
  if (eachOf[owner]?.includes(each) !== true) throw invalid('each');
  if ((owner === 'token' || owner === 'user') && !/^[1-9]\d{0,15}$/.test(ownerId))
    throw invalid('owner_id');
  if (!isTimeZone(timeZone)) throw invalid('time_zone');
  if (carryOver > 0 && (budget.window === 'rolling' || budget.period === 'total' || !hasAmount))
    throw invalid('carry_over');
  const { mostRequests = 0, mostMinutes = 0, mostRepeats = 0 } = budget;
  if (hasFence({ mostRequests, mostMinutes, mostRepeats })) {
    if (!mayHaveFence(each)) throw invalid('each');
    if (!hasAmount) throw invalid('period');
  }
  const { requestsPerMinute = 0, tokensPerMinute = 0, parallelRequests = 0 } = budget;
  const rates = {
    requests: requestsPerMinute,
    tokens: tokensPerMinute,
    parallel: parallelRequests,
  };
  if (!hasAmount && !hasRates(rates)) throw invalid('requests_per_minute');
}

export function createBudgetService({
  storage,
  gate,
  commit,
  clock,
}: BudgetServiceDeps): BudgetService {
  /** The user whom a budget is about, by itself or by its token; null: a group or a model. */
  const userOf = async ({ owner, ownerId }: Pick<Budget, 'owner' | 'ownerId'>) => {
    if (owner === 'group' || owner === 'model') return null;
    const userId =
      owner === 'user' ? Number(ownerId) : (await storage.tokens.find(Number(ownerId)))?.userId;
    const user = userId === undefined ? null : await storage.users.find(userId);
    if (user === null) throw invalid('owner_id');
    return user;
  };

  const requireOwner = async (
    actor: Actor,
    budget: Pick<Budget, 'owner' | 'ownerId'>,
  ): Promise<void> => {
    const user = await userOf(budget);
    if (isAdmin(actor.role)) {
      if (user !== null && user.id !== actor.id) requireAllowed('update', { actor, target: user });
    } else if (user?.id !== actor.id) throw new AppError('budget_forbidden');
  };

  /** Users change what they set for themselves, administrators what they may change of users. */
  const requireChangeable = async (actor: Actor, budget: Budget): Promise<void> => {
    if (!isAdmin(actor.role) && budget.userId !== actor.id) throw new AppError('budget_forbidden');
    // What is about something that is gone may always be removed.
    if (isAdmin(actor.role) && (await userOf(budget).catch(() => null)) === null) return;
    await requireOwner(actor, budget);
  };

  const isVisible = async (actor: Actor, budget: Budget): Promise<boolean> => {
    if (isAdmin(actor.role)) return true;
    if (budget.owner === 'group') return budget.ownerId === actor.group;
    return (await userOf(budget).catch(() => null))?.id === actor.id;
  };

  /** Reads the names of tokens and users once each. What is returned gives '' for all else. */
  const readNames = async (named: readonly (readonly [kind: string, id: string])[]) => {
    const idsOf = (wanted: string) => [
      ...new Set(named.filter(([kind, id]) => kind === wanted && id !== '').map(([, id]) => id)),
    ];
    const names = new Map<string, string>();
    for (const { id, username } of await storage.users.findMany(idsOf('user').map(Number)))
      names.set(`user ${id}`, username);
    for (const id of idsOf('token'))
      names.set(`token ${id}`, (await storage.tokens.find(Number(id)))?.name ?? '');
    return (kind: string, id: string) => names.get(`${kind} ${id}`) ?? '';
  };

  const list = async (actor: Actor): Promise<readonly Budget[]> => {
    const visible: Budget[] = [];
    for (const budget of await storage.budgets.list())
      if (await isVisible(actor, budget)) visible.push(budget);
    return visible;
  };

  const get = async (actor: Actor, id: number): Promise<Budget> => {
    const budget = await storage.budgets.find(id);
    if (budget === null || !(await isVisible(actor, budget))) throw new AppError('not_found');
    return budget;
  };

  return {
    list,
    get,
    create: async (actor, input) => {
      const fields = checkNew({ ...input, amount: input.amount ?? 0 });
      if (input.amount === undefined && fields.period !== 'none') throw invalid('amount');
      requireSound(fields);
      await requireOwner(actor, fields);
      return commit(async ({ budgets }, notes) => {
        const created = { ...fields, userId: actor.id, createdTime: nowSeconds(clock) };
        const budget = await budgets.find(await budgets.insert(created));
        if (budget === null) throw new AppError('not_found');
        notes.record(actor, 'budget.create', budget.id, { ...fields });
        notes.changed('budgets');
        return budget;
      });
    },
    update: async (actor, id, change) => {
      const before = await get(actor, id);
      await requireChangeable(actor, before);
      const fields = checkEdit(change, before);
      const next = { ...before, ...fields };
      requireSound(next);
      await requireOwner(actor, next);
      const restarts = counted.some((name) => next[name] !== before[name]);
      return commit(async ({ budgets }, notes) => {
        const isChanged = await budgets.update(id, fields, restarts);
        const budget = isChanged ? await budgets.find(id) : null;
        if (budget === null) throw new AppError('not_found');
        notes.record(actor, 'budget.update', id, describeChanges(before, fields));
        notes.changed('budgets');
        return budget;
      });
    },
    remove: async (actor, id) => {
      await requireChangeable(actor, await get(actor, id));
      await commit(async ({ budgets }, notes) => {
        if (!(await budgets.remove(id))) throw new AppError('not_found');
        notes.record(actor, 'budget.delete', id);
        notes.changed('budgets');
      });
    },
    grant: async (actor, id, windowId, amount) => {
      await requireChangeable(actor, await get(actor, id));
      const added = checkAmount(Math.max(0, amount));
      await commit(async ({ budgets }, notes) => {
        const window = await budgets.findWindow(windowId);
        if (window?.budgetId !== id || !(await budgets.grant(windowId, added, nowSeconds(clock))))
          throw new AppError('not_found');
        notes.record(actor, 'budget.grant', id, { window: windowId, amount });
        notes.changed('budgets');
      });
    },
    status: async (actor) => {
      const visible = await list(actor);
      // A window of all requests is opened to be seen; the others are where there were some.
      for (const budget of visible) {
        const isRolling = budget.window === 'rolling' && budget.period !== 'total';
        if (budget.each !== '' || isRolling || !budget.enabled || budget.period === 'none')
          continue;
        const models = listOf(budget.models);
        const modelSet = models.length === 0 ? undefined : new Set(models);
        await gate.windowOf({ ...budget, modelSet }, '');
      }
      const ids = visible.map(({ id }) => id);
      const rows =
        ids.length === 0 ? [] : await storage.budgets.openWindows(nowSeconds(clock), ids);
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
    },
  };
}
