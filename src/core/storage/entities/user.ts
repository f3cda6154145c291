import type { RowOf } from '../../entities/field.ts';
import type { FilterValues } from '../../entities/filters.ts';
import type { userFields } from '../../entities/user.ts';
import type { userFilters } from '../../entities/user-filters.ts';
import type { Secret } from '../../kernel/secret.ts';
import type { Listing, PageRequest } from './listing.ts';

/** A row of `users` (docs/rules/process.md#tables). */
export type User = RowOf<typeof userFields>;

/** Written by the ledger only. */
type LedgerField = 'quota' | 'usedQuota' | 'requestCount' | 'held';
/** Counters and purses of invitations: updates add to them. */
type InviteField = 'affCount' | 'affQuota' | 'affHistoryQuota';

/**
 * Fields of an insert. The balance starts at 0; initial quota is a ledger posting. `id` is only
 * given by imports.
 */
export type NewUser = Pick<
  User,
  'username' | 'passwordHash' | 'role' | 'status' | 'group' | 'createdAt'
> &
  Partial<Omit<User, LedgerField>>;

/** Fields that an update may change. Role and status have their own compare-and-set methods. */
export type UserChange = Partial<Omit<User, 'id' | 'role' | 'status' | LedgerField | InviteField>>;

export type UserFilter = FilterValues<typeof userFilters>;

/** What lists of users are sorted by; of equal ones the newest first. */
export interface UserOrder {
  readonly by: 'id' | 'name' | 'role' | 'quota' | 'used' | 'requests' | 'seen';
  readonly ascending: boolean;
}

/** Amounts to add to the invitation columns; negative to subtract. */
export type InviteAdjustment = Readonly<Partial<Record<InviteField, number>>>;

/**
 * Reads include soft-deleted users (`deletedAt` set), because the user list shows them. Inserts and
 * updates that violate a unique column throw `AppError('conflict', { field })` with the name of the
 * field (`username`, `email`, `phone`, `affCode`, …).
 */
export interface UserRepository {
  find(id: number): Promise<User | null>;
  /** The one with the lowest id among those with this role. */
  findOldest(role: number): Promise<User | null>;
  findMany(ids: readonly number[]): Promise<readonly User[]>;
  /** Ignores case (docs/rules/accounts.md#user-names). */
  findByUsername(username: string): Promise<User | null>;
  /** Only accounts with this verified address. Ignores case. */
  findByVerifiedEmail(email: string): Promise<User | null>;
  findByPhone(phone: string): Promise<User | null>;
  findByAccessTokenHash(hash: string): Promise<User | null>;
  findByAffCode(code: string): Promise<User | null>;
  /** Returns the new id. */
  insert(user: NewUser): Promise<number>;
  /** False if there is no such row. */
  update(id: number, change: UserChange): Promise<boolean>;
  /** Changes the status from `from` to `to`; false if it is not `from`. */
  setStatus(id: number, from: number, to: number): Promise<boolean>;
  /** Changes the role from `from` to `to`; false if it is not `from`. */
  setRole(id: number, from: number, to: number): Promise<boolean>;
  /** Changes the hash of the password from `from` to `to`; false if it is not `from`. */
  replacePassword(id: number, from: Secret, to: Secret): Promise<boolean>;
  /** Sets `deletedAt` and clears the system access token; false if already deleted or missing. */
  softDelete(id: number, at: number): Promise<boolean>;
  /**
   * Permanently deletes the row. The caller must delete tokens and sessions in the same
   * transaction.
   */
  delete(id: number): Promise<boolean>;
  /**
   * By id, the newest first, unless an order is given. `seenAt` counts the use of tokens as well.
   */
  page(filter: UserFilter, page: PageRequest, order?: UserOrder): Promise<Listing<User>>;
  /** Number of undeleted users with role 100 and status 1; must never become 0. */
  countActiveRoots(): Promise<number>;
  /** Number of all rows, including deleted ones; 0 means that the instance is not set up. */
  count(): Promise<number>;
  /** The largest id in use, 0 without users. */
  highestId(): Promise<number>;
  /**
   * Sets the invite code of a user who has none; false otherwise. A taken code throws the conflict
   * of `affCode`.
   */
  setMissingAffCode(id: number, code: string): Promise<boolean>;
  /**
   * Adds to the invitation columns in one statement; false if a column would become negative or the
   * user is missing.
   */
  adjustInvite(id: number, adjustment: InviteAdjustment): Promise<boolean>;
  /** Users with an id above `afterId`, id ascending, for the in-memory index. */
  listAfter(afterId: number, limit: number): Promise<readonly User[]>;
}
