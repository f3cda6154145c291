import type { LedgerKind } from '../../vocabulary/ledger-kinds.ts';
import type { Posting } from './ledger.ts';
import type { Listing, PageRequest } from './listing.ts';

/**
 * How far the postings of a user are in the statements (docs/rules/ledger.md#statement). Months are
 * year × 100 + month.
 */
export interface StatementProgress {
  /** The last posting. 0: none. */
  readonly lastId: number;
  /** The balance after it. */
  readonly balance: number;
  /** The month that it belongs to; earlier ones no longer change. */
  readonly month: number;
}

/** What is added to the statements of a user. */
export interface StatementStep {
  readonly userId: number;
  /** The progress that the sums begin after. */
  readonly from: StatementProgress;
  readonly to: StatementProgress;
  readonly sums: readonly StatementSum[];
  readonly months: readonly StatementMonth[];
}

/** What a statement needs of a posting. */
export type SummedPosting = Pick<
  Posting,
  'id' | 'userId' | 'kind' | 'amount' | 'balanceAfter' | 'createdAt'
>;

export interface StatementMonth {
  readonly month: number;
  /**
   * The last posting of the month. Its postings are those after the last one of the month before.
   */
  readonly lastId: number;
  readonly closing: number;
}

/** Postings of one kind on one day, as year × 10,000 + month × 100 + day. */
export interface StatementSum {
  readonly month: number;
  readonly day: number;
  readonly kind: LedgerKind;
  readonly count: number;
  readonly amount: number;
}

export interface WaitingProgress extends StatementProgress {
  /** How many postings of the user are not summed yet. */
  readonly waiting: number;
}

/** A stored figure of a statement that differs from the postings. */
export interface StatementDrift {
  readonly userId: number;
  readonly username: string;
  readonly month: number;
  /** The sum of a kind of postings, their number, or the closing balance. */
  readonly figure: LedgerKind | `${LedgerKind} count` | 'closing';
  readonly stored: bigint;
  readonly posted: bigint;
}

export interface StatementRepository {
  /**
   * Zeros where nothing is summed yet. User 0: up to which posting all users were looked at, and
   * the last closed month.
   */
  progress(userId: number): Promise<StatementProgress>;
  /**
   * The progress of these users, each with the number of postings that wait up to one (inclusive). A
   * user without progress and without such a posting is missing.
   */
  progressOf(
    userIds: readonly number[],
    upTo: number,
  ): Promise<ReadonlyMap<number, WaitingProgress>>;
  /**
   * Adds sums and sets months and progress, all or nothing. False: another process was first, and
   * nothing was written. `from` is the progress that the sums begin after.
   */
  advance(
    userId: number,
    from: StatementProgress,
    to: StatementProgress,
    sums?: readonly StatementSum[],
    months?: readonly StatementMonth[],
  ): Promise<boolean>;
  /**
   * The same for many users, in one transaction. Resolves with the users for
   * whom another process was first: for them nothing was written.
   */
  advanceAll(steps: readonly StatementStep[]): Promise<readonly number[]>;
  /** A user's postings after one, id ascending. */
  postingsAfter(userId: number, id: number, limit: number): Promise<readonly SummedPosting[]>;
  /** The postings of all users between two (exclusive, inclusive), id ascending. */
  postingsBetween(after: number, upTo: number, limit: number): Promise<readonly SummedPosting[]>;
  /** Month ascending. */
  months(userId: number): Promise<readonly StatementMonth[]>;
  /** Day ascending. */
  sums(userId: number, month: number): Promise<readonly StatementSum[]>;
  /** Everything but charges between two postings (exclusive, inclusive), id ascending. */
  movements(
    userId: number,
    range: { readonly after: number; readonly upTo: number; readonly kind?: LedgerKind },
    page: PageRequest,
  ): Promise<Listing<Posting>>;
  /** 0: there are no postings. */
  newestPosting(): Promise<number>;
  /**
   * Compares sums by month and kind, and closing balances, with the postings. User and month
   * ascending.
   */
  verify(): Promise<readonly StatementDrift[]>;
}
