/**
 * What the ledger hands to the database, as plain data: it crosses a thread on SQLite. One batch is one transaction; the
 * order inside it is the order in which balances changed.
 */
import type { LedgerKind } from '../../vocabulary/ledger-kinds.ts';

/** Columns of a usage-log row. Times are Unix seconds, `useTime` whole seconds, `other` JSON text. */
export interface SettledLog {
  readonly userId: number;
  readonly username: string;
  readonly createdAt: number;
  readonly type: number;
  readonly content: string;
  readonly tokenName: string;
  readonly tokenId: number;
  readonly modelName: string;
  readonly quota: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly useTime: number;
  readonly isStream: boolean;
  readonly channelId: number;
  readonly group: string;
  readonly requestId: string;
  readonly other: string;
}

/** A request that was answered. `amount` ≥ 0 is what it costs; 0 writes no posting and moves no counter. */
export interface ChargeSettlement {
  readonly kind: 'charge';
  readonly requestId: string;
  readonly userId: number;
  /** 0: none. */
  readonly tokenId: number;
  readonly channelId: number;
  readonly amount: number;
  readonly at: number;
  readonly log: SettledLog | null;
  /** The hour's row of `quota_data` it is added to. `hour` in Unix seconds. */
  readonly rollup: {
    readonly modelName: string;
    readonly username: string;
    readonly hour: number;
    readonly tokens: number;
  } | null;
}

/** Any other change of a wallet. */
export interface PostingSettlement {
  readonly kind: 'posting';
  readonly posting: Exclude<LedgerKind, 'charge'>;
  readonly userId: number;
  readonly amount: number;
  readonly reference: string | null;
  readonly at: number;
  readonly log: SettledLog | null;
  /** Marks the code used where it is unused, or nothing is posted. */
  readonly redeem: { readonly redemptionId: number } | null;
}

/** What a token may still spend, set by its owner. */
export interface AllowanceSettlement {
  readonly kind: 'allowance';
  readonly tokenId: number;
  readonly remainQuota: number;
  readonly unlimited: boolean;
}

export type Settlement = ChargeSettlement | PostingSettlement | AllowanceSettlement;

/** Per settlement of the batch, in its order. */
export interface SettlementResult {
  /** False: the reference was posted before, the guard did not hold, or the account is gone. */
  readonly done: boolean;
  /** The wallet after it; 0 for allowances. */
  readonly balance: number;
}

/**
 * The log row of a charge with `debt` in `other` (spec, billing 8): the part of `amount` that went below zero, where the
 * wallet stood at `before`, in quota.
 */
export function tellDebt(log: SettledLog, before: number, amount: number): SettledLog {
  const debt = Math.max(0, amount - before) - Math.max(0, -before);
  if (debt <= 0) return log;
  const { other } = log;
  return { ...log, other: other === '' || other === '{}' ? `{"debt":${debt}}` : `${other.slice(0, -1)},"debt":${debt}}` };
}
