import { describe, expect, test, vi } from 'vitest';
import { createInvites, type InviteDeps } from '../../../src/core/accounts/invites.ts';
import { createMemoryCluster } from '../../../src/core/cluster/memory-cluster.ts';
import { AppError } from '../../../src/core/kernel/errors.ts';
import { maxQuota } from '../../../src/core/kernel/quota.ts';
import {
  codeOf,
  createTestApp,
  openBeside,
  type TestApp,
  testPassword,
} from '../../support/app.ts';
import { actorOf, openStubs, userOf } from './account-stubs.ts';

async function openSite(
  gifts: Readonly<Record<string, number>> = {},
): Promise<TestApp & { code: string }> {
  const site = await createTestApp();
  for (const [key, value] of Object.entries(gifts)) await site.operator.option.set({ key, value });
  return { ...site, code: await site.app.accounts.invites.codeOf(1) };
}
const gifts = { QuotaForNewUser: 10, QuotaForInvitee: 20, QuotaForInviter: 600_000 };

const postingsOf = async ({ operator }: TestApp, user_id: number) =>
  (await operator.ledger.list({ user_id })).items.map(({ kind, amount, reference }) => [
    kind,
    amount,
    reference,
  ]);
const contents = async ({ app }: TestApp, userId: number) =>
  (await app.logs.page({ userId, type: 4 }, { offset: 0, limit: 9 })).items.map(
    ({ content }) => content,
  );

describe('gifts at registration', () => {
  test('both sides, with their postings and log rows', async () => {
    const site = await openSite(gifts);
    const id = await site.app.accounts.register({
      username: 'ann',
      password: testPassword,
      affCode: ` ${site.code} `,
    });
    expect(await postingsOf(site, id)).toEqual([
      ['invite', 20, `account:${id}`],
      ['grant', 10, `account:${id}`],
    ]);
    expect(await contents(site, id)).toEqual([
      '使用邀请码注册，赠送 $0.000040 额度',
      '新用户注册，赠送 $0.000020 额度',
    ]);
    expect((await contents(site, 1))[0]).toBe('邀请新用户，获得 $1.200000 额度');
    expect(await (await site.as(1)).self.get()).toMatchObject({
      aff_count: 1,
      aff_quota: 600_000,
      aff_history_quota: 600_000,
    });
    expect((await site.operator.ledger.verify()).ok).toBe(true);
  });

  test.each([
    ['QuotaForNewUser', { quota: 7 }, {}],
    ['QuotaForInvitee', { quota: 7 }, {}],
    ['QuotaForInviter', { quota: 0 }, { aff_quota: 7, aff_history_quota: 7 }],
  ])('%s alone', async (key, invitee, inviter) => {
    const site = await openSite({ [key]: 7 });
    const id = await site.app.accounts.register({
      username: 'ann',
      password: testPassword,
      affCode: site.code,
    });
    expect(await (await site.as(id)).self.get()).toMatchObject(invitee);
    expect(await (await site.as(1)).self.get()).toMatchObject({
      aff_count: 1,
      aff_quota: 0,
      aff_history_quota: 0,
      ...inviter,
    });
  });

  test.each(['QuotaForNewUser', 'QuotaForInvitee', 'QuotaForInviter'])(
    '%s takes no negative and no fraction',
    async (key) => {
      const { operator } = await createTestApp();
      for (const value of [-1, 0.5, 'x', 1e16])
        expect(await codeOf(operator.option.set({ key, value }))).toBe('option_invalid');
    },
  );

  test('an account without a gift is counted, and nothing is posted', async () => {
    const site = await openSite();
    const id = await site.app.accounts.register({
      username: 'ann',
      password: testPassword,
      affCode: site.code,
    });
    expect(await postingsOf(site, id)).toEqual([]);
    expect(await contents(site, id)).toEqual([]);
    expect(await (await site.as(1)).self.get()).toMatchObject({ aff_count: 1, aff_quota: 0 });
  });

  test('the code of a deactivated user is ignored', async () => {
    const site = await openSite(gifts);
    const bob = await site.addUser('bob');
    const affCode = await site.app.accounts.invites.codeOf(bob);
    await site.operator.user.manage({ id: bob, action: 'delete' });
    const id = await site.app.accounts.register({
      username: 'ann',
      password: testPassword,
      affCode,
    });
    expect(await (await site.as(id)).self.get()).toMatchObject({ inviter_id: 0, quota: 10 });
  });

  test('a name that is taken rewards nobody', async () => {
    const site = await openSite(gifts);
    expect(
      await codeOf(
        site.app.accounts.register({
          username: 'root',
          password: testPassword,
          affCode: site.code,
        }),
      ),
    ).toBe('username_taken');
    expect(await (await site.as(1)).self.get()).toMatchObject({ aff_count: 0, aff_quota: 0 });
    expect(await site.app.storage.deferredPostings.list(9)).toEqual([]);
  });
});

describe('a posting that fails after the commit, or a process that dies', () => {
  test('registration: the gifts are posted later, once', async () => {
    const site = await openSite(gifts);
    const posting = vi.spyOn(site.app.ledger, 'post').mockRejectedValue(new Error('killed'));
    await site.app.accounts.register({
      username: 'ann',
      password: testPassword,
      affCode: site.code,
    });
    posting.mockRestore();
    const { items } = await site.operator.user.search({ keyword: 'ann' });
    const id = items[0]?.id ?? 0;
    expect(items[0]?.quota).toBe(0);
    await site.app.billing.deferred.finish();
    await site.app.billing.deferred.finish();
    expect(await postingsOf(site, id)).toHaveLength(2);
    expect(await (await site.as(id)).self.get()).toMatchObject({ quota: 30 });
    expect(await contents(site, id)).toHaveLength(2);
    expect(await site.app.storage.deferredPostings.list(9)).toEqual([]);
  });

  test('what it left is posted when a process starts', async () => {
    const site = await openSite();
    await site.app.storage.users.adjustInvite(1, { affQuota: 500_000 });
    vi.spyOn(site.app.ledger, 'post').mockRejectedValueOnce(new Error('killed'));
    await site.app.accounts.invites.transfer(site.root, 500_000);
    await openBeside(site.app, createMemoryCluster(site.clock));
    expect(await (await site.as(1)).self.get()).toMatchObject({ aff_quota: 0, quota: 100_500_000 });
  });

  test('transfer: posted later, once, even when it had been posted already', async () => {
    const site = await openSite();
    await site.app.storage.users.adjustInvite(1, { affQuota: 1_000_000 });
    vi.spyOn(site.app.ledger, 'post').mockRejectedValueOnce(new Error('killed'));
    const me = await site.as(1);
    await me.self.transferInviteQuota({ quota: 500_000 });
    expect(await me.self.get()).toMatchObject({ aff_quota: 500_000, quota: 100_000_000 });
    const [note] = await site.app.storage.deferredPostings.list(9);
    await site.app.billing.deferred.finish();
    expect(await me.self.get()).toMatchObject({ aff_quota: 500_000, quota: 100_500_000 });
    // The note of a posting that was written just before the crash.
    if (note !== undefined) await site.app.storage.deferredPostings.insert(note);
    await site.app.billing.deferred.finish();
    expect(await me.self.get()).toMatchObject({ quota: 100_500_000 });
    expect((await site.operator.ledger.verify()).ok).toBe(true);
  });

  test('what the ledger refuses is kept; the note of an account that is gone is dropped', async () => {
    const { app } = await openSite();
    const note = { kind: 'transfer', amount: 5, log: '', createdAt: 0 } as const;
    await app.storage.deferredPostings.insert({
      ...note,
      userId: 1,
      amount: Number.MAX_SAFE_INTEGER,
      reference: 'too much',
    });
    await app.storage.deferredPostings.insert({ ...note, userId: 99, reference: 'gone' });
    await app.storage.deferredPostings.insert({ ...note, userId: 1, reference: 'fine' });
    await app.billing.deferred.finish();
    expect((await app.storage.deferredPostings.list(9)).map(({ reference }) => reference)).toEqual([
      'too much',
    ]);
    expect((await app.accounts.own.get(1)).quota).toBe(100_000_005);
  });
});

test('the invite code is created once, and the same for parallel readers', async () => {
  const { as, app } = await createTestApp();
  await app.storage.users.update(1, { affCode: null });
  const me = await as(1);
  const codes = await Promise.all(Array.from({ length: 10 }, () => me.self.inviteCode()));
  expect(codes[0]).toMatch(/^[A-Za-z0-9]{4}$/);
  const { aff_code } = await me.self.get();
  expect(new Set(codes)).toEqual(new Set([aff_code]));
});

/** User 7 has 100 and 50 of invite quota; the least that is moved is 10. */
function openInvites(affCode: string | null = null) {
  const { common, seen, rows } = openStubs(userOf(7, { affCode }));
  const lengths: number[] = [];
  const state = { fails: undefined as unknown, noted: [] as unknown[], posted: [] as unknown[] };
  const users = {
    ...common.storage.users,
    setMissingAffCode: async (id: number, code: string) => {
      if (state.fails !== undefined) throw state.fails;
      rows.set(id, { ...userOf(id), affCode: code });
    },
    adjustInvite: async (_: number, { affQuota = 0 }) => 50 + affQuota >= 0,
  };
  Object.assign(common.storage, { users });
  const invites = createInvites({
    ...common,
    ledger: { balance: async () => ({ quota: 100, held: 0 }) },
    options: { get: () => 10 },
    writeLog: { prepare: (...row: unknown[]) => row },
    ids: {
      uuid: () => 'u1',
      alphanumeric: (length: number) => {
        lengths.push(length);
        return 'x'.repeat(length);
      },
    },
    deferred: {
      note: async (_: unknown, posting: unknown) => void state.noted.push(posting),
      post: async (posting: unknown) => void state.posted.push(posting),
    },
  } as unknown as InviteDeps);
  return { invites, seen, lengths, state };
}

describe('a code', () => {
  test('is made where there is none or an empty one, and stays', async () => {
    for (const code of [null, '']) expect(await openInvites(code).invites.codeOf(7)).toBe('xxxx');
    const { invites, lengths } = openInvites('mine');
    expect([await invites.codeOf(7), lengths]).toEqual(['mine', []]);
  });
  test('that is taken is tried anew, longer after a while, five times', async () => {
    const { invites, lengths, state } = openInvites();
    state.fails = new AppError('conflict');
    await expect(invites.codeOf(7)).rejects.toMatchObject({
      code: 'conflict',
      params: { field: 'affCode' },
    });
    expect(lengths).toEqual([4, 4, 6, 6, 8]);
  });
  test.each([new Error('conflict'), new AppError('database_unavailable')])(
    'that cannot be stored for another reason is not tried anew: %s',
    async (error) => {
      const { invites, lengths, state } = openInvites();
      state.fails = error;
      await expect(invites.codeOf(7)).rejects.toBe(error);
      expect(lengths).toHaveLength(1);
    },
  );
  test('nobody has none', async () => {
    expect(await codeOf(openInvites().invites.codeOf(8))).toBe('not_found');
  });
});

describe('a transfer', () => {
  const actor = actorOf(7, 1);
  test('is noted, recorded, and posted once it is committed', async () => {
    const { invites, seen, state } = openInvites();
    await invites.transfer(actor, 10);
    const log = [{ userId: 7, username: 'name7' }, 4, 'log.transferred', { quota: 10 }];
    const posting = { userId: 7, kind: 'transfer', amount: 10, reference: 'u1', log };
    expect([state.noted, state.posted]).toEqual([[posting], [posting]]);
    expect(seen.entries).toEqual([[actor, 'user.transfer', 7, { reference: 'u1', quota: 10 }]]);
  });
  test.each([
    [9, 'transfer_too_small', { min: 10 }],
    [10.5, 'transfer_too_small', { min: 10 }],
    [51, 'invite_quota_insufficient', {}],
    [maxQuota - 99, 'balance_limit', { max: maxQuota }],
  ])('of %d is refused: %s', async (quota, code, params) => {
    const { invites, seen, state } = openInvites();
    await expect(invites.transfer(actor, quota)).rejects.toMatchObject({ code, params });
    expect([seen.entries, state.posted]).toEqual([[], []]);
  });
});
