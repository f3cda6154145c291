import type { RowOf, WritableRow } from '../../entities/field.ts';
import type { FilterValues } from '../../entities/filters.ts';
import type { tokenFields } from '../../entities/token.ts';
import type { tokenFilters } from '../../entities/token-filters.ts';
import type { Listing, PageRequest } from './listing.ts';

/** A row of `tokens` (docs/rules/process.md#tables). */
export type Token = RowOf<typeof tokenFields>;

/**
 * `remainQuota` is the initial quota; later changes go through the ledger. `id` is only given by
 * imports.
 */
export type NewToken = Pick<Token, 'userId' | 'key' | 'name' | 'createdTime'> &
  Partial<Omit<Token, 'keyHash' | 'usedQuota' | 'held' | 'key'>>;

export type TokenChange = Partial<
  Omit<WritableRow<typeof tokenFields>, 'remainQuota'> & Pick<Token, 'status'>
>;

/** A part of the `key` needs `userId`, because keys are decrypted for the search. */
export type TokenFilter = FilterValues<typeof tokenFilters> & {
  /** Tokens of these users are left out. */
  readonly exceptUsers?: readonly number[];
};

/** Soft-deleted tokens are never returned. */
export interface TokenRepository {
  /** HMAC of a key without `sk-`: the value of `keyHash`. */
  hashKey(key: string): string;
  find(id: number): Promise<Token | null>;
  /** Null also if the token belongs to another user. */
  findOfUser(id: number, userId: number): Promise<Token | null>;
  /** The token with one of these hashes. */
  findByKeyHash(...keyHashes: readonly string[]): Promise<Token | null>;
  /** Id descending. */
  page(filter: TokenFilter, page: PageRequest): Promise<Listing<Token>>;
  pageByUser(
    userId: number,
    page: PageRequest,
    search?: Omit<TokenFilter, 'userId'>,
  ): Promise<Listing<Token>>;
  /** Id → name; without those that are gone. */
  namesOf(ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
  findManyOfUser(ids: readonly number[], userId: number): Promise<readonly Token[]>;
  countByUser(userId: number): Promise<number>;
  /** Returns the new id. Throws `conflict` for an existing key. */
  insert(token: NewToken): Promise<number>;
  /** Inserts all tokens in one transaction. Returns the new ids in order. */
  insertMany(tokens: readonly NewToken[]): Promise<readonly number[]>;
  /** False if there is no such row, or it is deleted. */
  update(id: number, change: TokenChange): Promise<boolean>;
  /** Changes the status from `from` to `to`; false if it is not `from`. */
  setStatus(id: number, from: number, to: number): Promise<boolean>;
  /** The same for several tokens in one transaction; throws `conflict` if one has changed. */
  setStatusMany(changes: readonly Pick<Token, 'id' | 'status'>[], to: number): Promise<void>;
  /** Sets the time of the last use, in Unix seconds, of many tokens. */
  touch(ids: readonly number[], accessedTime: number): Promise<void>;
  softDelete(id: number, at: number): Promise<boolean>;
  /** Deletes those that belong to the user. Returns their number. */
  softDeleteMany(ids: readonly number[], userId: number, at: number): Promise<number>;
  /**
   * Sets status 2 on all enabled tokens of a user, whose account is being deleted. Returns their
   * number.
   */
  disableByUser(userId: number): Promise<number>;
  /** Permanently deletes all rows of a user. */
  deleteByUser(userId: number): Promise<number>;
  /**
   * Tokens with an id above `afterId`, except deleted ones, id ascending, for the in-memory index.
   */
  listAfter(afterId: number, limit: number): Promise<readonly Token[]>;
}
