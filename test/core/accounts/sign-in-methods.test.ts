import { describe, expect, it } from 'vitest';
import { bindFindMethod } from '../../../src/core/accounts/sign-in/find-method.ts';
import { createSignIn } from '../../../src/core/accounts/sign-in/sign-in.ts';
import type { SignInMethod } from '../../../src/core/accounts/sign-in/sign-in-method.ts';
import { codeOf, createTestApp } from '../../support/app.ts';

/** A provider that believes whatever subject it is given. */
const trusting: SignInMethod = {
  id: 'github',
  isEnabled: (options) => options.get('PasswordLoginEnabled'),
  isOpenTo: () => false,
  complete: async ({ subject = '' }) => ({ identity: { provider: 'github', subject } }),
};

async function setUp() {
  const { app, addUser, operator } = await createTestApp();
  const userId = await addUser('ann');
  await app.storage.userIdentities.insert({
    userId,
    provider: 'github',
    subject: '77',
    createdAt: 1,
  });
  const signIn = createSignIn({
    storage: app.storage,
    clock: app.clock,
    findMethod: bindFindMethod([trusting], app.site.options),
    join: async () => {
      throw new Error('nobody joins in this test');
    },
    gate: {
      enter: async () => {
        throw new Error('no identity has an earlier form in this test');
      },
      change: async () => {
        throw new Error('no identity has an earlier form in this test');
      },
    },
  });
  return { app, operator, userId, signIn };
}

describe('a method that proves an identity', () => {
  it('signs in the user whose identity it is', async () => {
    const { signIn, userId } = await setUp();
    expect((await signIn('github', { subject: '77' })).id).toBe(userId);
    expect(await codeOf(signIn('github', { subject: '78' }))).toBe('identity_unbound');
  });

  it('signs nobody in whose account is banned or deactivated, and says so', async () => {
    const { signIn, operator, userId } = await setUp();
    await operator.user.manage({ id: userId, action: 'disable' });
    expect(await codeOf(signIn('github', { subject: '77' }))).toBe('user_banned');
    await operator.user.manage({ id: userId, action: 'delete' });
    expect(await codeOf(signIn('github', { subject: '77' }))).toBe('user_deactivated');
  });

  it('does not exist where it is unknown or switched off', async () => {
    const { signIn, operator } = await setUp();
    expect(await codeOf(signIn('oidc', { subject: '77' }))).toBe('not_found');
    await operator.option.set({ key: 'PasswordLoginEnabled', value: false });
    expect(await codeOf(signIn('github', { subject: '77' }))).toBe('not_found');
  });

  it('shows its identity in the fields of the user', async () => {
    const { operator, userId } = await setUp();
    expect(await operator.user.get({ id: userId })).toMatchObject({ github_id: '77', oidc_id: '' });
    const { items } = await operator.user.list();
    expect(items.map(({ github_id }) => github_id)).toEqual(['77', '']);
  });

  it('frees the identity when the user is deleted for good', async () => {
    const { app, operator, userId } = await setUp();
    await operator.user.remove({ id: userId });
    expect(await app.storage.userIdentities.findUserId('github', '77')).toBeNull();
  });
});
