import type { FilterValues } from '../../entities/filters.ts';
import type { topUpFilters } from '../../entities/top-up-filters.ts';
import type { Quota } from '../../kernel/quota.ts';
import type { TopUpStatus } from '../../vocabulary/statuses.ts';
import type { Listing, PageRequest, TimeRange } from './listing.ts';

/**
 * A row of `top_ups`: an order for quota (docs/rules/process.md#tables). Only a guarded posting of
 * the ledger makes it `success`. Times are Unix seconds.
 */
export interface TopUp {
  readonly id: number;
  readonly userId: number;
  /** Ordered currency units, or quota where amounts are shown as quota. */
  readonly amount: number;
  /** Amount to be paid, in cents; column `money`. */
  readonly moneyCents: number;
  /** Credited once the order is paid; calculated when the order was created. */
  readonly quota: Quota;
  readonly tradeNo: string;
  readonly status: TopUpStatus;
  readonly paymentMethod: string;
  readonly goodsName: string;
  readonly createTime: number;
  /** 0 until paid. */
  readonly finishTime: number;
  readonly providerTradeNo: string;
  readonly topUpCode: string;
  readonly note: string;
  /**
   * Paid back, in cents; changed by guarded postings, and by `setRefunded` where the account is gone.
   * Column `refunded`.
   */
  readonly refundedCents: number;
}

export type NewTopUp = Omit<
  TopUp,
  'id' | 'finishTime' | 'providerTradeNo' | 'note' | 'refundedCents'
> &
  Partial<TopUp>;

export type TopUpFilter = Omit<FilterValues<typeof topUpFilters>, 'user'> & {
  readonly userId?: number | undefined;
};

export interface TopUpRepository {
  findByTradeNo(tradeNo: string): Promise<TopUp | null>;
  /** How these orders are paid, by their numbers. */
  methods(tradeNos: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Id descending. */
  page(filter: TopUpFilter, page: PageRequest): Promise<Listing<TopUp>>;
  /** Returns the new id. Throws `conflict` for an existing trade number. */
  insert(topUp: NewTopUp): Promise<number>;
  /** Pending → failed, with a note. */
  fail(tradeNo: string, note: string): Promise<boolean>;
  /** False: its status or note is another one since it was read. */
  setNote(order: Pick<TopUp, 'tradeNo' | 'status' | 'note'>, note: string): Promise<boolean>;
  /** False: not `from` cents were paid back, or the order is not paid. */
  setRefunded(tradeNo: string, from: number, to: number): Promise<boolean>;
  /**
   * Cents of successful orders finished in the range, less what was paid back of them, of one user
   * or of all.
   */
  sumPaid(range: TimeRange, userId?: number): Promise<number>;
  /** Pending orders created before a time with an id above `afterId`, id ascending, for expiry. */
  listPending(before: number, afterId: number, limit: number): Promise<readonly TopUp[]>;
  /**
   * Successful orders finished at or after a time that are not paid back in full, with an id above
   * `afterId`, id ascending.
   */
  listPaid(since: number, afterId: number, limit: number): Promise<readonly TopUp[]>;
}
