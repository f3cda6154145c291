/** The gate before changes of the ways into an account: which proof it wants, what a change does. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAccountGate } from '../../../../src/core/accounts/gate/account-gate.ts';
import { type Caller, originOf, sessionOf } from '../../../../src/core/accounts/gate/caller.ts';
import { createSessions, hashSecret } from '../../../../src/core/accounts/sessions.ts';
import { AppError } from '../../../../src/core/kernel/errors.ts';
import type { WayIn } from '../../../../src/core/vocabulary/ways-in.ts';
import { codeOf, createLastingApp, type TestApp } from '../../../support/app.ts';
import { type NotedCommit, noteCommits } from '../../../support/noted-commit.ts';

const ways: readonly WayIn[] = [
  'password',
  'email',
  'phone',
  'identity',
  'totp',
  'passkey',
  'recovery_codes',
  'factors',
  'system_token',
  'account',
];
let site: TestApp;
let serial = 0;
let userId: number;
let noted: NotedCommit;
/** What the session or a password was checked for. */
let checks: unknown[][];
let mails: unknown[][];
beforeAll(async () => {
  site = await createLastingApp();
});
afterAll(() => site.app.close());
beforeEach(async () => {
  serial += 1;
  userId = await site.addUser(`user${serial}`);
  noted = noteCommits(site);
  checks = [];
  mails = [];
});

const open = () =>
  createAccountGate({
    commit: noted.commit,
    stepUp: {
      require: async (...check) => {
        checks.push(['require', ...check]);
        if (check[1] === undefined) throw new AppError('session_required');
      },
      checkPassword: async (...check) => {
        checks.push(['password', ...check]);
        if (check[1] === 'wrong') throw new AppError('original_password_wrong');
      },
    },
    ownerMail: { send: (...mail) => void mails.push(mail) },
  });
const actor = (id = userId) => ({
  id,
  username: `user${serial}`,
  role: 1,
  group: 'default',
  ip: '192.0.2.1',
});
const session = { idHash: 'own session', confirmedAt: 5 };
const callerOf = (proof: Caller['proof'], id = userId): Caller => ({
  actor: actor(id),
  proof,
  waysIn: ways,
});

test('a session is a place of its own; other proofs are none', () => {
  expect(sessionOf(callerOf(session))).toBe('own session');
  expect(originOf(callerOf(session))).toEqual({ ip: '192.0.2.1', session: 'own session' });
  for (const proof of ['operator', 'mailed', 'identity', undefined] as const) {
    expect(sessionOf(callerOf(proof))).toBeUndefined();
    expect(originOf(callerOf(proof))).toEqual({ ip: '192.0.2.1', session: undefined });
  }
});

describe('entering', () => {
  test.each(['operator', 'mailed', 'identity'] as const)('%s proves enough', async (proof) => {
    const caller = callerOf(proof);
    expect(await open().enter(caller, 'password', 'wrong')).toEqual({ caller, way: 'password' });
    expect(checks).toEqual([]);
  });
  test('a session has to be confirmed, and a password that was sent has to be right', async () => {
    const gate = open();
    const caller = callerOf(session);
    expect(await gate.enter(caller, 'totp')).toEqual({ caller, way: 'totp' });
    await gate.enter(caller, 'totp', 'right');
    expect(await codeOf(gate.enter(caller, 'totp', 'wrong'))).toBe('original_password_wrong');
    expect(await codeOf(gate.enter(callerOf(undefined), 'totp'))).toBe('session_required');
    await gate.enter(callerOf(undefined), 'totp', 'right');
    expect(checks).toEqual([
      ['require', actor(), session],
      ['password', actor(), 'right', 'own session'],
      ['password', actor(), 'wrong', 'own session'],
      ['require', actor(), undefined],
      ['password', actor(), 'right', undefined],
    ]);
  });
  test('a way that the call does not declare is a mistake of the program', async () => {
    const caller = { ...callerOf('operator'), waysIn: ['email'] } as const;
    await open().enter(caller, 'email');
    await expect(open().enter(caller, 'totp')).rejects.toThrow(
      'a call changes "totp" without declaring it in `waysIn`',
    );
  });
});

describe('a change', () => {
  const change = async (way: WayIn, caller: Caller, more = {}) => {
    const gate = open();
    return gate.change(await gate.enter(caller, way), {
      userId,
      action: 'user.bind',
      apply: async (inside) => {
        await inside.users.update(userId, { nickname: 'changed' });
        return 'the result';
      },
      ...more,
    });
  };
  const startSessions = async () => {
    const sessions = createSessions({
      storage: site.app.storage,
      clock: site.clock,
      ids: site.app.ids,
    });
    const from = { ip: '', userAgent: '' };
    const own = await sessions.start(userId, 'password', from);
    const other = await sessions.start(userId, 'password', from);
    const left = async () =>
      (await Promise.all([own, other].map((token) => sessions.find(token)))).map(
        (found) => found !== null,
      );
    return { proof: { idHash: hashSecret(own), confirmedAt: 5 }, left };
  };

  test('is made with its audit entry, its mail and its announcement', async () => {
    const before = await site.app.storage.users.find(userId);
    const caller = callerOf(session);
    const named = { provider: 'GitHub', removed: true, undo: { phone: '' } };
    const result = await change('identity', caller, { ...named, detail: { method: 'github' } });
    expect(result).toBe('the result');
    expect(noted.entries).toEqual([
      [actor(), 'user.bind', userId, { username: `user${serial}`, method: 'github' }],
    ]);
    expect(mails).toEqual([[before, caller, 'identity', named]]);
    expect(noted.announced).toEqual([['user', userId]]);
    expect(await site.app.storage.users.find(userId)).toMatchObject({ nickname: 'changed' });
  });
  test.each([
    ['password', true],
    ['totp', true],
    ['passkey', true],
    ['recovery_codes', true],
    ['factors', true],
    ['email', false],
    ['phone', false],
    ['identity', false],
    ['system_token', false],
  ] as const)('of %s ends other sessions: %s', async (way, ends) => {
    const { proof, left } = await startSessions();
    await change(way, callerOf(proof));
    expect(await left()).toEqual([true, !ends]);
  });
  test('by somebody else, or without a session, ends all', async () => {
    const { proof, left } = await startSessions();
    await change('password', callerOf(proof, 1));
    expect(await left()).toEqual([false, false]);
    const again = await startSessions();
    await change('password', callerOf('mailed'));
    expect(await again.left()).toEqual([false, false]);
  });
  test('that fails, or of an account that is not there, leaves nothing', async () => {
    const { proof, left } = await startSessions();
    const apply = async () => {
      throw new AppError('conflict');
    };
    expect(await codeOf(change('password', callerOf(proof), { apply }))).toBe('conflict');
    const nobody = change('password', callerOf(proof), { userId: 987_654_321 });
    expect(await codeOf(nobody)).toBe('not_found');
    expect(await left()).toEqual([true, true]);
    expect([noted.entries, noted.announced, mails]).toEqual([[], [], []]);
  });
});
