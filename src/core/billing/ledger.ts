/**
 * The money seam (design, product 3; spec, billing 4–6). Two engines implement it: `memory-ledger.ts` for one process on
 * SQLite, `postgres-ledger.ts` for conditional updates on PostgreSQL. Every change of a balance in the product goes
 * through here and becomes a row of the append-only ledger.
 */
import type { Quota } from '../kernel/quota.ts';
import type { SettledLog } from '../storage/ledger/settlement.ts';
import type { LedgerKind } from '../vocabulary/ledger-kinds.ts';

/** A row for the usage log, written in the same transaction as the posting it explains. */
export type NewLog = SettledLog;

export interface HoldRequest {
  readonly requestId: string;
  readonly userId: number;
  /** 0: no token, the wallet alone (playground). */
  readonly tokenId: number;
  /** Full estimate. */
  readonly amount: Quota;
  /** Smaller hold for wallets that cannot cover the estimate, one request at a time; undefined: not offered. */
  readonly smallAmount?: Quota;
}

export interface Hold {
  readonly requestId: string;
  readonly userId: number;
  readonly tokenId: number;
  readonly amount: Quota;
  /** Admitted on the smaller hold. */
  readonly small: boolean;
}

export interface ChargeRequest {
  /** What the request costs in all; 0 is settled too (log row, no posting). */
  readonly amount: Quota;
  readonly channelId: number;
  /** Null: LogConsumeEnabled is off. `ledger` adds `debt` to `other` where the charge went below zero. */
  readonly log: NewLog | null;
  /** Null: DataExportEnabled is off. */
  readonly rollup: {
    readonly modelName: string;
    readonly username: string;
    readonly hour: number;
    readonly tokens: number;
  } | null;
}

/** A condition that must become true in the posting's own transaction, or nothing is posted. */
export type PostingGuard =
  /** Marks the code used where it is unused. */
  { readonly kind: 'redeem'; readonly redemptionId: number; readonly at: number };

export interface PostingRequest {
  readonly userId: number;
  readonly kind: Exclude<LedgerKind, 'charge'>;
  /** Signed. */
  readonly amount: Quota;
  /** Unique per kind where given: posting the same again does nothing. */
  readonly reference: string | null;
  readonly log?: NewLog;
  readonly guard?: PostingGuard;
}

export interface LedgerVerification {
  readonly ok: boolean;
  readonly users: number;
  readonly postings: number;
  readonly sum: number;
  readonly staleHolds: number;
  readonly drifts: readonly {
    readonly account: 'user' | 'token';
    readonly id: number;
    readonly name: string;
    readonly expected: number;
    readonly actual: number;
    readonly drift: number;
  }[];
}

export interface Ledger {
  /**
   * Holds the estimate in wallet and token, atomically and never below zero. Throws AppError token_exhausted, insufficient_user_quota,
   * pre_consume_token_quota_failed, small_hold_busy, ledger_unavailable.
   */
  hold(request: HoldRequest): Promise<Hold>;
  /** Charges in full, drops the hold; resolves once committed. What exceeds the free balance becomes a debt. */
  settle(hold: Hold, charge: ChargeRequest): Promise<void>;
  /** Gives the hold back; nothing is posted. */
  release(hold: Hold): Promise<void>;
  /** Any other change of a balance. `posted` is false when the reference exists or the guard did not hold. */
  post(posting: PostingRequest): Promise<{ readonly posted: boolean; readonly balance: Quota }>;
  /** Sets what a token may still spend: an allowance, not a balance, so it needs no posting. */
  setTokenAllowance(tokenId: number, remainQuota: Quota, unlimited: boolean): Promise<void>;
  /** Balance and what of it is held right now. Throws AppError not_found. */
  balance(userId: number): Promise<{ readonly quota: Quota; readonly held: Quota }>;
  /** Recomputes every balance from its postings. */
  verify(): Promise<LedgerVerification>;
  /** Waits for what is being written. */
  drain(): Promise<void>;
  /** Ends what runs in the background, then drains. Only on engines with something to end. */
  close?(): Promise<void>;
}
