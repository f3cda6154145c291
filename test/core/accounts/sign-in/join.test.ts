/** The account of somebody who signs in for the first time: its names, its address, its token. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { NewAccount } from '../../../../src/core/accounts/create-account.ts';
import { bindJoin } from '../../../../src/core/accounts/sign-in/join.ts';
import type { Newcomer } from '../../../../src/core/accounts/sign-in/sign-in-method.ts';
import { userFields } from '../../../../src/core/entities/user.ts';
import { AppError } from '../../../../src/core/kernel/errors.ts';
import { codeOf, createLastingApp, type TestApp } from '../../../support/app.ts';

let site: TestApp;
let serial = 0;
let userId: number;
beforeAll(async () => {
  site = await createLastingApp();
});
afterAll(() => site.app.close());
beforeEach(async () => {
  serial += 1;
  userId = await site.addUser(`user${serial}`);
});

let options: Record<string, unknown>;
let accounts: NewAccount[];
let made: () => Promise<number>;
let tokens: unknown[][];
let taken: Record<string, string>;
let lengths: number[];
beforeEach(() => {
  options = { RegisterEnabled: true, SelfUseModeEnabled: false, SiteLanguage: 'en' };
  accounts = [];
  made = async () => userId;
  tokens = [];
  taken = {};
  lengths = [];
});
const attach = async () => {};
const join = (newcomer: Partial<Newcomer> = {}) =>
  bindJoin({
    storage: site.app.storage,
    options: { get: (key: string) => options[key] } as never,
    createAccount: async (account) => {
      accounts.push(account);
      const error = taken[account.username];
      if (error === 'email_taken' && account.email === undefined) return userId;
      if (error !== undefined) throw new AppError(error as 'username_taken');
      return made();
    },
    createFirstToken: async (...token) => void tokens.push(token),
    ids: {
      alphanumeric: (length) => {
        lengths.push(length);
        return 'x'.repeat(length);
      },
    },
  })({ prefix: 'hub_', displayName: 'Ann', ...newcomer }, { affCode: 'aff', label: 'Hub' }, attach);
const numbered = async () => `hub_${(await site.app.storage.users.highestId()) + 1}`;

test('has the next number, no password, and its first token', async () => {
  expect(await join()).toMatchObject({ id: userId });
  expect(accounts).toEqual([
    {
      username: await numbered(),
      passwordHash: expect.objectContaining({ isEmpty: true }),
      role: 1,
      displayName: 'Ann',
      group: 'default',
      affCode: 'aff',
      attach,
    },
  ]);
  expect(tokens).toEqual([[userId, `user${serial}`]]);
});
test('has the name and the address of the provider', async () => {
  await join({ offeredName: 'ann', email: 'ann@example.org' });
  expect(accounts).toMatchObject([
    { username: 'ann', email: 'ann@example.org', emailVerified: true },
  ]);
});
test.each(['', 'a b', 'x'.repeat(99)])(
  'not a name that is not valid: "%s"',
  async (offeredName) => {
    await join({ offeredName });
    expect(accounts.map(({ username }) => username)).toEqual([await numbered()]);
  },
);
test('takes the next name where one is taken, and no address where it is', async () => {
  taken = { ann: 'username_taken', [await numbered()]: 'email_taken' };
  await join({ offeredName: 'ann', email: 'ann@example.org' });
  expect(
    accounts.map(({ username, email, emailVerified }) => [username, email, emailVerified]),
  ).toEqual([
    ['ann', 'ann@example.org', true],
    [await numbered(), 'ann@example.org', true],
    [await numbered(), undefined, undefined],
  ]);
  expect(accounts[2]).not.toHaveProperty('emailVerified');
});
test('gives up after names with three, five and eight letters', async () => {
  const names = [await numbered(), 'hub_xxx', 'hub_xxxxx', 'hub_xxxxxxxx'];
  taken = Object.fromEntries(names.map((name) => [name, 'username_taken']));
  expect(await codeOf(join())).toBe('username_taken');
  expect(accounts.map(({ username }) => username)).toEqual(names);
  expect(lengths).toEqual([3, 5, 8]);
  expect(tokens).toEqual([]);
});
test('any other failure stays one', async () => {
  taken = { ann: 'phone_taken' };
  expect(await codeOf(join({ offeredName: 'ann', email: 'ann@example.org' }))).toBe('phone_taken');
  expect(accounts).toHaveLength(1);
});
test.each([
  ['  Ann  ', 'Ann'],
  ['', 'Hub user'],
  ['   ', 'Hub user'],
])('"%s" is displayed as "%s"', async (displayName, shown) => {
  await join({ displayName });
  expect(accounts[0]?.displayName).toBe(shown);
});
test.each([[{ RegisterEnabled: false }], [{ SelfUseModeEnabled: true }]])(
  'there is none with %j',
  async (change) => {
    options = { ...options, ...change };
    expect(await codeOf(join())).toBe('registration_disabled');
    expect(accounts).toEqual([]);
  },
);

test('a long name is cut, without the blank at its end', async () => {
  const { max } = userFields.display_name.limits;
  await join({ displayName: `${'😀'.repeat(max - 1)} Ann` });
  expect(accounts[0]?.displayName).toBe('😀'.repeat(max - 1));
});
test('a failure that is no refusal stays one, and an account that is gone is none', async () => {
  const failure = new Error('no disk');
  made = async () => {
    throw failure;
  };
  await expect(join()).rejects.toBe(failure);
  made = async () => 987_654_321;
  expect(await codeOf(join())).toBe('not_found');
  made = async () => {
    throw new AppError('email_taken');
  };
  expect(await codeOf(join())).toBe('email_taken');
  expect(tokens).toEqual([]);
});
