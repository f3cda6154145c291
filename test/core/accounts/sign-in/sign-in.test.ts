/** Sign-ins by an identity: whose it is, how it gets an account, and who is not let in. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Join } from '../../../../src/core/accounts/sign-in/join.ts';
import { createSignIn, type SignInDeps } from '../../../../src/core/accounts/sign-in/sign-in.ts';
import type {
  Newcomer,
  ProvenIdentity,
  SignInMethod,
  SignInProof,
} from '../../../../src/core/accounts/sign-in/sign-in-method.ts';
import { nowSeconds } from '../../../../src/core/kernel/clock.ts';
import { AppError } from '../../../../src/core/kernel/errors.ts';
import type { User } from '../../../../src/core/storage/storage.ts';
import { codeOf, createLastingApp, type TestApp } from '../../../support/app.ts';

let site: TestApp;
let serial = 0;
let userId: number;
let subject: string;
beforeAll(async () => {
  site = await createLastingApp();
});
afterAll(() => site.app.close());
beforeEach(async () => {
  serial += 1;
  userId = await site.addUser(`user${serial}`);
  subject = `subject ${serial}`;
});
const find = async (id = userId): Promise<User> => {
  const user = await site.app.storage.users.find(id);
  if (user === null) throw new Error('no user');
  return user;
};
const bind = (id = userId, named = subject) =>
  site.app.storage.userIdentities.insert({
    userId: id,
    provider: 'github',
    subject: named,
    createdAt: 1,
  });

describe('by an identity', () => {
  let proof: SignInProof;
  let joined: unknown[][];
  let passed: unknown[][];
  let joinFails: (() => Promise<Error>) | undefined;
  let label: string | undefined;
  const newcomer: Newcomer = { prefix: 'github_', displayName: 'Ann' };
  const proven = (more: Partial<ProvenIdentity> = {}): ProvenIdentity => ({
    identity: { provider: 'github', subject },
    ...more,
  });
  beforeEach(() => {
    proof = proven();
    joined = [];
    passed = [];
    joinFails = undefined;
    label = 'GitHub';
  });
  const join: Join = async (who, from, attach) => {
    if (joinFails !== undefined) throw await joinFails();
    joined.push([who, from]);
    await site.app.storage.transaction((inside) => attach(inside, userId));
    return find();
  };
  const signIn = (affCode?: string) => {
    const method = {
      id: 'hub',
      ...(label !== undefined && { label }),
      complete: async (input: unknown) => {
        expect(input).toEqual({ code: 'c' });
        return proof;
      },
    } as unknown as SignInMethod;
    return createSignIn({
      storage: site.app.storage,
      clock: site.clock,
      findMethod: (id) => {
        expect(id).toBe('hub');
        return method;
      },
      join,
      gate: {
        enter: async (...call: unknown[]) => {
          passed.push(call);
          return 'passage';
        },
        change: async (
          passage: unknown,
          { apply, ...change }: { apply: (inside: unknown) => unknown },
        ) => {
          passed.push([passage, change]);
          return site.app.storage.transaction(async (inside) => apply(inside));
        },
      } as unknown as SignInDeps['gate'],
    })('hub', { code: 'c' }, affCode);
  };
  const owner = () => site.app.storage.userIdentities.findUserId('github', subject);

  test('its owner signs in', async () => {
    await bind();
    expect(await signIn()).toMatchObject({ id: userId });
    expect([joined, passed]).toEqual([[], []]);
  });
  test.each([
    ['GitHub', 'GitHub'],
    [undefined, 'github'],
  ])('nobody yet: an account is made, with the label %s', async (name, called) => {
    label = name;
    proof = proven({ newcomer });
    expect(await signIn('aff')).toMatchObject({ id: userId });
    const identity = { provider: 'github', subject };
    expect(joined).toEqual([[newcomer, { affCode: 'aff', label: called, identity }]]);
    expect(await site.app.storage.userIdentities.listByUsers([userId])).toEqual([
      { userId, provider: 'github', subject, createdAt: nowSeconds(site.clock) },
    ]);
  });
  test('an account is made without an invite code, too', async () => {
    proof = proven({ newcomer });
    await signIn();
    expect(joined).toMatchObject([[newcomer, { affCode: '', label: 'GitHub' }]]);
  });
  test.each([
    ['GitHub', 'GitHub'],
    [undefined, 'github'],
  ])('no account is made where the method makes none (%s)', async (name, provider) => {
    label = name;
    await expect(signIn()).rejects.toMatchObject({
      code: 'identity_unbound',
      params: { provider },
    });
  });
  test('nor for somebody whom it refuses', async () => {
    const refusal = new Error('too young');
    proof = proven({ newcomer: { ...newcomer, refusal } });
    await expect(signIn()).rejects.toBe(refusal);
    expect(joined).toEqual([]);
  });
  test('of two at the same time both get the account of the first', async () => {
    proof = proven({ newcomer });
    joinFails = async () => {
      await bind();
      return new AppError('conflict', { field: 'subject' });
    };
    expect(await signIn()).toMatchObject({ id: userId });
  });
  test.each([
    [new AppError('conflict', { field: 'subject' }), false],
    [new AppError('conflict', { field: 'username' }), true],
    [new AppError('registration_disabled', { field: 'subject' }), true],
    [new Error('no disk'), true],
  ])('another failure stays one: %s (somebody has it: %s)', async (error, hasOwner) => {
    proof = proven({ newcomer });
    joinFails = async () => {
      if (hasOwner) await bind();
      return error;
    };
    await expect(signIn()).rejects.toBe(error);
  });
  test.each<[string, (id: number) => Promise<unknown>, string]>([
    ['banned', (id) => site.app.storage.users.setStatus(id, 1, 2), 'user_banned'],
    ['deactivated', (id) => site.app.storage.users.softDelete(id, 5), 'user_deactivated'],
  ])(
    'an account that is %s is not let in; without an identity nothing is said',
    async (_, change, code) => {
      await bind();
      await change(userId);
      expect(await codeOf(signIn())).toBe(code);
      proof = { user: await find() };
      expect(await codeOf(signIn())).toBe('wrong_credentials');
    },
  );
  test('a method that finds the user itself is believed', async () => {
    proof = { user: await find() };
    expect(await signIn()).toMatchObject({ id: userId });
  });

  describe('in its earlier form', () => {
    const formerly = (...emails: string[]) => ({
      subject: `former ${serial}`,
      verifiedEmails: async () => emails,
    });
    test('is replaced through the gate', async () => {
      await bind(userId, `former ${serial}`);
      proof = proven({ formerly: formerly(), newcomer });
      expect(await signIn()).toMatchObject({ id: userId });
      expect(await site.app.storage.userIdentities.listByUsers([userId])).toEqual([
        { userId, provider: 'github', subject, createdAt: nowSeconds(site.clock) },
      ]);
      const caller = {
        actor: expect.objectContaining({ id: userId, ip: '' }),
        proof: 'identity',
        waysIn: ['identity'],
      };
      const change = {
        userId,
        action: 'user.bind',
        detail: { method: 'hub' },
        provider: 'GitHub',
      };
      expect(passed).toEqual([
        [caller, 'identity'],
        ['passage', change],
      ]);
    });
    test('is called by the method where it has no label', async () => {
      label = undefined;
      await bind(userId, `former ${serial}`);
      proof = proven({ formerly: formerly() });
      await signIn();
      expect(passed[1]).toMatchObject(['passage', { provider: 'hub' }]);
    });
    test('is believed where the address of the account is verified there', async () => {
      await site.app.storage.users.update(userId, { email: `Ann${serial}@example.org` });
      await bind(userId, `former ${serial}`);
      proof = proven({ formerly: formerly('other@example.org'), newcomer });
      expect(await codeOf(signIn())).toBe('identity_bind_again');
      expect(await owner()).toBeNull();
      proof = proven({ formerly: formerly('x@example.org', `ann${serial}@example.org`) });
      await signIn();
      expect(await owner()).toBe(userId);
    });
    test.each([
      ['user_banned', { status: 2 }],
      ['user_deactivated', { deletedAt: 1 }],
    ] as const)('stays where nobody is let in: %s', async (code, fields) => {
      await bind(userId, `former ${serial}`);
      if ('status' in fields) await site.app.storage.users.setStatus(userId, 1, fields.status);
      else await site.app.storage.users.softDelete(userId, fields.deletedAt);
      proof = proven({ formerly: formerly(), newcomer });
      expect(await codeOf(signIn())).toBe(code);
      expect(passed).toEqual([]);
      expect(await owner()).toBeNull();
    });
    test('of nobody is none', async () => {
      proof = proven({ formerly: formerly(), newcomer });
      await signIn();
      expect(joined).toHaveLength(1);
    });
  });
});
