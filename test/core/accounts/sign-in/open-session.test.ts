/** Sessions after a first factor, and the second step before them. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createOneTimeTokens } from '../../../../src/core/accounts/factors/one-time-tokens.ts';
import type { FactorKind } from '../../../../src/core/accounts/factors/verify-factor.ts';
import {
  createOpenSession,
  type OpenSessionDeps,
} from '../../../../src/core/accounts/sign-in/open-session.ts';
import { AppError } from '../../../../src/core/kernel/errors.ts';
import { Secret } from '../../../../src/core/kernel/secret.ts';
import type { User } from '../../../../src/core/storage/storage.ts';
import { codeOf, createLastingApp, type TestApp } from '../../../support/app.ts';

const from = { ip: '192.0.2.1', userAgent: 'Firefox' };
let site: TestApp;
let serial = 0;
let userId: number;
let user: User;
let ended: string[];
/** Runs once a session is made, before it is looked at. */
let meanwhile: () => Promise<unknown>;
let kinds: FactorKind[];
let started: unknown[][];
let verified: unknown[][];
let requests: unknown[][];
beforeAll(async () => {
  site = await createLastingApp();
});
afterAll(() => site.app.close());
beforeEach(async () => {
  serial += 1;
  userId = await site.addUser(`user${serial}`);
  user = (await site.app.storage.users.find(userId)) as User;
  ended = [];
  meanwhile = async () => undefined;
  kinds = ['totp', 'recovery'];
  started = [];
  verified = [];
  requests = [];
});

const tokens = () =>
  createOneTimeTokens({ storage: site.app.storage, clock: site.clock, ids: site.app.ids });
const open = (more: Partial<OpenSessionDeps> = {}) =>
  createOpenSession({
    storage: site.app.storage,
    sessions: {
      start: async (...session) => {
        started.push(session);
        await meanwhile();
        return 'the session';
      },
      end: async (token) => void ended.push(token),
    },
    factors: {
      has: async () => kinds.length > 0,
      kindsOf: async () => kinds,
      verify: async (...proof) => {
        verified.push(proof);
        if (proof[1].code === 'wrong') throw new AppError('second_factor_invalid');
        return 'totp';
      },
    },
    passkeys: {
      request: async (...request: unknown[]) => {
        requests.push(request);
        return { challenge: 'passkey' };
      },
    } as unknown as OpenSessionDeps['passkeys'],
    tokens: tokens(),
    ...more,
  });
async function challengeOf(method = 'github'): Promise<string> {
  try {
    await open().open(user, method, from);
  } catch (error) {
    if (error instanceof AppError) return String(error.params.challenge);
  }
  throw new Error('no challenge');
}
const complete = (challenge: string, code = 'right', ip = from.ip) =>
  open().complete(challenge, { code }, { ...from, ip, device: 'device', session: 'session' });

describe('after the first factor', () => {
  test('there is a session where the account has no second one, or the method is a passkey', async () => {
    expect(await open().open(user, 'passkey', from)).toBe('the session');
    kinds = [];
    expect(await open().open(user, 'password', from)).toBe('the session');
    expect(started).toEqual([
      [userId, 'passkey', from],
      [userId, 'password', from],
    ]);
  });
  test.each(['password', 'github', 'phone'])('%s wants the second one', async (method) => {
    await expect(open().open(user, method, from)).rejects.toMatchObject({
      code: 'second_factor_required',
      params: { challenge: expect.stringMatching(/^[\w-]{43}$/), methods: 'totp,recovery' },
    });
    expect(started).toEqual([]);
  });
  test.each(['password', 'passkey', 'github'])(
    '%s: nor where the password changed meanwhile',
    async (method) => {
      kinds = [];
      meanwhile = () =>
        site.app.storage.users.update(userId, { passwordHash: new Secret('another') });
      expect(await codeOf(open().open(user, method, from))).toBe('wrong_credentials');
      expect(ended).toEqual(['the session']);
    },
  );
  test('a challenge is of the password that was proved, not of a later one', async () => {
    await site.app.storage.users.update(userId, { passwordHash: new Secret('another') });
    expect(await codeOf(complete(await challengeOf()))).toBe('sign_in_expired');
  });
  test('an account that is not there has none', async () => {
    kinds = [];
    expect(await codeOf(open().open({ ...user, id: 987_654_321 }, 'password', from))).toBe(
      'wrong_credentials',
    );
  });
});

describe('the second step', () => {
  test('makes no session where the password changed meanwhile', async () => {
    const challenge = await challengeOf();
    meanwhile = () =>
      site.app.storage.users.update(userId, { passwordHash: new Secret('another') });
    expect(await codeOf(complete(challenge))).toBe('wrong_credentials');
    expect(ended).toEqual(['the session']);
  });
  test('makes the session of the first method, once', async () => {
    const challenge = await challengeOf();
    expect(await codeOf(complete(challenge, 'wrong'))).toBe('second_factor_invalid');
    expect(started).toEqual([]);
    expect(await complete(challenge)).toMatchObject({ user: { id: userId }, token: 'the session' });
    expect(verified[1]).toEqual([
      userId,
      { code: 'right' },
      'passkey-second-factor',
      { ip: from.ip, device: 'device' },
    ]);
    expect(started).toEqual([[userId, 'github', expect.objectContaining(from)]]);
    expect(await codeOf(complete(challenge))).toBe('sign_in_expired');
    expect(started).toHaveLength(1);
  });
  test('of two at once one makes a session', async () => {
    const challenge = await challengeOf();
    const both = await Promise.all([codeOf(complete(challenge)), codeOf(complete(challenge))]);
    expect(both.sort()).toEqual(['it did not fail', 'sign_in_expired']);
    expect(started).toHaveLength(1);
  });
  test('asks for a passkey of the account', async () => {
    const challenge = await challengeOf();
    expect(await open().passkeyRequest(challenge, from.ip)).toEqual({ challenge: 'passkey' });
    expect(requests).toEqual([['passkey-second-factor', userId]]);
    expect(await codeOf(open().passkeyRequest(challenge, '192.0.2.2'))).toBe('sign_in_expired');
  });
  test('ends with the address, the password, the account or five minutes', async () => {
    const challenge = await challengeOf();
    expect(await codeOf(complete(challenge, 'right', '192.0.2.2'))).toBe('sign_in_expired');
    expect(await codeOf(complete(`${challenge}x`))).toBe('sign_in_expired');
    const { users } = site.app.storage;
    const before = (await users.find(userId))?.passwordHash ?? new Secret('');
    await users.update(userId, { passwordHash: new Secret('another') });
    expect(await codeOf(complete(challenge))).toBe('sign_in_expired');
    await users.update(userId, { passwordHash: before });
    await users.setStatus(userId, 1, 2);
    expect(await codeOf(complete(challenge))).toBe('wrong_credentials');
    await users.setStatus(userId, 2, 1);
    site.clock.move(300_000);
    expect(await codeOf(complete(challenge))).toBe('sign_in_expired');
    const late = await challengeOf();
    await users.softDelete(userId, 1);
    expect(await codeOf(complete(late))).toBe('wrong_credentials');
    const payload = { userId: 987_654_321, method: 'github', ip: from.ip, stamp: '' };
    expect(await codeOf(complete(await tokens().issue('second-factor', payload)))).toBe(
      'sign_in_expired',
    );
    const nobody = await tokens().issue('second-factor', { ip: from.ip });
    expect(await codeOf(complete(nobody))).toBe('sign_in_expired');
    expect(verified).toEqual([]);
  });
});
