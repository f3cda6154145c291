import type { Quota } from '../../kernel/quota.ts';
import type { Secret } from '../../kernel/secret.ts';
import type { Listing, PageRequest } from './listing.ts';

/** A row of `users` (spec, accounts and payments 13.2, 13.3). Times are Unix seconds; texts are '' when empty. */
export interface User {
  readonly id: number;
  readonly username: string;
  /** argon2id in PHC text or an imported bcrypt hash; empty for accounts that never had a password. */
  readonly passwordHash: Secret;
  readonly displayName: string;
  readonly nickname: string;
  readonly portrait: string;
  readonly role: number;
  readonly status: number;
  /** Lower case. Unique among verified addresses. */
  readonly email: string;
  readonly emailVerified: boolean;
  /** E.164, or null. */
  readonly phone: string | null;
  readonly phoneVerifiedAt: number;
  readonly githubId: string;
  readonly oidcId: string;
  readonly wechatId: string;
  readonly telegramId: string;
  readonly linuxDoId: string;
  /** SHA-256 hex of the system access token, or null. */
  readonly accessTokenHash: string | null;
  /** Σ of the user's ledger postings. Changed by the ledger only. */
  readonly quota: Quota;
  readonly usedQuota: Quota;
  readonly requestCount: number;
  /** Σ of open holds; used where several processes share PostgreSQL, else 0. */
  readonly held: Quota;
  readonly group: string;
  /** The invite code, or null until first use. */
  readonly affCode: string | null;
  readonly affCount: number;
  /** The invite purse: not part of the wallet. */
  readonly affQuota: Quota;
  /** Everything that ever went into the purse. */
  readonly affHistory: Quota;
  /** 0: nobody. */
  readonly inviterId: number;
  /** JSON text of the user's own settings; sealed at rest because it may hold a webhook secret. */
  readonly setting: string;
  readonly createdAt: number;
  /** Soft deletion; null while the account lives. */
  readonly deletedAt: number | null;
}

/** Identities at third parties: each value belongs to one account at most. */
export type IdentityField = 'githubId' | 'oidcId' | 'wechatId' | 'telegramId' | 'linuxDoId';

/** What an insert may say. The balance starts at 0; gifts are ledger postings. `id` only when importing. */
export type NewUser = Pick<User, 'username' | 'passwordHash' | 'role' | 'status' | 'group' | 'createdAt'> &
  Partial<Omit<User, 'quota' | 'usedQuota' | 'requestCount' | 'held'>>;

/** Columns an update may change. Role and status have compare-and-set methods of their own. */
export type UserChange = Partial<
  Omit<User, 'id' | 'role' | 'status' | 'quota' | 'usedQuota' | 'requestCount' | 'held' | 'affCount' | 'affQuota' | 'affHistory'>
>;

export interface UserFilter {
  /** Contained, ignoring case, in user name, e-mail, display name, nickname; phone suffix; or equal to the id. */
  readonly keyword?: string;
  readonly group?: string;
  readonly role?: number;
  readonly status?: number;
}

/** Amounts added to the invite columns; negative takes away. */
export interface InviteAdjustment {
  readonly affCount?: number;
  readonly affQuota?: number;
  readonly affHistory?: number;
}

/**
 * Reads include soft-deleted users (`deletedAt` set), as the user list shows them. Inserts and updates that would break
 * a unique column throw `AppError('conflict', { field })` with the field's name here (`username`, `email`, `phone`,
 * `githubId`, `affCode`, …).
 */
export interface UserRepository {
  find(id: number): Promise<User | null>;
  findMany(ids: readonly number[]): Promise<readonly User[]>;
  /** Ignores case (spec, accounts and payments 4). */
  findByUsername(username: string): Promise<User | null>;
  /** Only accounts that verified this address. The address is lower-cased here. */
  findByVerifiedEmail(email: string): Promise<User | null>;
  findByPhone(phone: string): Promise<User | null>;
  findByIdentity(field: IdentityField, value: string): Promise<User | null>;
  findByAccessTokenHash(hash: string): Promise<User | null>;
  findByAffCode(code: string): Promise<User | null>;
  /** Returns the new id. */
  insert(user: NewUser): Promise<number>;
  /** False when there is no such row. */
  update(id: number, change: UserChange): Promise<boolean>;
  /** Writes `to` if the status still is `from`; false otherwise. */
  setStatus(id: number, from: number, to: number): Promise<boolean>;
  /** Writes `to` if the role still is `from`; false otherwise. */
  setRole(id: number, from: number, to: number): Promise<boolean>;
  /** Sets `deletedAt` and clears the system access token; false when already deleted or missing. */
  softDelete(id: number, at: number): Promise<boolean>;
  /** Removes the row for good. Tokens and sessions are the caller's to remove, in the same transaction. */
  delete(id: number): Promise<boolean>;
  /** Id descending. */
  page(filter: UserFilter, page: PageRequest): Promise<Listing<User>>;
  /** Users with role 100 and status 1 that are not deleted: must stay ≥ 1. */
  countActiveRoots(): Promise<number>;
  /** All rows, deleted ones too: 0 means the instance is not set up. */
  count(): Promise<number>;
  /** Adds to the invite columns in one statement; false when the purse would go below zero or the user is missing. */
  adjustInvite(id: number, adjustment: InviteAdjustment): Promise<boolean>;
  /** Every user from `afterId` on, id ascending, for the in-memory index. */
  listAfter(afterId: number, limit: number): Promise<readonly User[]>;
}
