/**
 * `other_info.test_error` of a channel: why its last test failed; absent when it succeeded or there
 * was none.
 */
import { parseObject } from '../kernel/json.ts';

/** Characters kept: an upstream may reply with a whole HTML page. */
const maxLength = 500;

/** The error of the last test; '' when it did not fail. */
export function readTestError(otherInfo: string): string {
  const stored = otherInfo.includes('test_error')
    ? parseObject(otherInfo)?.['test_error']
    : undefined;
  return typeof stored === 'string' ? stored : '';
}

/** `other_info` with the error of a test; '' means that it succeeded. */
export function noteTestError(otherInfo: string, error: string): string {
  const { test_error: before, ...rest } = parseObject(otherInfo) ?? {};
  if (error === '') return before === undefined ? otherInfo : JSON.stringify(rest);
  return JSON.stringify({ ...rest, test_error: error.slice(0, maxLength) });
}
