/** A row of `user_identities`: an account at a third party by which a user signs in. */
export interface UserIdentity {
  readonly userId: number;
  /** Who vouches for it: `github`, `oidc`, … */
  readonly provider: string;
  /** The provider's own id of the account. */
  readonly subject: string;
  /** Unix seconds. */
  readonly createdAt: number;
}

/**
 * An identity belongs to one user at most, deleted ones included, and a user has at most one of
 * each provider.
 */
export interface UserIdentityRepository {
  /** Null: nobody has this identity. */
  findUserId(provider: string, subject: string): Promise<number | null>;
  listByUsers(userIds: readonly number[]): Promise<readonly UserIdentity[]>;
  /**
   * Throws AppError conflict: `subject` belongs to another user, or the user has one of this
   * `provider`.
   */
  insert(identity: UserIdentity): Promise<void>;
  /** False when there is none. */
  delete(userId: number, provider: string): Promise<boolean>;
  deleteByUser(userId: number): Promise<void>;
}
