import { describe, expect, test } from 'vitest';
import { exitCodeOf, exitCodeOfError, exitCodes } from '../../../src/cli/base/exit-codes.ts';
import { UsageError } from '../../../src/cli/base/usage-error.ts';
import { CallError } from '../../../src/core/contract/envelope.ts';
import { AppError, type ErrorCode, errorTable } from '../../../src/core/kernel/errors.ts';

describe('exit codes', () => {
  test.each<[ErrorCode, number]>([
    ['not_found', 3],
    ['option_unknown', 3],
    ['code_unknown', 3],
    ['not_signed_in', 4],
    ['access_token_invalid', 4],
    ['forbidden', 4],
    ['user_role_forbidden', 4],
    ['demo_site', 4],
    ['conflict', 5],
    ['username_taken', 5],
    ['data_folder_locked', 5],
    ['already_set_up', 5],
    ['gateway_unreachable', 6],
    ['database_unavailable', 6],
    ['ledger_unavailable', 6],
    ['invalid_parameter', 2],
    ['option_invalid', 2],
    ['internal_error', 1],
    ['ledger_drift', 1],
    ['channel_test_unsupported', 1],
  ])('%s is %i', (code, expected) => {
    expect(exitCodeOfError(code)).toBe(expected);
    expect(exitCodeOf(new AppError(code))).toBe(expected);
    // Errors received from a gateway have the same exit code as those of this process.
    expect(exitCodeOf(new CallError('', 200, code))).toBe(expected);
  });

  test('no error code means success', () => {
    for (const code of Object.keys(errorTable) as ErrorCode[])
      expect(exitCodeOfError(code), code).not.toBe(exitCodes.done);
  });

  test('without an error code, as from One API / New API, the HTTP status decides', () => {
    expect(exitCodeOf(new CallError('no', 401))).toBe(4);
    expect(exitCodeOf(new CallError('no', 404))).toBe(3);
    expect(exitCodeOf(new CallError('no', 200))).toBe(1);
  });

  test('usage errors and unexpected errors', () => {
    expect(exitCodeOf(new UsageError({ en: 'x', zh: 'x' }))).toBe(2);
    expect(exitCodeOf(new TypeError('x'))).toBe(1);
    expect(exitCodeOf(Object.assign(new Error('x'), { code: 'EADDRINUSE' }))).toBe(5);
    expect(exitCodeOf('a thrown text')).toBe(1);
    expect(exitCodeOf(null)).toBe(1);
  });
});
