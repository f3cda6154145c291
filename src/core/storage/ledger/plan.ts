/**
 * The contract between the rules of money (billing/plan) and the writers of both engines: a writer
 * reads the state of what a batch involves, has it planned, and writes the plan, all in one
 * transaction.
 */
import type { GuardChange, GuardedRow } from './guards.ts';
import type { RollupRows } from './rollups.ts';
import type { SettledLog, Settlement, SettlementResult } from './settlement.ts';

export interface StoredWallet {
  readonly quota: number;
  readonly used: number;
  /**
   * How far the stored balance lies beyond `quota`, which is the nearest safe integer. Undefined:
   * not at all.
   */
  readonly beyond?: bigint;
}

export interface StoredAllowance {
  readonly remain: number;
  readonly unlimited: boolean;
  readonly used: number;
  /**
   * How far the stored remaining and used quota together lie beyond `remain + used`. Undefined: not
   * at all.
   */
  readonly beyond?: bigint;
  /** The same of the used quota alone. */
  readonly beyondUsed?: bigint;
}

/**
 * The rows that a batch involves, as they are inside the transaction. Accounts that do not exist
 * are missing.
 */
export interface LedgerState {
  readonly wallets: ReadonlyMap<number, StoredWallet>;
  /**
   * The last balance of users that the batch charges and that no longer exist; 0 where nothing was
   * ever posted.
   */
  readonly closed: ReadonlyMap<number, number>;
  readonly allowances: ReadonlyMap<number, StoredAllowance>;
  /** Keys ({@link referenceKey}) of references that are posted already. */
  readonly references: ReadonlySet<string>;
  /** Each guarded row by {@link guardKey}. */
  readonly guards: ReadonlyMap<string, Omit<GuardedRow, 'id'>>;
}

export interface PlannedPosting {
  readonly userId: number;
  readonly tokenId: number | null;
  readonly kind: string;
  /** A bigint only where it mends a balance beyond the safe integers. */
  readonly amount: number | bigint;
  readonly balanceAfter: number;
  readonly reference: string | null;
  readonly at: number;
  /** {@link windowText}; absent: it takes nothing from windows. */
  readonly windows?: string;
}

/** A change of what a token was allowed to spend in all, or of its used quota without a posting. */
export interface PlannedAllowance {
  readonly tokenId: number;
  readonly amount: number | bigint;
  /** By how much the used quota changed that no posting of the token explains. */
  readonly used: number | bigint;
  readonly remainAfter: number;
  readonly at: number;
}

/**
 * What a batch writes. Each row of users, tokens, channels, rollups and guards occurs once, and
 * only where it changes.
 */
export interface LedgerPlan {
  /** New rows of `ledger`, in their order. */
  readonly postings: readonly PlannedPosting[];
  /** New rows of `token_allowances`, in their order. */
  readonly allowances: readonly PlannedAllowance[];
  /** New rows of `logs`; `posting` is the index of the posting that a row explains. */
  readonly logs: readonly { readonly row: SettledLog; readonly posting: number | null }[];
  /** `quota` and `used` are new values, `requests` is added. */
  readonly users: readonly {
    readonly id: number;
    readonly quota: number;
    readonly used: number;
    readonly requests: number;
  }[];
  /** New values; `at` null: the time of last use stays. */
  readonly tokens: readonly {
    readonly id: number;
    readonly remain: number;
    readonly unlimited: boolean;
    readonly used: number;
    readonly at: number | null;
  }[];
  /** `used` is added. */
  readonly channels: readonly { readonly id: number; readonly used: number }[];
  /** Added to the rows of their hours. */
  readonly rollups: RollupRows;
  readonly guards: readonly GuardChange[];
  /** The windows of budgets that the batch involves, with what its charges took from them. */
  readonly windows: PlannedWindows;
  /** Request ids whose holds end. Only written where holds are rows. */
  readonly holds: readonly string[];
}

export interface PlannedWindows {
  readonly ids: ReadonlySet<number>;
  /** What all postings of the batch together take from each window. */
  readonly changes: readonly WindowChange[];
}

export interface WindowChange {
  readonly id: number;
  /** Negative: given back. */
  readonly amount: number;
  /** Charges that are added. */
  readonly requests: number;
  /** When the newest of them was, in minutes since 1970: a batch spans seconds. */
  readonly minute: number;
}

/** What a posting takes from windows, by window; negative: it gives back. */
export type WindowAmounts = ReadonlyMap<number, number>;

/**
 * The column `windows` of a posting: a charge takes its amount from each of a list of windows; what
 * a refund gives back is different for each.
 */
export function windowText(kind: string, amounts: WindowAmounts): string {
  return JSON.stringify(kind === 'charge' ? [...amounts.keys()] : Object.fromEntries(amounts));
}

/** Pure; decides everything that a batch writes. */
export type PlanBatch = (
  batch: readonly Settlement[],
  state: LedgerState,
) => { readonly plan: LedgerPlan; readonly results: readonly SettlementResult[] };

/** References are unique per kind. */
export const referenceKey = (kind: string, reference: string): string => `${kind} ${reference}`;

export const guardKey = ({ table, id }: { readonly table: string; readonly id: number }): string =>
  `${table} ${id}`;
