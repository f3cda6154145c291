/**
 * A batch was refused because of one of its items (a constraint, a value out of range, a lock that
 * somebody else does not release); nothing of it was written. Other items may still be written, so
 * the caller should divide the batch. Any other error means that the database is unavailable.
 */
export class RefusedItemError extends Error {
  /** Crosses threads in place of the class. */
  readonly code = 'REFUSED_ITEM';

  constructor(cause: Error) {
    super(cause.message, { cause });
    this.name = 'RefusedItemError';
  }
}

/**
 * Nobody knows yet whether a batch was written. Settling the same batch again finds out, and writes
 * it once.
 */
export class UnknownOutcomeError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'UnknownOutcomeError';
  }
}
