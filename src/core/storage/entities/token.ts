import type { Quota } from '../../kernel/quota.ts';
import type { Secret } from '../../kernel/secret.ts';
import type { Listing, PageRequest } from './listing.ts';

/** A row of `tokens`: an `sk-` key with its limits (spec, accounts and payments 13.2). Times are Unix seconds. */
export interface Token {
  readonly id: number;
  readonly userId: number;
  /** The whole key without `sk-`; encrypted at rest. */
  readonly key: Secret;
  /** HMAC-SHA-256 of the key, hex: how a key is looked up. */
  readonly keyHash: string;
  readonly status: number;
  readonly name: string;
  readonly createdTime: number;
  readonly accessedTime: number;
  /** −1: never. */
  readonly expiredTime: number;
  /** A balance, or for an unlimited token a counter that may go below zero. Changed by the ledger after creation. */
  readonly remainQuota: Quota;
  readonly unlimitedQuota: boolean;
  readonly modelLimitsEnabled: boolean;
  /** Comma list of model names. */
  readonly modelLimits: string;
  /** One address or CIDR range per line. */
  readonly allowIps: string;
  readonly usedQuota: Quota;
  /** Σ of open holds; used where several processes share PostgreSQL, else 0. */
  readonly held: Quota;
  /** '' means the owner's group. */
  readonly group: string;
  readonly deletedAt: number | null;
}

/** `remainQuota` is the first allowance; later changes of it go through the ledger. `id` only when importing. */
export type NewToken = Pick<Token, 'userId' | 'key' | 'name' | 'createdTime'> &
  Partial<Omit<Token, 'keyHash' | 'usedQuota' | 'held' | 'key'>>;

export type TokenChange = Partial<
  Pick<Token, 'name' | 'status' | 'expiredTime' | 'unlimitedQuota' | 'modelLimitsEnabled' | 'modelLimits' | 'allowIps' | 'group'>
>;

export interface TokenFilter {
  readonly userId?: number;
  /** Contained in the name, ignoring case. */
  readonly keyword?: string;
  /** Contained in the key, which is decrypted for it: only together with `userId`. A leading `sk-` is cut once. */
  readonly key?: string;
  readonly group?: string;
  readonly status?: number;
}

/** Soft-deleted tokens are never returned. */
export interface TokenRepository {
  /** HMAC of a key without `sk-`, the value of `keyHash`. */
  hashKey(key: string): string;
  find(id: number): Promise<Token | null>;
  /** Null as well when the token belongs to somebody else. */
  findOfUser(id: number, userId: number): Promise<Token | null>;
  findByKeyHash(keyHash: string): Promise<Token | null>;
  /** Id descending. */
  page(filter: TokenFilter, page: PageRequest): Promise<Listing<Token>>;
  pageByUser(
    userId: number,
    page: PageRequest,
    search?: Pick<TokenFilter, 'keyword' | 'key' | 'status'>,
  ): Promise<Listing<Token>>;
  findManyOfUser(ids: readonly number[], userId: number): Promise<readonly Token[]>;
  countByUser(userId: number): Promise<number>;
  /** Returns the new id. A key that exists already is `conflict`. */
  insert(token: NewToken): Promise<number>;
  /** All of them or none. Returns the new ids in order. */
  insertMany(tokens: readonly NewToken[]): Promise<readonly number[]>;
  /** False when there is no such living row. */
  update(id: number, change: TokenChange): Promise<boolean>;
  /** Writes `to` if the status still is `from`; false otherwise. */
  setStatus(id: number, from: number, to: number): Promise<boolean>;
  /** The same for several: all of them, or `conflict` and none. */
  setStatusMany(changes: readonly Pick<Token, 'id' | 'status'>[], to: number): Promise<void>;
  /** Last use, in seconds; many at once. */
  touch(ids: readonly number[], accessedTime: number): Promise<void>;
  softDelete(id: number, at: number): Promise<boolean>;
  /** Those that are the user's. Returns how many went. */
  softDeleteMany(ids: readonly number[], userId: number, at: number): Promise<number>;
  /** Status 2 for all enabled tokens of a user (the owner left). Returns how many. */
  disableByUser(userId: number): Promise<number>;
  /** Removes all rows of a user for good. */
  deleteByUser(userId: number): Promise<number>;
  /** Every living token from `afterId` on, id ascending, for the in-memory index. */
  listAfter(afterId: number, limit: number): Promise<readonly Token[]>;
}
