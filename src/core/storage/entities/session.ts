/** A row of `sessions` (spec, accounts and payments 1.1): a browser login. Times are Unix seconds. */
export interface Session {
  /** SHA-256 hex of the opaque token. */
  readonly idHash: string;
  readonly userId: number;
  readonly createdAt: number;
  readonly lastSeen: number;
  readonly expiresAt: number;
  readonly ip: string;
  readonly userAgent: string;
  /** How the user signed in: `password`, `github`, … */
  readonly method: string;
}

export interface SessionRepository {
  insert(session: Session): Promise<void>;
  findByHash(idHash: string): Promise<Session | null>;
  listByUser(userId: number): Promise<readonly Session[]>;
  touch(idHash: string, lastSeen: number, expiresAt: number): Promise<boolean>;
  delete(idHash: string): Promise<boolean>;
  /** All of a user's, but for `exceptHash`. Returns how many. */
  deleteByUser(userId: number, exceptHash?: string): Promise<number>;
  /** Removes sessions that expired before `now`. Returns how many. */
  purge(now: number): Promise<number>;
}

/** A row of `verification_codes` (spec, accounts and payments 6). One per purpose and recipient. */
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
  /** A new code replaces the old one and starts with no tries. */
  put(code: Omit<VerificationCode, 'tries'>): Promise<void>;
  find(purpose: string, subjectHash: string): Promise<VerificationCode | null>;
  /** Counts a try in one statement and returns the row as it then is, or null when there is none. */
  countTry(purpose: string, subjectHash: string): Promise<VerificationCode | null>;
  /** Removes the code if it still is this one. Exactly one caller gets true. */
  consume(purpose: string, subjectHash: string, codeHash: string): Promise<boolean>;
  /** Removes codes that expired before `now`. Returns how many. */
  purge(now: number): Promise<number>;
}
