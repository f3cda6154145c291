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
