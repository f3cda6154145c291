/**
 * The interface of the ledger (docs/rules/ledger.md). `memory-ledger.ts` implements it for one
 * process on SQLite, `postgres-ledger.ts` for processes that share PostgreSQL. Every change of a
 * balance in the product goes through here and becomes a row of the append-only ledger.
 */
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import type { AppError } from '../kernel/errors.ts';
import type { Quota } from '../kernel/quota.ts';
import type { Guard } from '../storage/ledger/guards.ts';
import type { ChargeRollup, RefundedCharge, SettledLog } from '../storage/ledger/settlement.ts';
import type { ChainBreakReason, LinkedTable } from '../vocabulary/ledger-chain.ts';
import type { LedgerKind } from '../vocabulary/ledger-kinds.ts';

/** A row for the usage log, written in the same transaction as the posting it explains. */
export type NewLog = SettledLog;

/** Unix seconds of a posting: those of the row that explains it, so that both are of one month. */
export function timeOf(log: NewLog | null, clock: Clock): number {
  return log?.createdAt ?? nowSeconds(clock);
}

export interface HoldRequest {
  readonly requestId: string;
  readonly userId: number;
  /** 0: no token, the wallet alone (playground). */
  readonly tokenId: number;
  /** The full estimate. */
  readonly amount: Quota;
  /**
   * A smaller hold for wallets that cannot cover the estimate, one request at a time; undefined:
   * not offered.
   */
  readonly smallAmount?: Quota;
  /** The windows of the budgets that the request falls under. Undefined: none. */
  readonly windows?: readonly BudgetWindow[];
}

/** A window of a budget, as a request is held against it (docs/rules/budgets.md#admission). */
export interface BudgetWindow {
  readonly id: number;
  /** The budget, as the caller is shown it. */
  readonly budget: string;
  /** Quota that may be spent in it. */
  readonly limit: number;
  /** False: what is beyond the limit is counted and not refused. */
  readonly refuses: boolean;
  /** Unix seconds; `neverEnds`: it does not. */
  readonly endsAt: number;
  /** Requests that may be charged in it. Absent: any number. */
  readonly mostRequests?: number;
  /** The ledger's, which finds what it knows of the window again without a look-up. */
  account?: WindowAccount;
}

/** What a ledger of one process knows of a window. */
export interface WindowAccount {
  spent: number;
  held: number;
  requests: number;
  /** Holds in it, and charges that are not written yet. */
  holds: number;
  /** Another one stands for the window, or will. */
  isForgotten: boolean;
}

/** The window that has least left, with what the request holds taken off. */
export interface TightestWindow extends Pick<BudgetWindow, 'budget' | 'limit' | 'endsAt'> {
  readonly left: number;
}

/** What a request holds in a window. */
export interface WindowHold {
  readonly id: number;
  readonly amount: number;
  /** Absent: the rows of the database count. */
  readonly account?: WindowAccount | undefined;
}

export interface Hold {
  readonly requestId: string;
  readonly userId: number;
  readonly tokenId: number;
  readonly amount: Quota;
  /** Admitted on the smaller hold. */
  readonly small: boolean;
  /** Absent: the request falls under no budget. */
  readonly windows?: readonly WindowHold[];
  readonly tightest?: TightestWindow;
}

/** The windows that a hold is in; undefined: none. */
export const windowIds = ({ windows }: Hold): readonly number[] | undefined =>
  windows?.map(({ id }) => id);

export interface ChargeRequest {
  /** What the request costs in all, ≥ 0; 0 is settled too (log row, no posting). */
  readonly amount: Quota;
  readonly channelId: number;
  /**
   * Null: LogConsumeEnabled is off. `ledger` adds `debt` to `other` where the charge went below
   * zero.
   */
  readonly log: NewLog | null;
  /** Null: DataExportEnabled is off. */
  readonly rollup: ChargeRollup | null;
  /** Must hold in the charge's own transaction, or nothing is charged. */
  readonly guard?: Guard;
}

/** What is taken back of work that failed after it was charged. */
export interface RefundRequest {
  readonly userId: number;
  readonly charges: readonly RefundedCharge[];
  /** Refunding the same reference again does nothing. */
  readonly reference: string;
  readonly log: NewLog;
  /** Must hold in the refund's own transaction, or nothing is refunded. */
  readonly guard: Guard;
}

export interface PostingRequest {
  readonly userId: number;
  readonly kind: Exclude<LedgerKind, 'charge'>;
  /** Signed. */
  readonly amount: Quota;
  /** Unique per kind: posting the same reference again does nothing. Null: none. */
  readonly reference: string | null;
  readonly log?: NewLog;
  /** Must hold in the posting's own transaction, or nothing is posted. */
  readonly guard?: Guard;
}

/**
 * `token`: remaining + used quota; `token_used`: used quota alone; `statement`: a stored figure of
 * a user's month; `budget`: what was spent in a window.
 */
export type DriftAccount = 'user' | 'token' | 'token_used' | 'statement' | 'budget';

/** Where a chain does not hold. */
export interface ChainBreak {
  readonly table: LinkedTable;
  readonly reason: ChainBreakReason;
  /** The first row, and the last one. */
  readonly id: number;
  readonly until: number;
}

export interface ChainVerification {
  /** Postings whose links were followed. */
  readonly linked: number;
  /** Postings from before the chain, which are hashed as a whole. */
  readonly earlier: number;
  /** When the newest link was noted in the data folder, in Unix seconds; null: it is not. */
  readonly notedAt: number | null;
  readonly breaks: readonly ChainBreak[];
}

export interface LedgerVerification {
  readonly ok: boolean;
  readonly users: number;
  readonly postings: number;
  readonly sum: number;
  readonly staleHolds: number;
  readonly chain: ChainVerification;
  readonly drifts: readonly {
    readonly account: DriftAccount;
    readonly id: number;
    readonly name: string;
    readonly expected: number;
    readonly actual: number;
    readonly drift: number;
  }[];
}

export interface Ledger {
  /**
   * Holds the estimate in wallet, token and windows, atomically and never below zero. Throws
   * AppError not_found, token_unknown, token_exhausted, insufficient_user_quota,
   * pre_consume_token_quota_failed, small_hold_busy, budget_exceeded, ledger_unavailable.
   */
  hold(request: HoldRequest): Promise<Hold>;
  /**
   * Charges in full and ends the hold; resolves with the new balance once committed. What exceeds
   * the balance becomes a debt. While the database is unavailable it waits, half a minute at most.
   * Throws AppError ledger_refused where this charge can never be written, ledger_unavailable where
   * that took too long, ledger_conflict where its guard did not hold; the hold ends too.
   */
  settle(hold: Hold, charge: ChargeRequest): Promise<Quota>;
  /** Ends the hold; nothing is posted. */
  release(hold: Hold): Promise<void>;
  /**
   * Any other change of a balance. `posted` is false when the reference exists or the guard did not
   * hold. Throws AppError not_found, ledger_refused, ledger_unavailable (nothing was posted), and
   * balance_limit where the balance would pass 2^53 − 1.
   */
  post(posting: PostingRequest): Promise<{ readonly posted: boolean; readonly balance: Quota }>;
  /**
   * Takes charges back: balance, used quota, allowances and hourly sums are as if they had not been
   * made. False: the reference exists or the guard did not hold. Throws AppError ledger_refused.
   */
  refund(request: RefundRequest): Promise<boolean>;
  /**
   * Sets what a token may still spend: an allowance, not a balance
   * (docs/rules/ledger.md#token-allowance). Null leaves it as it is at the time of the change,
   * whatever is being charged meanwhile. Throws AppError token_unknown, ledger_refused.
   */
  setTokenAllowance(tokenId: number, remainQuota: Quota | null, unlimited: boolean): Promise<void>;
  /** The balance, and how much of it is held right now. Throws AppError not_found. */
  balance(userId: number): Promise<{ readonly quota: Quota; readonly held: Quota }>;
  /**
   * Recomputes every balance, statement and token from the postings and allowances, and follows
   * their chains. Throws AppError ledger_unavailable with the reason where what is queued cannot be
   * written first.
   */
  verify(): Promise<LedgerVerification>;
  /**
   * Notes the newest links outside of the database, where it has a place for them
   * (docs/rules/ledger.md#newest-link). Never rejects.
   */
  noteHead(): Promise<void>;
  /**
   * Settlements that wait to be written; `stalled`: the database refuses writes, and nothing is
   * admitted; `failure`: why.
   */
  queue(): { readonly waiting: number; readonly stalled: boolean; readonly failure?: AppError };
  /** Number of holds of this process that are not settled or released yet. */
  holds(): number;
  /** The gateway stops: nobody waits longer than ten seconds for a settlement from now on. */
  hurry(): void;
  /** Waits for everything that is queued, a few seconds at most. */
  drain(): Promise<void>;
  /**
   * Ends background work, then drains, and notes the newest links. Charges that cannot be written
   * stay in the journal.
   */
  close(): Promise<void>;
}
