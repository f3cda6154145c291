// @vitest-environment happy-dom
// Covers src/ui/client.
import { expect, test } from 'vitest';
import { CallError } from '../../../src/core/contract/envelope.ts';
import { failureText } from '../../../src/ui/client/failures.ts';
import { prepareConsole } from '../support/render.tsx';

prepareConsole();

test('a budget that is used up is named; other limits have a fixed sentence', () => {
  const of = (code: 'budget_exceeded' | 'rate_limited') =>
    failureText(new CallError('The budget of the team is used up until Monday', 429, code));
  expect(of('budget_exceeded')).toBe('The budget of the team is used up until Monday');
  expect(of('rate_limited')).toBe('Too many requests, try again later');
});
