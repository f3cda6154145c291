import type { FilterValues } from '../../entities/filters.ts';
import type { ledgerFilters } from '../../entities/ledger-filters.ts';
import type { Quota } from '../../kernel/quota.ts';
import type { LedgerKind } from '../../vocabulary/ledger-kinds.ts';
import type { Listing, PageRequest } from './listing.ts';

/** A row of `ledger`: one change of a balance (docs/rules/ledger.md#one-way). Never updated. */
export interface Posting {
  readonly id: number;
  readonly userId: number;
  readonly tokenId: number | null;
  readonly kind: LedgerKind;
  /** Signed. */
  readonly amount: Quota;
  /** The balance after this posting. */
  readonly balanceAfter: Quota;
  /** Request id, trade number, code id, …; unique per kind except for charges. */
  readonly reference: string | null;
  readonly createdAt: number;
}

export type LedgerFilter = FilterValues<typeof ledgerFilters> & {
  /** Postings of these users are left out. */
  readonly exceptUsers?: readonly number[];
};

/** An account whose balance is not the sum of its postings. */
export interface LedgerDrift {
  readonly userId: number;
  readonly username: string;
  /** `users.quota`. */
  readonly quota: bigint;
  /** Σ of the user's postings. */
  readonly posted: bigint;
}

/** A token whose remaining and used quota do not add up to what it was allowed. */
export interface AllowanceDrift {
  readonly tokenId: number;
  readonly name: string;
  /** `remain_quota + used_quota`. */
  readonly granted: bigint;
  /** Σ of the token's rows of `token_allowances`. */
  readonly posted: bigint;
}

/** A token whose used quota is not what its postings add up to. */
export interface TokenUseDrift {
  readonly tokenId: number;
  readonly name: string;
  /** `used_quota`. */
  readonly used: bigint;
  /**
   * Σ of the token's charges, less refunds, and what its allowances say of use without postings.
   */
  readonly posted: bigint;
}

/** The read side of the ledger; postings are written by `storage/ledger` only. */
export interface LedgerRepository {
  /**
   * The number of the last charge of the journal that is in the tables
   * (docs/rules/ledger.md#charge-journal).
   */
  appliedCharge(): Promise<number>;
  /** Id descending. */
  page(filter: LedgerFilter, page: PageRequest): Promise<Listing<Posting>>;
  find(id: number): Promise<Posting | null>;
  /**
   * A user's balance at the beginning of each of these hours (Unix seconds), in their order; 0
   * before the first posting. An hour begins with the first posting of any user in it.
   */
  balancesAt(userId: number, hours: readonly number[]): Promise<readonly Quota[]>;
  /** Charges are excluded, because their references are not indexed. */
  findByReference(kind: Exclude<LedgerKind, 'charge'>, reference: string): Promise<Posting | null>;
  /** The postings of one kind with these references, in any order. */
  findByReferences(
    kind: Exclude<LedgerKind, 'charge'>,
    references: readonly string[],
  ): Promise<readonly Posting[]>;
  /** Σ of a user's postings; 0 when there are none. */
  sumByUser(userId: number): Promise<bigint>;
  /** Σ and number of postings per kind, for one user or for all. */
  sumByKind(
    userId?: number,
  ): Promise<
    readonly { readonly kind: LedgerKind; readonly amount: bigint; readonly count: number }[]
  >;
  /** Recomputes every balance; an empty list proves that there is no drift. Id ascending. */
  verify(): Promise<readonly LedgerDrift[]>;
  /**
   * The same for tokens, deleted ones included: remaining + used quota against their allowances. Id
   * ascending.
   */
  verifyTokens(): Promise<readonly AllowanceDrift[]>;
  /** The used quota alone, against the postings. Id ascending. */
  verifyTokenUse(): Promise<readonly TokenUseDrift[]>;
}
