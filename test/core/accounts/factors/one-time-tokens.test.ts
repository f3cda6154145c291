/** Tokens that live five minutes, are tried ten times and used once. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createOneTimeTokens,
  tokenSeconds,
} from '../../../../src/core/accounts/factors/one-time-tokens.ts';
import { createLastingApp, type TestApp } from '../../../support/app.ts';

let site: TestApp;
beforeAll(async () => {
  site = await createLastingApp();
});
afterAll(() => site.app.close());
const open = () =>
  createOneTimeTokens({ storage: site.app.storage, clock: site.clock, ids: site.app.ids });

test('a token opens what was put into it, for its purpose alone', async () => {
  const tokens = open();
  const token = await tokens.issue('passkey-sign-in', { userId: 7 });
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(await tokens.open('passkey-sign-in', token)).toEqual({ userId: 7 });
  expect(await tokens.open('passkey-step-up', token)).toBeNull();
  expect(await tokens.open('passkey-sign-in', `${token}x`)).toBeNull();
  expect(await tokens.use('passkey-step-up', token)).toBe(false);
  expect(await tokens.use('passkey-sign-in', `${token}x`)).toBe(false);
});

test('it is used once, by one of several callers', async () => {
  const tokens = open();
  const token = await tokens.issue('second-factor', {});
  const both = await Promise.all([0, 1].map(() => tokens.use('second-factor', token)));
  expect(both.sort()).toEqual([false, true]);
  expect(await tokens.open('second-factor', token)).toBeNull();
});

test('it lives five minutes', async () => {
  const tokens = open();
  const token = await tokens.issue('second-factor', {});
  expect(tokenSeconds).toBe(300);
  site.clock.move(299_000);
  expect(await tokens.open('second-factor', token)).toEqual({});
  site.clock.move(1000);
  expect(await tokens.open('second-factor', token)).toBeNull();
});

test('it is tried ten times', async () => {
  const tokens = open();
  const token = await tokens.issue('second-factor', {});
  for (let at = 0; at < 10; at++) expect(await tokens.open('second-factor', token)).toEqual({});
  expect(await tokens.open('second-factor', token)).toBeNull();
});
