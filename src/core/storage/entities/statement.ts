import type { LedgerKind } from '../../vocabulary/ledger-kinds.ts';
import type { Posting } from './ledger.ts';
import type { Listing, PageRequest } from './listing.ts';

/** How far the postings of a user are in the statements (docs/rules/ledger.md#statement). Months are year × 100 + month. */
export interface StatementProgress {
  /** The last posting. 0: none. */
  readonly lastId: number;
  /** The balance after it. */
  readonly balance: number;
  /** The month that it belongs to; earlier ones no longer change. */
  readonly month: number;
}

export interface StatementMonth {
  readonly month: number;
  /** The last posting of the month. Its postings are those after the last one of the month before. */
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
  /** Zeros where nothing is summed yet. User 0: up to which posting all users were looked at, and the last closed month. */
  progress(userId: number): Promise<StatementProgress>;
  /**
   * Adds sums and sets months and progress, all or nothing. False: another process was first, and nothing was written.
   * `from` is the progress that the sums begin after.
   */
  advance(
    userId: number,
    from: StatementProgress,
    to: StatementProgress,
    sums?: readonly StatementSum[],
    months?: readonly StatementMonth[],
  ): Promise<boolean>;
  /** A user's postings after one, id ascending. */
  postingsAfter(userId: number, id: number, limit: number): Promise<readonly Posting[]>;
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
  /** The users with postings between two ids (exclusive, inclusive). */
  usersBetween(after: number, upTo: number): Promise<readonly number[]>;
  /** 0: there are no postings. */
  newestPosting(): Promise<number>;
  /** Compares sums by month and kind, and closing balances, with the postings. User and month ascending. */
  verify(): Promise<readonly StatementDrift[]>;
}
