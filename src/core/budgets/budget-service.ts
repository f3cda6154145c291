/** Budgets as people make and change them (docs/rules/budgets.md#whose). */
import { describeChanges } from '../audit/changes.ts';
import type { Commit } from '../audit/commit.ts';
import { budgetFields } from '../entities/budget.ts';
import { createInputReader, initialInput } from '../entities/convert.ts';
import type { Written } from '../entities/field.ts';
import { checkAmount, createFieldCheck } from '../entities/limits.ts';
import { requireAllowed } from '../entities/require-allowed.ts';
import type { Actor } from '../kernel/actor.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Budget, Storage } from '../storage/storage.ts';
import { eachOf, hasRates, mayHaveFence } from '../vocabulary/budgets.ts';
import { isAdmin } from '../vocabulary/roles.ts';
import type { BudgetGate } from './budget-gate.ts';
import { type BudgetStatusService, createBudgetStatus } from './budget-status.ts';
import { isTimeZone } from './calendar.ts';
import { hasFence } from './fence.ts';

/** `amount` may be left out where there is none. */
export type BudgetInput = Omit<Written<typeof budgetFields, 'create'>, 'amount'> & {
  readonly amount?: number | undefined;
};
export type BudgetEdit = Partial<Written<typeof budgetFields, 'edit'>>;

/** Each throws AppError not_found, budget_forbidden, and for users who may not be changed theirs. */
export interface BudgetService extends BudgetStatusService {
  /** Administrators see all, users those that are about them or their tokens. */
  list(actor: Actor): Promise<readonly Budget[]>;
  get(actor: Actor, id: number): Promise<Budget>;
  /** Throws AppError budget_field_invalid, amount_limit. */
  create(actor: Actor, input: BudgetInput): Promise<Budget>;
  update(actor: Actor, id: number, change: BudgetEdit): Promise<Budget>;
  /** Why `create` (without an id) or `update` would refuse the fields. Writes nothing. */
  refusals(actor: Actor, fields: Partial<BudgetInput>, id?: number): Promise<readonly AppError[]>;
  remove(actor: Actor, id: number): Promise<void>;
  /** Adds to what may be spent in an open window. */
  grant(actor: Actor, id: number, windowId: number, amount: number): Promise<void>;
}

export interface BudgetServiceDeps {
  readonly storage: Pick<Storage, 'budgets' | 'tokens' | 'users'>;
  readonly gate: Pick<BudgetGate, 'openAll' | 'usedRates'>;
  readonly commit: Commit;
  readonly clock: Clock;
}

/** Converts from the field names of the API. */
export const readBudgetInput = createInputReader(budgetFields);
const presets = readBudgetInput(initialInput(budgetFields));
/** A new budget with what was left out, but for its amount: whether it needs one, its period says. */
export const withDefaults = (given: Partial<BudgetInput>): BudgetInput => ({
  ...presets,
  amount: undefined,
  ...given,
});
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
  if (hasFence(budget)) {
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
    // A budget for something that is gone may always be removed.
    if (isAdmin(actor.role) && (await userOf(budget).catch(() => null)) === null) return;
    await requireOwner(actor, budget);
  };

  const isVisible = async (actor: Actor, budget: Budget): Promise<boolean> => {
    if (isAdmin(actor.role)) return true;
    if (budget.owner === 'group') return budget.ownerId === actor.group;
    return (await userOf(budget).catch(() => null))?.id === actor.id;
  };

  /** Those of {@link isVisible}, without a look at each. */
  const list = (actor: Actor): Promise<readonly Budget[]> =>
    isAdmin(actor.role) ? storage.budgets.list() : storage.budgets.listFor(actor.id, actor.group);

  const get = async (actor: Actor, id: number): Promise<Budget> => {
    const budget = await storage.budgets.find(id);
    if (budget === null || !(await isVisible(actor, budget))) throw new AppError('not_found');
    return budget;
  };

  const readNew = async (actor: Actor, input: BudgetInput) => {
    const fields = checkNew({ ...input, amount: input.amount ?? 0 });
    if (input.amount === undefined && fields.period !== 'none') throw invalid('amount');
    requireSound(fields);
    await requireOwner(actor, fields);
    return fields;
  };

  const readChange = async (actor: Actor, id: number, change: BudgetEdit) => {
    const before = await get(actor, id);
    await requireChangeable(actor, before);
    const fields = checkEdit(change, before);
    const next = { ...before, ...fields };
    requireSound(next);
    await requireOwner(actor, next);
    return { before, fields, next };
  };

  const refusals = async (actor: Actor, fields: Partial<BudgetInput>, id?: number) => {
    const found: AppError[] = [];
    const attempt = async (work: () => unknown) => {
      try {
        await work();
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        found.push(error);
      }
    };
    const before = id === undefined ? undefined : await get(actor, id);
    const given = id === undefined ? withDefaults(fields) : fields;
    for (const [name, value] of Object.entries(given)) {
      const one = { [name]: value };
      await attempt(() => (before === undefined ? checkNew(one) : checkEdit(one, before)));
    }
    if (found.length === 0)
      await attempt(() =>
        id === undefined ? readNew(actor, withDefaults(fields)) : readChange(actor, id, fields),
      );
    return found;
  };

  return {
    list,
    get,
    refusals,
    create: async (actor, input) => {
      const fields = await readNew(actor, input);
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
      const { before, fields, next } = await readChange(actor, id, change);
      const restarts = counted.some((name) => next[name] !== before[name]);
      return commit(async ({ budgets }, notes) => {
        const isChanged = await budgets.update(id, fields, restarts);
        const budget = isChanged ? await budgets.find(id) : null;
        if (budget === null) throw new AppError('not_found');
        notes.record(actor, 'budget.update', id, {
          name: before.name,
          ...describeChanges(before, fields),
        });
        notes.changed('budgets');
        return budget;
      });
    },
    remove: async (actor, id) => {
      const budget = await get(actor, id);
      await requireChangeable(actor, budget);
      await commit(async ({ budgets }, notes) => {
        if (!(await budgets.remove(id))) throw new AppError('not_found');
        notes.record(actor, 'budget.delete', id, { name: budget.name });
        notes.changed('budgets');
      });
    },
    grant: async (actor, id, windowId, amount) => {
      const budget = await get(actor, id);
      await requireChangeable(actor, budget);
      if (amount < 0) throw invalid('amount');
      const added = checkAmount(amount);
      await commit(async ({ budgets }, notes) => {
        const window = await budgets.findWindow(windowId);
        if (window?.budgetId !== id || !(await budgets.grant(windowId, added, nowSeconds(clock))))
          throw new AppError('not_found');
        notes.record(actor, 'budget.grant', id, {
          name: budget.name,
          window: windowId,
          amount,
        });
        notes.changed('budgets');
      });
    },
    ...createBudgetStatus({ storage, gate, clock, list }),
  };
}
