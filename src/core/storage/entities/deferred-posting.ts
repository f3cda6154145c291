import type { LedgerKind } from '../../vocabulary/ledger-kinds.ts';

/**
 * A row of `deferred_postings`: a posting that a committed change owes to a wallet
 * (docs/rules/ledger.md#deferred-postings).
 */
export interface DeferredPosting {
  readonly userId: number;
  readonly kind: Exclude<LedgerKind, 'charge'>;
  /** Signed quota. */
  readonly amount: number;
  /** Unique per kind, as in the ledger. */
  readonly reference: string;
  /** JSON of the usage-log row that is written with the posting; '': none. */
  readonly log: string;
  /** Unix seconds. */
  readonly createdAt: number;
}

export interface DeferredPostingRepository {
  insert(posting: DeferredPosting): Promise<void>;
  /** Oldest first, those after the one with this id. */
  list(
    limit: number,
    afterId?: number,
  ): Promise<readonly (DeferredPosting & { readonly id: number })[]>;
  remove(posting: Pick<DeferredPosting, 'kind' | 'reference'>): Promise<void>;
}
