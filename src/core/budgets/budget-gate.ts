/**
 * Which windows a request is held against (docs/rules/budgets.md#admission). What a window is about
 * never changes, so it is remembered until it ends; what was spent in it only the ledger knows.
 */
import type { BudgetWindow } from '../billing/index.ts';
import type { Awaitable, RateMeter, RateUse } from '../cluster/cluster.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { Logger } from '../kernel/logger.ts';
import type { BudgetWindowRow, Storage } from '../storage/storage.ts';
import { mayHaveFence, neverEnds, playgroundSubject } from '../vocabulary/budgets.ts';
import {
  type BudgetIndex,
  type IndexedBudget,
  indexBudgets,
  type Spender,
} from './budget-index.ts';
import { type Fence, fenceOf, requestLimit, requireInside } from './fence.ts';
import { KnownWindows, type LastUse } from './known-windows.ts';
import { createPaceCheck, hasPace, type PacedWindow } from './pace.ts';
import { askOf, enterRates, type NamedAsk, type RateRoom, type RateTicket } from './rates.ts';
import { closedUntil, type Span } from './window.ts';
import { openingOf } from './window-opening.ts';

/** What a request is part of. Functions are called only where a budget is about each of them. */
export interface Subjects {
  /** Absent: none. */
  readonly tags?: readonly string[];
  /** A hash; undefined: the conversation or agent cannot be recognised. */
  conversation?(): string | undefined;
  agent?(): string | undefined;
  /** How often its last turns repeat what came directly before them. */
  repeats?(): Awaitable<number>;
}

export interface BudgetGate {
  /**
   * Undefined: the request falls under no budget. Throws AppError budget_closed where one of them
   * is closed at this time, fence_minutes, fence_repeats, fence_pace, database_unavailable.
   */
  windowsOf(
    spender: Spender,
    model: string,
    subjects?: Subjects,
  ): Awaitable<readonly BudgetWindow[]> | undefined;
  /**
   * Counts a request against the rates that it falls under; undefined: none. `tokens` is an
   * estimate, `show` gets what is left. Rejects with AppError rate_requests, rate_tokens,
   * rate_parallel.
   */
  enterRates(request: RatedRequest): Promise<RateTicket> | undefined;
  /** What counts now of the rates of a budget that are for all of its requests together. */
  usedRates(budgetIds: readonly number[]): Awaitable<readonly RateUse[]>;
  /**
   * Quota that budgets of all models let somebody spend now; 0 where one is closed. Undefined: no
   * budget refuses.
   */
  leastLeft(spender: Spender): Promise<number | undefined>;
  /** The windows of all of each budget's requests, opened where they are not yet. */
  openAll(budgets: readonly IndexedBudget[]): Promise<readonly BudgetWindowRow[]>;
  refresh(): Promise<void>;
  /** All of them: another object after each change. */
  budgets(): object;
}

export interface RatedRequest {
  readonly requestId: string;
  readonly spender: Spender;
  readonly model: string;
  readonly tokens: number;
  readonly subjects?: Subjects | undefined;
  readonly show: (room: readonly RateRoom[]) => void;
}

export interface OpenWindow extends Span, PacedWindow {
  readonly window: BudgetWindow;
  /** Undefined: the budget is about money and requests alone. */
  readonly fence: Fence | undefined;
  /** The most repetitions so far. */
  repeats: number;
}

export interface BudgetGateDeps {
  readonly budgets: Pick<
    Storage['budgets'],
    | 'list'
    | 'openWindow'
    | 'openEach'
    | 'findWindow'
    | 'noteRepeats'
    | 'notePace'
    | 'spentByHour'
    | 'spentIn'
  >;
  readonly meter: RateMeter;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

/** No model is called so: budgets of some models are left out. */
const anyModel = '';

export function createBudgetGate({ budgets, meter, clock, logger }: BudgetGateDeps): BudgetGate {
  let index: BudgetIndex = indexBudgets([]);
  let known = new KnownWindows<OpenWindow>();
  let requests = 0;
  const checkPace = createPaceCheck({ budgets, clock, logger });

  const remember = (
    memory: KnownWindows<OpenWindow>,
    budget: IndexedBudget,
    row: BudgetWindowRow,
    now: number,
  ): OpenWindow => {
    const { startsAt, endsAt } = row;
    const opened = {
      startsAt,
      endsAt,
      window: {
        id: row.id,
        budget: budget.name || String(budget.id),
        limit: budget.amount + row.carried + row.extra,
        refuses: budget.atEnd === 'refuse',
        endsAt,
        ...requestLimit(budget, row),
      },
      fence: fenceOf(budget, row),
      repeats: row.repeats,
      pace: row.pace,
    };
    // It was read before a change that came meanwhile, so it serves this request only.
    if (memory === known) known.remember(budget, row.subject, opened, now);
    return opened;
  };

  const windowOf = async (budget: IndexedBudget, subject: string, userId: number) => {
    const [memory, now] = [known, nowSeconds(clock)];
    const row = await budgets.openWindow(openingOf(budget, subject, now, userId));
    return row === null ? null : remember(memory, budget, row, now);
  };

  const lastUseOf = (
    spender: Spender,
    model: string,
    tags: readonly string[] = [],
  ): LastUse<OpenWindow> => {
    const find = () => index.find(spender, model, tags);
    // Tags may be others each time.
    if (tags.length > 0) return { ...spender, model, found: find(), windows: [] };
    return known.lastUseOf(spender, model, find);
  };

  const windowsOf: BudgetGate['windowsOf'] = (spender, model, subjects) => {
    if (index.size === 0) return undefined;
    const use = lastUseOf(spender, model, subjects?.tags);
    const { found } = use;
    if (found === undefined) return undefined;
    const now = nowSeconds(clock);
    const windows: Awaitable<OpenWindow | null>[] = [];
    let waits = false;
    for (const budget of found) requireOpen(budget, now);
    for (const [place, budget] of found.entries()) {
      if (budget.period === 'none') continue;
      // A conversation or an agent may be another one each time.
      const last = mayHaveFence(budget.each) ? undefined : use.windows[place];
      const subject = last?.subject ?? subjectOf(budget, spender, subjects);
      if (subject === undefined) continue;
      const opened = known.find(use, place, budget, subject, now);
      waits ||= opened === undefined;
      windows.push(opened ?? windowOf(budget, subject, spender.userId));
    }
    if (windows.length === 0) return undefined;
    if (!waits) return enter(windows as readonly OpenWindow[], now, spender, subjects);
    return Promise.all(windows).then((all) =>
      enter(
        all.filter((one) => one !== null),
        now,
        spender,
        subjects,
      ),
    );
  };

  /** Throws AppError fence_minutes, fence_repeats, fence_pace. */
  const enter = (
    opened: readonly OpenWindow[],
    now: number,
    spender: Spender,
    subjects: Subjects | undefined,
  ): Awaitable<readonly BudgetWindow[]> => {
    const looks = opened.some(({ fence }) => fence !== undefined && fence.repeats > 0);
    const repeats = (looks ? subjects?.repeats?.() : undefined) ?? 1;
    return repeats instanceof Promise
      ? repeats.then((count) => fence(opened, now, spender, count))
      : fence(opened, now, spender, repeats);
  };

  const fence = (
    opened: readonly OpenWindow[],
    now: number,
    spender: Spender,
    repeats: number,
  ): Awaitable<readonly BudgetWindow[]> => {
    const present: BudgetWindow[] = [];
    let isPaced = false;
    for (const one of opened) {
      fenceIn(one, now, repeats);
      present.push(one.window);
      isPaced ||= hasPace(one);
    }
    return isPaced ? checkPace(opened.filter(hasPace), spender).then(() => present) : present;
  };

  /** Throws AppError fence_minutes, fence_repeats. */
  const fenceIn = (opened: OpenWindow, now: number, repeats: number): void => {
    const { window, fence } = opened;
    if (fence === undefined) return;
    if (fence.repeats > 0 && repeats > 1 && repeats > opened.repeats) {
      opened.repeats = repeats;
      // For the notices: a request does not wait for it.
      budgets.noteRepeats(window.id, repeats).catch((error: unknown) => {
        logger.warn({ error, window: window.id }, 'repetitions could not be noted');
      });
    }
    if (window.refuses) requireInside(fence, now, repeats);
  };

  const ratesFor = (request: RatedRequest): Promise<RateTicket> | undefined => {
    if (!index.hasRates) return undefined;
    const { requestId, spender, model, tokens, subjects, show } = request;
    const asks: NamedAsk[] = [];
    for (const budget of index.find(spender, model, subjects?.tags) ?? []) {
      const subject = subjectOf(budget, spender, subjects);
      const ask = subject === undefined ? undefined : askOf(budget, subject);
      if (ask !== undefined) asks.push(ask);
    }
    if (asks.length === 0) return undefined;
    requests += 1;
    return enterRates(meter, `${requestId} ${requests}`, tokens, asks, show);
  };

  return {
    windowsOf,
    enterRates: ratesFor,
    usedRates: (ids) => meter.read(ids.map((id) => `${id} `)),
    leastLeft: async (spender) => {
      let left: number | undefined;
      try {
        for (const { id, limit, refuses } of (await windowsOf(spender, anyModel)) ?? []) {
          const row = refuses ? await budgets.findWindow(id) : null;
          if (row !== null) left = Math.max(0, Math.min(left ?? limit, limit - row.spent));
        }
      } catch (error) {
        if (error instanceof AppError && error.code === 'budget_closed') return 0;
        throw error;
      }
      return left;
    },
    openAll: async (all) => {
      const [memory, now] = [known, nowSeconds(clock)];
      const rows = await budgets.openEach(all.map((budget) => openingOf(budget, '', now)));
      for (const [place, budget] of all.entries()) {
        const row = rows[place] ?? null;
        if (row !== null) remember(memory, budget, row, now);
      }
      return rows.filter((row) => row !== null);
    },
    refresh: async () => {
      index = indexBudgets(await budgets.list());
      known = new KnownWindows();
    },
    budgets: () => index,
  };
}

/** Throws AppError budget_closed. */
function requireOpen(budget: IndexedBudget, now: number): void {
  if (budget.atEnd !== 'refuse') return;
  const until = closedUntil(budget, now);
  if (until === undefined) return;
  throw new AppError('budget_closed', {
    budget: budget.name || String(budget.id),
    ...(until !== neverEnds && {
      until: new Date(until * 1000).toISOString(),
      retryAfter: until - now,
    }),
  });
}

/** Undefined: nothing of the request has a window of its own. */
function subjectOf(
  { each, owner }: IndexedBudget,
  { tokenId, userId }: Spender,
  subjects: Subjects = {},
): string | undefined {
  if (each === 'token') return tokenId === 0 ? playgroundSubject(owner, userId) : String(tokenId);
  if (each === 'user') return String(userId);
  if (each === 'conversation') return subjects.conversation?.();
  return each === 'agent' ? subjects.agent?.() : '';
}
