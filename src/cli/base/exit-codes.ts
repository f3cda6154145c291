/** Exit codes of the process (docs/rules/command-line.md#exit-codes). */
import { CallError } from '../../core/contract/envelope.ts';
import { AppError, type ErrorCode, errorTable, isErrorCode } from '../../core/kernel/errors.ts';
import { UsageError } from './usage-error.ts';

export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  notPermitted: 4,
  conflict: 5,
  unreachable: 6,
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Error codes whose exit code does not follow from their HTTP status. */
const exceptions: { readonly [C in ErrorCode]?: ExitCode } = {
  already_set_up: exitCodes.conflict,
  not_set_up: exitCodes.failed,
  gateway_unreachable: exitCodes.unreachable,
  database_unavailable: exitCodes.unreachable,
  ledger_unavailable: exitCodes.unreachable,
  database_replaced: exitCodes.unreachable,
  ledger_outcome_unknown: exitCodes.unreachable,
  redis_unavailable: exitCodes.unreachable,
  shutting_down: exitCodes.unreachable,
  insufficient_user_quota: exitCodes.failed,
  channel_test_unsupported: exitCodes.failed,
  channel_balance_unsupported: exitCodes.failed,
  channel_models_unsupported: exitCodes.failed,
  feature_unavailable: exitCodes.failed,
  unsupported_operation: exitCodes.failed,
  import_interrupted: exitCodes.interrupted,
};

/** The exit code of all other errors, including those of servers that send no error code. */
function exitCodeOfStatus(status: number): ExitCode {
  switch (status) {
    case 400:
      return exitCodes.usage;
    case 401:
    case 403:
    case 405:
      return exitCodes.notPermitted;
    case 404:
      return exitCodes.notFound;
    case 409:
      return exitCodes.conflict;
    default:
      return exitCodes.failed;
  }
}

export function exitCodeOfError(code: ErrorCode): ExitCode {
  return exceptions[code] ?? exitCodeOfStatus(errorTable[code].status);
}

/** Ctrl-C: inquirer throws the first in a prompt, an abort signal the second. */
export function isInterruption(error: unknown): boolean {
  return (
    error instanceof Error && (error.name === 'ExitPromptError' || error.name === 'AbortError')
  );
}

/** The exit code for any thrown value; 1 for unexpected errors. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof UsageError) return exitCodes.usage;
  if (error instanceof AppError) return exitCodeOfError(error.code);
  if (error instanceof CallError) {
    const { code, status } = error;
    return code !== undefined && isErrorCode(code)
      ? exitCodeOfError(code)
      : exitCodeOfStatus(status);
  }
  if (isInterruption(error)) return exitCodes.interrupted;
  return (error as NodeJS.ErrnoException | null)?.code === 'EADDRINUSE'
    ? exitCodes.conflict
    : exitCodes.failed;
}
