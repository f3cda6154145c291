import type { RowOf, WritableRow } from '../../entities/field.ts';
import type { FilterValues } from '../../entities/filters.ts';
import type { redemptionFields } from '../../entities/redemption.ts';
import type { redemptionFilters } from '../../entities/redemption-filters.ts';
import type { Listing, PageRequest } from './listing.ts';

/** A row of `redemptions` (docs/rules/payments.md#redemption-codes). */
export type Redemption = RowOf<typeof redemptionFields>;

export type RedemptionChange = Partial<WritableRow<typeof redemptionFields>>;

export type NewRedemption = Pick<Redemption, 'userId' | 'key' | 'name' | 'quota' | 'createdTime'> &
  Partial<Redemption>;

export type RedemptionFilter = FilterValues<typeof redemptionFilters>;

/**
 * A time in Unix seconds decides which unused codes are expired. Soft-deleted codes are never
 * returned; only their names are.
 */
export interface RedemptionRepository {
  find(id: number): Promise<Redemption | null>;
  findByKey(key: string): Promise<Redemption | null>;
  /** What these codes are called, by their ids. */
  names(ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** Id descending. */
  page(filter: RedemptionFilter, page: PageRequest, now: number): Promise<Listing<Redemption>>;
  /** Inserts all rows in one transaction. Returns the ids in order. */
  insertMany(redemptions: readonly NewRedemption[]): Promise<readonly number[]>;
  /** Only while the code is unused (status 1); false otherwise. */
  update(id: number, change: RedemptionChange): Promise<boolean>;
  /** Changes the status from `from` to `to`; false if it is not `from`. */
  setStatus(id: number, from: number, to: number): Promise<boolean>;
  /** Marks an unused code as used. Of several concurrent callers exactly one gets true. */
  markUsed(id: number, userId: number, at: number): Promise<boolean>;
  softDelete(id: number, at: number): Promise<boolean>;
  /**
   * Deletes the codes that cannot be redeemed: used, disabled and expired ones. Returns how many.
   */
  softDeleteInvalid(at: number): Promise<number>;
}
