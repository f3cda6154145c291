import type { budgetFields } from '../../entities/budget.ts';
import type { RowOf, WritableRow } from '../../entities/field.ts';
import type { PageRequest } from '../../kernel/page.ts';

/** A row of `budgets` (docs/rules/budgets.md). */
export type Budget = RowOf<typeof budgetFields>;
export type NewBudget = Pick<Budget, 'userId' | 'owner' | 'ownerId' | 'amount' | 'createdTime'> &
  Partial<Budget>;
export type BudgetChange = Partial<WritableRow<typeof budgetFields, 'edit'>>;

/** A row of `budget_windows`. Times are Unix seconds, amounts quota. */
export interface BudgetWindowRow {
  readonly id: number;
  readonly budgetId: number;
  readonly revision: number;
  /** Whose window it is, where each has one (`playgroundOf`: without a token); '': the owner's. */
  readonly subject: string;
  readonly startsAt: number;
  /** `neverEnds`: it does not. */
  readonly endsAt: number;
  /** What its time had cost before it was opened. */
  readonly opening: number;
  /** What the window before left to it, and what was added by hand. */
  readonly carried: number;
  readonly extra: number;
  readonly spent: number;
  /** PostgreSQL only. */
  readonly held: number;
  /** The highest threshold that was reported, in per cent. */
  readonly warned: number;
  /** Charges, and how many requests beyond the budget's own limit are allowed. */
  readonly requests: number;
  readonly extraRequests: number;
  /** From when minutes are counted, where that is after `startsAt`; 0: it is not. */
  readonly fencedFrom: number;
  /** How often the window was given more. */
  readonly grants: number;
  /** The most often that the same was done in a row. */
  readonly repeats: number;
  /** The most times the usual that was spent in minutes; since it was last given more. */
  readonly pace: number;
  /** Whose conversation or agent it is; 0: it is none, or from before this was noted. */
  readonly userId: number;
}

/** Whose charges a window begins with; null: none, as they cannot be distinguished. */
export interface SpentBefore {
  /** 0: what the user spends without one. */
  readonly tokenId?: number;
  readonly userId?: number;
  readonly group?: string;
  /** Empty: all. */
  readonly models: readonly string[];
  /** '': all. */
  readonly tag: string;
}

export interface WindowOpening {
  readonly budgetId: number;
  readonly revision: number;
  readonly subject: string;
  /** Unix seconds. A rolling window that is open at this time is found instead. */
  readonly startsAt: number;
  readonly endsAt: number;
  readonly isRolling: boolean;
  /** Absent: no conversation or agent. */
  readonly userId?: number;
  readonly before: SpentBefore | null;
  /** What else its time had cost, of which there is no posting. */
  readonly opening?: number;
  /** From what the window before it had left, null: there is none. Absent: nothing is carried. */
  readonly carriedFrom?: (previous: BudgetWindowRow | null) => number;
}

/** The window of a conversation or agent. `username`: whose it is; '': not known. */
export interface ConversationWindow {
  readonly window: BudgetWindowRow;
  readonly username: string;
}

/** Absent: all. */
export interface ConversationFilter {
  readonly now: number;
  readonly userId?: number | undefined;
  readonly budgetId?: number | undefined;
  readonly windowId?: number | undefined;
}

/** Absent: all. */
export interface OpenWindowFilter {
  readonly budgetIds?: readonly number[] | undefined;
  readonly windowIds?: readonly number[] | undefined;
  /** Of a budget for each conversation or agent so many. */
  readonly mostOfEach?: number | undefined;
  /** Of budgets for each of these, the windows of some alone. */
  readonly parts?: { readonly each: string; readonly subjects: readonly string[] } | undefined;
}

/** Budgets with one of these numbers, or about some owners: theirs, or with a window of theirs. */
export interface BudgetsAbout {
  readonly ids?: readonly number[];
  readonly owner?: string;
  readonly owners?: readonly string[];
  /** What has a window for itself. */
  readonly eachOf?: readonly string[];
}

/** `start`: Unix seconds. */
export interface HourSpent {
  readonly start: number;
  readonly spent: number;
}

/** A window that is not the sum of its charges. Exact. */
export interface WindowDrift {
  readonly windowId: number;
  readonly budgetId: number;
  readonly name: string;
  readonly owner: string;
  readonly ownerId: string;
  readonly each: string;
  readonly subject: string;
  readonly spent: bigint;
  readonly charged: bigint;
}

/** What a step of forgetting did. */
export interface WindowPruning {
  /** Where the next step goes on; null: all is done. */
  readonly next: number | null;
  readonly removed: number;
  /** Of these, windows that were open: processes may remember them. */
  readonly forgotten: number;
}

export interface BudgetRepository {
  /** By id. */
  list(page?: PageRequest): Promise<readonly Budget[]>;
  count(): Promise<number>;
  /** Those about a user, one of its tokens or its group, by id. */
  listFor(userId: number, group: string): Promise<readonly Budget[]>;
  /** By id, so many at most. */
  listAbout(about: BudgetsAbout, most?: number): Promise<readonly Budget[]>;
  find(id: number): Promise<Budget | null>;
  insert(budget: NewBudget): Promise<number>;
  /** `restarts`: windows begin anew. False: there is no such budget. */
  update(id: number, change: BudgetChange, restarts: boolean): Promise<boolean>;
  /** With its windows. */
  remove(id: number): Promise<boolean>;
  /** Finds the window or makes it, once however many processes try; null: the budget is gone. */
  openWindow(opening: WindowOpening): Promise<BudgetWindowRow | null>;
  /** The same for many, each of another budget or subject, with few statements for all of them. */
  openEach(openings: readonly WindowOpening[]): Promise<readonly (BudgetWindowRow | null)[]>;
  findWindow(id: number): Promise<BudgetWindowRow | null>;
  /** Those of the budgets' present revisions that are open at this time, by budget, most spent first. */
  openWindows(now: number, filter?: OpenWindowFilter): Promise<readonly BudgetWindowRow[]>;
  /**
   * Budgets with a window that is near its end, or on the way to it, fullest first. `budgetIds`
   * absent: of all.
   */
  ending(
    now: number,
    most: number,
    budgetIds?: readonly number[],
  ): Promise<readonly Budget['id'][]>;
  /** Open windows of conversations and agents, those that cost most first. */
  listConversations(
    filter: ConversationFilter,
    page: PageRequest,
  ): Promise<{ readonly items: readonly ConversationWindow[]; readonly total: number }>;
  /** Adds to what may be spent in a window, and lets its fence begin anew at `now`. */
  grant(windowId: number, amount: number, now: number): Promise<boolean>;
  /** Keeps the largest. */
  noteRepeats(windowId: number, repeats: number): Promise<void>;
  /** Keeps the largest. */
  notePace(windowId: number, pace: number): Promise<void>;
  /**
   * Quota that was charged in a window in whole minutes since then (Unix seconds), at most in the
   * last quarter of an hour; 0 where its budget has no pace.
   */
  spentIn(windowId: number, since: number): Promise<number>;
  /** What a token (0: none) of a user cost, by hours in which it cost something. */
  spentByHour(
    spender: { readonly userId: number; readonly tokenId: number },
    from: number,
    until: number,
  ): Promise<readonly HourSpent[]>;
  /** Of several callers exactly one gets true. */
  noteWarned(windowId: number, from: number, to: number): Promise<boolean>;
  /** Every window against the charges that it consists of. */
  verify(): Promise<readonly WindowDrift[]>;
  /**
   * A small step of forgetting, of windows whose number is above `after`: those that ended before a
   * time (Unix seconds) or count no more, and conversations and agents without a charge since then.
   */
  prune(before: number, after: number): Promise<WindowPruning>;
}
