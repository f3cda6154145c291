/** What users bind to their account and unbind: whose it is, what the gate is told. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createBindings } from '../../../src/core/accounts/bindings.ts';
import { createAccountGate } from '../../../src/core/accounts/gate/account-gate.ts';
import type { Caller } from '../../../src/core/accounts/gate/caller.ts';
import type {
  SignInMethod,
  SignInProof,
} from '../../../src/core/accounts/sign-in/sign-in-method.ts';
import type { CheckedCode } from '../../../src/core/accounts/verification-codes.ts';
import { nowSeconds } from '../../../src/core/kernel/clock.ts';
import { AppError } from '../../../src/core/kernel/errors.ts';
import { codeOf, createLastingApp, type TestApp } from '../../support/app.ts';
import { type NotedCommit, noteCommits } from '../../support/noted-commit.ts';

let site: TestApp;
let serial = 0;
let userId: number;
let subject: string;
let noted: NotedCommit;
let entered: unknown[][];
/** What the owner is mailed of: way and change. */
let mails: unknown[][];
let proof: SignInProof;
let checks: unknown[][];
let removals: number[];
let failure: Error | undefined;
beforeAll(async () => {
  site = await createLastingApp();
});
afterAll(() => site.app.close());
beforeEach(async () => {
  serial += 1;
  userId = await site.addUser(`user${serial}`);
  subject = `subject ${serial}`;
  noted = noteCommits(site);
  entered = [];
  mails = [];
  checks = [];
  removals = [];
  failure = undefined;
  proof = { identity: { provider: 'github', subject } };
});
const caller = (): Caller => ({
  actor: { id: userId, username: `user${serial}`, role: 1, group: 'default', ip: '192.0.2.1' },
  proof: { idHash: 'session', confirmedAt: 1 },
  waysIn: ['identity', 'email'],
});
const complete = async (input: unknown) => {
  expect(input).toEqual({ code: 'c' });
  return proof;
};
const methods = [
  { id: 'password' },
  { id: 'hub', provider: 'github', label: 'GitHub', complete },
  { id: 'plain', provider: 'plain', complete },
] as unknown as SignInMethod[];

function open() {
  const { storage } = site.app;
  return createBindings({
    storage,
    clock: site.clock,
    methods,
    findMethod: (id) => {
      const method = methods.find((one) => one.id === id);
      if (method === undefined) throw new AppError('not_found');
      return method;
    },
    removeMethod: async (_, id, remove) => {
      removals.push(id);
      await remove();
    },
    verification: {
      check: async (...check) => {
        checks.push(check);
        const consume: CheckedCode['consume'] = async (inside) => {
          if (failure !== undefined) throw failure;
          checks.push(['consume', 'verificationCodes' in inside]);
        };
        return { address: `new${serial}@example.org`, payload: '', consume };
      },
    },
    gate: createAccountGate({
      commit: noted.commit,
      stepUp: {
        require: async (...call) => void entered.push(call),
        checkPassword: async () => {},
      },
      ownerMail: { send: (_, __, way, change) => void mails.push([way, change]) },
    }),
  });
}
const insert = (provider: string, named: string, createdAt: number, id = userId) =>
  site.app.storage.userIdentities.insert({ userId: id, provider, subject: named, createdAt });
const rows = () => site.app.storage.userIdentities.listByUsers([userId]);

test('bound identities are listed by their methods, the oldest first', async () => {
  await insert('github', subject, 9);
  await insert('plain', subject, 5);
  await insert('gone', subject, 1);
  expect(await open().list(userId)).toEqual([
    { method: 'plain', subject, createdAt: 5 },
    { method: 'hub', subject, createdAt: 9 },
  ]);
});

describe('binding', () => {
  test('stores the identity, with its audit entry and how to undo it', async () => {
    await open().bind(caller(), 'hub', { code: 'c' });
    expect(await rows()).toEqual([
      { userId, provider: 'github', subject, createdAt: nowSeconds(site.clock) },
    ]);
    const username = `user${serial}`;
    expect(noted.entries).toEqual([
      [caller().actor, 'user.bind', userId, { username, method: 'hub' }],
    ]);
    const undo = { provider: 'github', subject, former: '' };
    expect(mails).toEqual([['identity', { provider: 'GitHub', undo }]]);
    expect(entered).toEqual([[caller().actor, caller().proof]]);
  });
  test('replaces another one of the provider, and leaves those of others', async () => {
    await insert('github', `former ${serial}`, 1);
    await insert('a provider that is gone', `other ${serial}`, 1);
    await open().bind(caller(), 'hub', { code: 'c' });
    expect((await rows()).map((row) => row.subject).sort()).toEqual([`other ${serial}`, subject]);
    expect(mails).toMatchObject([['identity', { undo: { former: `former ${serial}` } }]]);
  });
  test('the same one again changes nothing', async () => {
    await insert('github', subject, 1);
    await open().bind(caller(), 'hub', { code: 'c' });
    expect([noted.entries, mails]).toEqual([[], []]);
    expect(await rows()).toMatchObject([{ createdAt: 1 }]);
  });
  test.each([
    ['hub', 'github', 'GitHub'],
    ['plain', 'plain', 'plain'],
  ])('not one of another user (%s)', async (method, provider, label) => {
    const other = await site.addUser(`other${serial}`);
    await insert(provider, subject, 1, other);
    await insert(provider, `own ${serial}`, 1);
    proof = { identity: { provider, subject } };
    await expect(open().bind(caller(), method, { code: 'c' })).rejects.toMatchObject({
      code: 'identity_taken',
      params: { provider: label },
      cause: { code: 'conflict' },
    });
    expect(await rows()).toMatchObject([{ subject: `own ${serial}` }]);
  });
  test('not by a method that proves none, nor for an account that is not active', async () => {
    proof = { user: { id: userId } as never };
    expect(await codeOf(open().bind(caller(), 'hub', { code: 'c' }))).toBe('not_found');
    proof = { identity: { provider: 'github', subject } };
    await site.app.storage.users.setStatus(userId, 1, 2);
    expect(await codeOf(open().bind(caller(), 'hub', { code: 'c' }))).toBe('not_found');
    expect(await rows()).toEqual([]);
  });
});

describe('unbinding', () => {
  test('removes the identity where another way in is left', async () => {
    await insert('github', subject, 1);
    await insert('plain', subject, 1);
    await open().unbind(caller(), 'hub');
    expect(await rows()).toMatchObject([{ provider: 'plain' }]);
    expect(removals).toEqual([userId]);
    const username = `user${serial}`;
    expect(noted.entries).toEqual([
      [caller().actor, 'user.unbind', userId, { username, method: 'hub' }],
    ]);
    await open().unbind(caller(), 'plain');
    expect(mails).toEqual([
      ['identity', { provider: 'GitHub', removed: true }],
      ['identity', { provider: 'plain', removed: true }],
    ]);
    expect(entered).toHaveLength(2);
  });
  test.each(['hub', 'password', 'unknown'])('not what is not there: %s', async (method) => {
    expect(await codeOf(open().unbind(caller(), method))).toBe('not_found');
    expect(noted.entries).toEqual([]);
    expect(entered).toHaveLength(method === 'hub' ? 1 : 0);
  });
});

describe('an address', () => {
  const bindEmail = () => open().bindEmail(caller(), 'given', '123456');
  test('is bound by its code, which counts for the session', async () => {
    await bindEmail();
    expect(checks).toEqual([
      ['given', '123456', { ip: '192.0.2.1', session: 'session' }],
      ['consume', true],
    ]);
    const email = `new${serial}@example.org`;
    const user = await site.app.storage.users.find(userId);
    expect(user).toMatchObject({ email, emailVerified: true });
    const username = `user${serial}`;
    expect(noted.entries).toEqual([
      [caller().actor, 'user.bind', userId, { username, method: 'email' }],
    ]);
    expect(mails).toEqual([['email', {}]]);
    expect(entered).toHaveLength(1);
  });
  test('not one that another account has verified', async () => {
    const email = `new${serial}@example.org`;
    const other = await site.addUser(`other${serial}`);
    await site.app.storage.users.update(other, { email, emailVerified: true });
    await expect(bindEmail()).rejects.toMatchObject({
      code: 'email_taken',
      params: { field: 'email' },
      cause: { code: 'conflict' },
    });
  });
  test.each([new AppError('verification_code_invalid'), new Error('no disk')])(
    'not where its code cannot be used: %s',
    async (error) => {
      failure = error;
      await expect(bindEmail()).rejects.toBe(error);
    },
  );
});
