import type { Quota } from '../../kernel/quota.ts';
import type { TopUpStatus } from '../../vocabulary/statuses.ts';
import type { Listing, PageRequest, TimeRange } from './listing.ts';

/** A row of `top_ups`: an order for quota (spec, accounts and payments 11.5, 13.3). Times are Unix seconds. */
export interface TopUp {
  readonly id: number;
  readonly userId: number;
  /** Units ordered, or points when amounts are shown as points. */
  readonly amount: number;
  /** What is to be paid, in cents: column `money`. */
  readonly moneyCents: number;
  /** Credited once the money is there; reckoned when the order was made. */
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
}

export type NewTopUp = Omit<TopUp, 'id' | 'finishTime' | 'providerTradeNo' | 'note'> & Partial<TopUp>;

/** Bounds are laid on the create time. */
export interface TopUpFilter extends TimeRange {
  readonly userId?: number;
  readonly status?: TopUpStatus;
  /** Contained in the trade number, ignoring case. */
  readonly tradeNo?: string;
}

export interface TopUpRepository {
  findByTradeNo(tradeNo: string): Promise<TopUp | null>;
  /** Id descending. */
  page(filter: TopUpFilter, page: PageRequest): Promise<Listing<TopUp>>;
  /** Returns the new id; a trade number that exists is `conflict`. */
  insert(topUp: NewTopUp): Promise<number>;
  /** Pending or failed → success. Exactly one caller gets true, and credits the quota in the same transaction. */
  complete(tradeNo: string, payment: Pick<TopUp, 'paymentMethod' | 'providerTradeNo' | 'finishTime'>): Promise<boolean>;
  /** Pending → failed, with a note. */
  fail(tradeNo: string, note: string): Promise<boolean>;
  setNote(tradeNo: string, note: string): Promise<boolean>;
  /** Cents of successful orders whose finish time lies in the range; of one user or of all. */
  sumPaid(range: TimeRange, userId?: number): Promise<number>;
  /** Pending orders made before a time, oldest first: for the sweeper. */
  listPending(before: number, limit: number): Promise<readonly TopUp[]>;
}
