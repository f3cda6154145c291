/** `other_info.test_error` of a channel: why its last test failed; absent when it went well or there was none. */
import { parseObject } from '../kernel/json.ts';

/** Characters kept: an upstream may answer with a whole page. */
const longest = 500;

/** '' where the last test did not fail. */
export function readTestError(otherInfo: string): string {
  const told = otherInfo.includes('test_error') ? parseObject(otherInfo)?.['test_error'] : undefined;
  return typeof told === 'string' ? told : '';
}

/** `other_info` with the outcome of a test; '' is a good one. */
export function noteTestError(otherInfo: string, error: string): string {
  const { test_error: before, ...rest } = parseObject(otherInfo) ?? {};
  if (error === '') return before === undefined ? otherInfo : JSON.stringify(rest);
  return JSON.stringify({ ...rest, test_error: error.slice(0, longest) });
}
