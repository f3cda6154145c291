/**
 * A row of `sessions` (docs/rules/accounts.md#sessions): a sign-in in a browser. Times are Unix
 * seconds.
 */
export interface Session {
  /** SHA-256 hex of the opaque token. */
  readonly idHash: string;
  readonly userId: number;
  readonly createdAt: number;
  /** Of the last use, some minutes apart; so is `ip`. */
  readonly lastSeen: number;
  readonly expiresAt: number;
  readonly ip: string;
  readonly userAgent: string;
  /** How the user signed in: `password`, `github`, … */
  readonly method: string;
  /**
   * When the user last proved to be the one who signed in; 0: never since then
   * (docs/rules/accounts.md#step-up).
   */
  readonly confirmedAt: number;
}

export interface SessionRepository {
  insert(session: Session): Promise<void>;
  findByHash(idHash: string): Promise<Session | null>;
  listByUser(userId: number): Promise<readonly Session[]>;
  touch(idHash: string, use: Pick<Session, 'lastSeen' | 'expiresAt' | 'ip'>): Promise<boolean>;
  confirm(idHash: string, at: number): Promise<boolean>;
  delete(idHash: string): Promise<boolean>;
  /** Deletes all sessions of a user except `exceptHash`. Returns their number. */
  deleteByUser(userId: number, exceptHash?: string): Promise<number>;
  /** Deletes sessions that expired before `now`. Returns their number. */
  purge(now: number): Promise<number>;
}

/** A row of `verification_codes` (docs/rules/process.md#tables). One per purpose and recipient. */
export interface VerificationCode {
  readonly purpose: string;
  readonly subjectHash: string;
  readonly codeHash: string;
  readonly tries: number;
  readonly expiresAt: number;
  /** JSON text or ''. */
  readonly payload: string;
}

export interface VerificationCodeRepository {
  /** HMAC of a code or recipient: the value of `codeHash` and `subjectHash`. */
  hash(text: string): string;
  /** Stores a code with 0 tries, replacing an older one. */
  put(code: Omit<VerificationCode, 'tries'>): Promise<void>;
  find(purpose: string, subjectHash: string): Promise<VerificationCode | null>;
  /**
   * Increments the tries in one statement and returns the updated row, or null if there is none.
   */
  countTry(purpose: string, subjectHash: string): Promise<VerificationCode | null>;
  /** Deletes the code if it has this hash. Of several concurrent callers exactly one gets true. */
  consume(purpose: string, subjectHash: string, codeHash: string): Promise<boolean>;
  /** Deletes codes that expired before `now`. Returns their number. */
  purge(now: number): Promise<number>;
}
