/** What users change of their own account, and who may. */
import { describe, expect, it } from 'vitest';
import {
  createOwnAccount,
  type OwnAccountDeps,
  updateUser,
} from '../../../src/core/accounts/own-account.ts';
import { hashSecret } from '../../../src/core/accounts/sessions.ts';
import { AppError } from '../../../src/core/kernel/errors.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import type { Storage, User } from '../../../src/core/storage/storage.ts';
import { codeOf } from '../billing/ledger-support.ts';
import { actorOf, openStubs, userOf } from './account-stubs.ts';

const actor = actorOf(7, 1);
const caller = { actor, proof: undefined, waysIn: [] };
const password = 'a long password';

function open(user: User = userOf(7), needsOld = true) {
  const { common, seen, rows } = openStubs(user);
  const options = { get: () => needsOld } as unknown as OwnAccountDeps['options'];
  return { own: createOwnAccount({ ...common, options }), seen, rows };
}

it('an account that is not there is not found', async () => {
  const { own } = open();
  expect((await own.get(7)).username).toBe('name7');
  for (const read of [own.get, own.credentials]) expect(await codeOf(read(8))).toBe('not_found');
});

it.each([
  ['{"accept_unset_model_ratio_model":true}', true],
  ['{"accept_unset_model_ratio_model":1}', false],
  ['{}', false],
  ['', false],
])('models without a price are accepted by who said so: %s', async (setting, acceptUnpriced) => {
  const { own } = open(userOf(7, { setting }));
  expect(await own.consentOf(actor)).toEqual({ acceptUnpriced });
  expect(await own.consentOf(null)).toEqual({ acceptUnpriced: false });
  expect(await own.consentOf(actorOf(8, 1))).toEqual({ acceptUnpriced: false });
});

it('says which credentials there are', async () => {
  const found = (more: Partial<User>) => open(userOf(7, more)).own.credentials(7);
  expect(await found({})).toEqual({ hasPassword: false, hasSystemToken: false });
  expect(await found({ passwordHash: new Secret('h'), accessTokenHash: 'h' })).toEqual({
    hasPassword: true,
    hasSystemToken: true,
  });
});

describe('an edit', () => {
  it('of the profile needs no proof, and all processes hear of it', async () => {
    const { own, seen, rows } = open();
    await own.update(caller, { displayName: 'Ann' });
    expect(rows.get(7)?.displayName).toBe('Ann');
    expect([seen.entered, seen.announced]).toEqual([[], [['user', 7]]]);
  });
  it('of nothing writes nothing', async () => {
    const { own, seen } = open();
    await own.update(caller, { displayName: '' });
    expect([seen.calls, seen.announced]).toEqual([[], []]);
  });

  const withPassword = userOf(7, { passwordHash: new Secret('h') });
  it('of the password ends the system access token, and is recorded', async () => {
    const { own, seen, rows } = open(
      userOf(7, { passwordHash: new Secret('h'), accessTokenHash: 't' }),
    );
    await own.update(caller, { displayName: 'Ann', password, originalPassword: 'old' });
    expect(seen.entered).toEqual([['password', 'old']]);
    expect(seen.entries).toEqual([[actor, 'user.password', 7, undefined]]);
    const { displayName, accessTokenHash, passwordHash } = rows.get(7) ?? userOf(0);
    expect([displayName, accessTokenHash]).toEqual(['Ann', null]);
    expect(passwordHash.reveal()).toMatch(/^\$argon2id/);
  });
  it('of the password needs the old one where there is one and the site wants it', async () => {
    const change = { password };
    const { own, seen } = open(withPassword);
    expect(await codeOf(own.update(caller, change))).toBe('original_password_wrong');
    expect(seen.entered).toEqual([]);
    for (const { own, seen } of [open(withPassword, false), open(userOf(7))]) {
      await own.update(caller, change);
      expect(seen.entered).toEqual([['password', undefined]]);
    }
  });
  it('of the password by the operator needs no old one', async () => {
    const { own, seen } = open(withPassword);
    await own.update({ ...caller, proof: 'operator' }, { password });
    expect(seen.entered).toEqual([['password', undefined]]);
  });
});

it('who leaves keeps no way in and no file', async () => {
  const { own, seen } = open();
  await own.remove(caller);
  expect(seen.entered).toEqual([['account']]);
  expect(seen.entries).toEqual([[actor, 'user.remove_self', 7, undefined]]);
  expect(seen.calls).toEqual([
    ['softDelete', 7, 9],
    ['disable tokens', 7],
    ['end sessions', 7],
    ['delete factors', 7],
  ]);
  expect(seen.deletedFiles).toEqual([7]);
  const root = { ...caller, actor: actorOf(1, 100) };
  expect(await codeOf(own.remove(root))).toBe('root_cannot_be_deleted');
  const gone = { ...caller, actor: actorOf(8, 1) };
  expect(await codeOf(own.remove(gone))).toBe('not_found');
  expect(seen.deletedFiles).toEqual([7]);
});

it('a system access token is kept as its hash, and recorded', async () => {
  const { own, seen, rows } = open();
  const token = await own.makeSystemToken(caller);
  expect(token).toHaveLength(32);
  expect(rows.get(7)?.accessTokenHash).toBe(hashSecret(token));
  expect(seen.entered).toEqual([['system_token']]);
  expect(seen.entries).toEqual([[actor, 'user.system_token', 7, undefined]]);
});

describe('what the tables say of a change', () => {
  const update = (found: boolean | Error) =>
    updateUser(
      {
        users: {
          update: async () => {
            if (found instanceof Error) throw found;
            return found;
          },
        },
      } as unknown as Pick<Storage, 'users'>,
      7,
      {},
    );
  it.each([
    [true, 'ok'],
    [false, 'not_found'],
    [new AppError('conflict', { field: 'username' }), 'username_taken'],
    [new AppError('conflict', { field: 'email' }), 'conflict'],
    [new AppError('database_unavailable', { field: 'username' }), 'database_unavailable'],
    [new Error('disk'), 'Error: disk'],
  ])('%s: %s', async (found, code) => {
    expect(await codeOf(update(found))).toBe(code);
  });
  it('and keeps the cause', async () => {
    const cause = new AppError('conflict', { field: 'username' });
    await expect(update(cause)).rejects.toMatchObject({ cause });
  });
});
