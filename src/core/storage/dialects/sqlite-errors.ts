import { AppError, type ErrorParams } from '../../kernel/errors.ts';
import { fileProblemOf } from '../../kernel/file-problems.ts';
import { RefusedItemError } from '../ledger/write-errors.ts';
import { conflictOn } from './conflict.ts';
import type { WorkerFailure } from './sqlite-messages.ts';

/** The parts of an SQLite error that are sent between threads. */
export function toFailure(error: unknown): WorkerFailure {
  if (!(error instanceof Error)) return { message: String(error) };
  return {
    message: error.message,
    code: 'code' in error && typeof error.code === 'string' ? error.code : undefined,
  };
}

/**
 * The error for a failed statement: `conflict` for a violated unique column, `database_unavailable`
 * when the file is locked by another process, full, unreadable or missing (system code ENOENT),
 * RefusedItemError for an item of a batch of settlements. Any other error is a bug and stays a
 * plain error. `file` is named to the operator only, when the database is opened, and not to
 * callers of the API.
 */
export function fromFailure(failure: WorkerFailure, file?: string): Error {
  const cause = new Error(failure.message);
  if (failure.code === 'REFUSED_ITEM') return new RefusedItemError(cause);
  if (
    failure.code === 'SQLITE_CONSTRAINT_UNIQUE' ||
    failure.code === 'SQLITE_CONSTRAINT_PRIMARYKEY'
  ) {
    return conflictOn(/\.(\w+)$/.exec(failure.message)?.[1] ?? 'id', cause);
  }
  if (
    /^(SQLITE_(BUSY|LOCKED|FULL|IOERR|CORRUPT|NOTADB|CANTOPEN|READONLY)|E[A-Z]+$)/.test(
      failure.code ?? '',
    )
  ) {
    return new AppError('database_unavailable', unavailability(failure.code ?? '', file), {
      cause,
    });
  }
  return cause;
}

function unavailability(reason: string, file: string | undefined): ErrorParams {
  const problem = fileProblemOf(reason);
  return { reason, ...(problem !== undefined && { problem }), ...(file !== undefined && { file }) };
}
