import type { Quota } from '../../kernel/quota.ts';
import type { Listing, PageRequest } from './listing.ts';

/**
 * A row of `redemptions`. Administrators see the whole keys, because they give them to users
 * (docs/rules/payments.md#redemption-codes).
 */
export interface Redemption {
  readonly id: number;
  /** The administrator who created it. */
  readonly userId: number;
  readonly key: string;
  readonly status: number;
  readonly name: string;
  readonly quota: Quota;
  readonly createdTime: number;
  /** 0 until used. */
  readonly redeemedTime: number;
  readonly usedUserId: number;
  readonly deletedAt: number | null;
}

export type NewRedemption = Pick<Redemption, 'userId' | 'key' | 'name' | 'quota' | 'createdTime'> & Partial<Redemption>;

/** Soft-deleted codes are never returned. */
export interface RedemptionRepository {
  find(id: number): Promise<Redemption | null>;
  findByKey(key: string): Promise<Redemption | null>;
  /** Id descending; `keyword` is a prefix of the name, ignoring case, or the id. */
  page(filter: { readonly keyword?: string; readonly status?: number }, page: PageRequest): Promise<Listing<Redemption>>;
  /** Inserts all rows in one transaction. Returns the ids in order. */
  insertMany(redemptions: readonly NewRedemption[]): Promise<readonly number[]>;
  /** Only while the code is unused (status 1); false otherwise. */
  update(id: number, change: Partial<Pick<Redemption, 'name' | 'quota'>>): Promise<boolean>;
  /** Changes the status from `from` to `to`; false if it is not `from`. */
  setStatus(id: number, from: number, to: number): Promise<boolean>;
  /** Marks an unused code as used. Of several concurrent callers exactly one gets true. */
  markUsed(id: number, userId: number, at: number): Promise<boolean>;
  softDelete(id: number, at: number): Promise<boolean>;
}
