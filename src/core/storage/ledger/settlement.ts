/**
 * What the ledger hands to the database, as plain data: on SQLite it crosses to another thread. One
 * batch is one transaction; balances change in the order of its items.
 */
import type { RowOf } from '../../entities/field.ts';
import type { logFields } from '../../entities/log.ts';
import type { LedgerKind } from '../../vocabulary/ledger-kinds.ts';
import type { Guard } from './guards.ts';
import type { RolledCharge } from './rollups.ts';
import { RefusedItemError } from './write-errors.ts';

/** A row of the usage log as it is charged: its posting's id is known when both are written. */
export type SettledLog = Omit<RowOf<typeof logFields>, 'id' | 'ledgerId' | 'quota'> & {
  readonly quota: number;
};

/** What the hourly sums need to know of a charge besides the charge itself. */
export type ChargeRollup = Pick<
  RolledCharge,
  'username' | 'modelName' | 'hour' | 'tokens' | 'cost' | 'tags' | 'keyName'
>;

/** The cost of a finished request. */
export interface ChargeSettlement {
  readonly kind: 'charge';
  /** Ends the hold of this request, where holds are rows. */
  readonly requestId: string;
  readonly userId: number;
  /** 0: none. */
  readonly tokenId: number;
  /** 0: none. */
  readonly channelId: number;
  /** ≥ 0; 0 writes no posting and changes no counter. */
  readonly amount: number;
  /** Unix seconds. */
  readonly at: number;
  readonly log: SettledLog | null;
  /** What is added to the hourly sums. */
  readonly rollup: ChargeRollup | null;
  /** The windows of budgets that it is spent in. Absent: none. */
  readonly windows?: readonly number[];
  /** Where it does not hold, nothing is charged; the hold ends all the same. */
  readonly guard?: Guard;
  /**
   * Its number in the journal of charges, ascending in a batch; absent: it is not there. SQLite
   * only.
   */
  readonly sequence?: number;
}

/** Any other change of a wallet. */
export interface PostingSettlement {
  readonly kind: 'posting';
  readonly posting: Exclude<LedgerKind, 'charge'>;
  readonly userId: number;
  /** Signed. */
  readonly amount: number;
  /** Unique per kind: a second posting with the same reference is skipped. Null: none. */
  readonly reference: string | null;
  /** Unix seconds. */
  readonly at: number;
  readonly log: SettledLog | null;
  /** The posting is skipped where the guard does not hold. */
  readonly guard: Guard | null;
}

/** A charge that is taken back. */
export interface RefundedCharge {
  /** As it was charged, ≥ 0. */
  readonly amount: number;
  /** 0: none. */
  readonly tokenId: number;
  readonly channelId: number;
  /** Null: it was not added to the hourly sums. */
  readonly rollup: ChargeRollup | null;
  /** The windows of budgets that it was spent in. Absent: none. */
  readonly windows?: readonly number[];
}

/** Takes back what work cost that failed after it was charged (docs/rules/ledger.md#refunds). */
export interface RefundSettlement {
  readonly kind: 'refund';
  readonly userId: number;
  readonly charges: readonly RefundedCharge[];
  /** A second refund with the same reference is skipped. */
  readonly reference: string;
  /** Unix seconds. */
  readonly at: number;
  readonly log: SettledLog | null;
  /** The refund is skipped where the guard does not hold. */
  readonly guard: Guard;
}

/** What a token may still spend, set by its owner. */
export interface AllowanceSettlement {
  readonly kind: 'allowance';
  readonly tokenId: number;
  /** Null: stays what it is when the settlement is written. */
  readonly remainQuota: number | null;
  readonly unlimited: boolean;
  /** Unix seconds. */
  readonly at: number;
}

/** Ends the hold of a request without a charge. Only where holds are rows. */
export interface ReleaseSettlement {
  readonly kind: 'release';
  readonly requestId: string;
  readonly userId: number;
  /** 0: none. */
  readonly tokenId: number;
  /** The windows of budgets that it was held in. Absent: none. */
  readonly windows?: readonly number[];
}

export type Settlement =
  | ChargeSettlement
  | PostingSettlement
  | RefundSettlement
  | AllowanceSettlement
  | ReleaseSettlement;

/**
 * A charge that the journal has, as it waits for the tables: text, because many objects would
 * outlive the young generation.
 */
export interface JournaledCharge
  extends Pick<ChargeSettlement, 'userId' | 'tokenId' | 'amount' | 'windows'> {
  readonly kind: 'journaled';
  readonly sequence: number;
  /** The {@link ChargeSettlement}, with its number. */
  readonly json: string;
}

/**
 * Settlements as one JSON text: an array of objects would be copied to another thread key by key.
 * Throws RefusedItemError where an item has no JSON.
 */
export function textOfBatch(batch: readonly (Settlement | JournaledCharge)[]): string {
  return `[${batch.map((item) => (item.kind === 'journaled' ? item.json : textOf(item))).join(',')}]`;
}

function textOf(item: Settlement): string {
  try {
    return JSON.stringify(item);
  } catch (error) {
    throw error instanceof TypeError ? new RefusedItemError(error) : error;
  }
}

export const batchOfText = (text: string): readonly Settlement[] =>
  JSON.parse(text) as readonly Settlement[];

/** Per settlement of the batch, in its order. */
export interface SettlementResult {
  /**
   * False: the reference was posted before, the guard did not hold, the account is gone (charges
   * and refunds are posted nevertheless), or the item was refused.
   */
  readonly done: boolean;
  /** The wallet after the item; 0 for allowances and releases. */
  readonly balance: number;
  /** What the token of a charge may still spend after it; absent: there is no token. */
  readonly remain?: number;
  /** The same for the tokens of a refund, by id. */
  readonly remains?: Readonly<Record<number, number>>;
  /** Why the item was refused; nothing of it was written. The rest of its batch is not affected. */
  readonly refused?: string;
  /**
   * It was refused because the balance would pass the range of quota
   * (docs/rules/ledger.md#quota-range).
   */
  readonly overLimit?: true;
}
