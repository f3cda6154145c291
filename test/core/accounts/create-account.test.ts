/** The one way to create an account: what is granted with it, and what of it may be taken. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  bindCreateAccount,
  type CreateAccountDeps,
  type NewAccount,
} from '../../../src/core/accounts/create-account.ts';
import { nowSeconds } from '../../../src/core/kernel/clock.ts';
import { AppError } from '../../../src/core/kernel/errors.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import { createWriteLog } from '../../../src/core/logs/write-log.ts';
import { codeOf, createLastingApp, type TestApp } from '../../support/app.ts';

let site: TestApp;
let serial = 0;
let options: Record<string, number>;
let noted: unknown[];
let posted: unknown[];
let codes: string[];
let lengths: number[];
beforeAll(async () => {
  site = await createLastingApp();
});
afterAll(() => site.app.close());
beforeEach(() => {
  serial += 1;
  options = { QuotaForNewUser: 0, QuotaForInvitee: 0, QuotaForInviter: 0 };
  noted = [];
  posted = [];
  codes = [];
  lengths = [];
});
const open = (more: Partial<CreateAccountDeps> = {}) =>
  bindCreateAccount({
    storage: site.app.storage,
    deferred: {
      note: async (_: unknown, posting: unknown) => void noted.push(posting),
      post: async (posting: unknown) => void posted.push(posting),
    } as CreateAccountDeps['deferred'],
    options: { get: (key: string) => options[key] } as unknown as CreateAccountDeps['options'],
    writeLog: {
      prepare: (...row: unknown[]) => row,
    } as unknown as CreateAccountDeps['writeLog'],
    clock: site.clock,
    ids: {
      alphanumeric: (length: number) => {
        lengths.push(length);
        return codes.shift() ?? `code ${serial} ${lengths.length}`;
      },
    } as CreateAccountDeps['ids'],
    ...more,
  });
const openWriteLog = () =>
  createWriteLog({
    logs: site.app.storage.logs,
    options: site.app.site.options,
    siteLanguage: () => 'en',
    clock: site.clock,
  });
const account = (more: Partial<NewAccount> = {}): NewAccount => ({
  username: `ann${serial}`,
  passwordHash: new Secret(''),
  displayName: 'Ann',
  role: 1,
  group: 'default',
  ...more,
});
const addInviter = async () => {
  const id = await site.addUser(`inviter${serial}`);
  return { id, affCode: await site.app.accounts.invites.codeOf(id) };
};
const gift = (userId: number, kind: string, sentence: string, amount: number) => ({
  userId,
  kind,
  amount,
  reference: `account:${userId}`,
  log: [{ userId, username: `ann${serial}` }, 4, sentence, { quota: amount }],
});

test('an account is active, with a code of its own and no inviter', async () => {
  const id = await open()(account());
  expect(await site.app.storage.users.find(id)).toMatchObject({
    username: `ann${serial}`,
    status: 1,
    affCode: `code ${serial} 1`,
    inviterId: 0,
    createdAt: nowSeconds(site.clock),
  });
  expect([lengths, noted, posted]).toEqual([[4], [], []]);
});

describe('gifts', () => {
  test('are its own quota and that of those who were invited', async () => {
    options = { QuotaForNewUser: 5, QuotaForInvitee: 7, QuotaForInviter: 0 };
    const { id: inviterId, affCode } = await addInviter();
    const id = await open()(account({ affCode: ` ${affCode} ` }));
    const gifts = [gift(id, 'grant', 'log.new_user', 5), gift(id, 'invite', 'log.invitee', 7)];
    expect(noted).toEqual(gifts);
    expect(posted).toEqual(gifts);
    expect(await site.app.storage.users.find(id)).toMatchObject({ inviterId });
    expect(await site.app.storage.users.find(inviterId)).toMatchObject({
      affCount: 1,
      affQuota: 0,
    });
  });
  test.each([
    [0, []],
    [3, [3]],
  ])('are the quota that is given instead: %i', async (quota, amounts) => {
    options = { QuotaForNewUser: 5, QuotaForInvitee: 7, QuotaForInviter: 9 };
    await open()(account({ quota }));
    expect(noted.map((posting) => (posting as { amount: number }).amount)).toEqual(amounts);
  });
  test("are the inviter's reward, too, with a row of the log", async () => {
    options = { QuotaForNewUser: 0, QuotaForInvitee: 0, QuotaForInviter: 9 };
    const { id, affCode } = await addInviter();
    const writeLog = openWriteLog();
    await open({ writeLog })(account({ affCode }));
    const reward = { affCount: 1, affQuota: 9, affHistoryQuota: 9 };
    expect(await site.app.storage.users.find(id)).toMatchObject(reward);
    const { items } = await site.app.logs.page({ userId: id }, { offset: 0, limit: 9 });
    expect(items).toMatchObject([
      { username: `inviter${serial}`, type: 4, content: expect.stringContaining('$0.000018') },
    ]);
    expect(noted).toEqual([]);
    await open({ writeLog })(account({ username: `bob${serial}` }));
    expect(await site.app.storage.users.find(id)).toMatchObject(reward);
  });
  test.each(['unknown', ' ', ''])('not for the code "%s"', async (affCode) => {
    options = { QuotaForNewUser: 0, QuotaForInvitee: 7, QuotaForInviter: 9 };
    const id = await open()(account({ affCode }));
    expect(noted).toEqual([]);
    expect(await site.app.storage.users.find(id)).toMatchObject({ inviterId: 0 });
  });
  test('not for the code of an account that is gone', async () => {
    options = { QuotaForNewUser: 0, QuotaForInvitee: 7, QuotaForInviter: 9 };
    const { id, affCode } = await addInviter();
    await site.app.storage.users.softDelete(id, 1);
    await open()(account({ affCode }));
    expect(noted).toEqual([]);
  });
});

describe('a way in by which an account was registered before', () => {
  const name = () => `bob${serial}`;
  const ways: readonly (readonly [string, () => Partial<NewAccount>])[] = [
    ['an address', () => ({ email: `a${serial}@example.org`, emailVerified: true })],
    ['a phone', () => ({ phone: `+4915100002${serial}` })],
    ['an identity', () => ({ identity: { provider: 'github', subject: `${serial}` } })],
  ];
  /** As its owner does, who has another way in by now. */
  const free = (id: number) =>
    site.app.storage.users.update(id, { email: '', emailVerified: false, phone: null });

  test.each(ways)('brings gifts once: %s', async (_, wayOf) => {
    options = { QuotaForNewUser: 5, QuotaForInvitee: 7, QuotaForInviter: 9 };
    const { id: inviterId, affCode } = await addInviter();
    const create = open({ writeLog: openWriteLog() });
    await free(await create(account({ affCode, ...wayOf() })));
    expect(noted).toHaveLength(2);
    const id = await create(account({ username: name(), affCode, ...wayOf() }));
    expect(noted).toHaveLength(2);
    expect(await site.app.storage.users.find(id)).toMatchObject({ inviterId: 0 });
    expect(await site.app.storage.users.find(inviterId)).toMatchObject({
      affCount: 1,
      affQuota: 9,
    });
  });
  test('together with a new one, too', async () => {
    options['QuotaForNewUser'] = 5;
    const identity = { provider: 'oidc', subject: `${serial}` };
    await open()(account({ identity }));
    const email = `new${serial}@example.org`;
    await open()(account({ username: name(), identity, email, emailVerified: true }));
    expect(noted).toHaveLength(1);
  });
  test.each(ways)('is free again where the account could not be made: %s', async (_, wayOf) => {
    options['QuotaForNewUser'] = 5;
    const attach = () => Promise.reject(new Error('no'));
    await expect(open()(account({ attach, ...wayOf() }))).rejects.toThrow('no');
    await open()(account(wayOf()));
    expect(noted).toHaveLength(1);
  });
  test('takes no quota away that an administrator gives', async () => {
    options['QuotaForNewUser'] = 5;
    const identity = { provider: 'github', subject: `${serial}` };
    await open()(account({ identity }));
    await open()(account({ username: name(), identity, quota: 3 }));
    expect(noted).toMatchObject([{ amount: 5 }, { amount: 3 }]);
  });
  test('that nobody has verified counts for nothing', async () => {
    options['QuotaForNewUser'] = 5;
    const email = `u${serial}@example.org`;
    await open()(account({ email, emailVerified: false }));
    await open()(account({ username: name(), email, emailVerified: false }));
    expect(noted).toHaveLength(2);
  });
});

test('what goes with it is undone with it', async () => {
  const failure = new Error('no');
  const seen: unknown[] = [];
  const made = open()(
    account({
      alongside: async () => void seen.push('alongside'),
      attach: async (_, id) => {
        seen.push(typeof id);
        throw failure;
      },
    }),
  );
  await expect(made).rejects.toBe(failure);
  expect(seen).toEqual(['alongside', 'number']);
  expect(await site.app.storage.users.findByUsername(`ann${serial}`)).toBeNull();
});

describe('what another account has', () => {
  test.each([
    ['username', { username: 'Root' }],
    ['email', { email: 'taken@example.org', emailVerified: true }],
    ['phone', { phone: '+4915100001000' }],
  ])('%s', async (field, change) => {
    if (field !== 'username')
      await codeOf(open()(account({ username: `first${serial}`, ...change })));
    expect(await codeOf(open()(account(change)))).toBe(`${field}_taken`);
  });
  test('another conflict stays one', async () => {
    const conflict = new AppError('conflict', { field: 'subject' });
    const attach = async () => {
      throw conflict;
    };
    await expect(open()(account({ attach }))).rejects.toBe(conflict);
    const refusal = new AppError('invalid_parameter', { field: 'affCode' });
    const alongside = async () => {
      throw refusal;
    };
    await expect(open()(account({ alongside }))).rejects.toBe(refusal);
    expect(lengths).toEqual([4, 4]);
  });
  test('a code is made again, and longer', async () => {
    const id = await open()(account());
    const taken = (await site.app.storage.users.find(id))?.affCode ?? '';
    codes = [taken, taken, taken, taken];
    lengths = [];
    await open()(account({ username: `bob${serial}` }));
    expect(lengths).toEqual([4, 4, 6, 6, 8]);
    codes = Array.from({ length: 5 }, () => taken);
    await expect(open()(account({ username: `carl${serial}` }))).rejects.toMatchObject({
      code: 'conflict',
      params: { field: 'affCode' },
    });
  });
});
