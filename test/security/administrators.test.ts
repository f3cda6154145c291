// Covers src/core/accounts/gate.
/**
 * Administrators below root neither fill their own wallet nor read those of their level and above
 * (docs/rules/accounts.md#who-may-do-what).
 */
import { describe, expect, test } from 'vitest';
import { toQuota } from '../../src/core/kernel/quota.ts';
import { codeOf, createTestApp, type TestApp } from '../support/app.ts';

async function start() {
  const site = await createTestApp();
  const [adm, peer, ann] = [
    await site.addUser('adm', { role: 10, quota: 1000 }),
    await site.addUser('peer', { role: 10, quota: 2000 }),
    await site.addUser('ann', { quota: 3000 }),
  ];
  return { ...site, adm, peer, ann, client: await site.as(adm) };
}

const orderOf = async ({ app }: TestApp, userId: number): Promise<string> => {
  const tradeNo = `USR${userId}NO1`;
  await app.storage.topUps.insert({
    userId,
    amount: 1,
    moneyCents: 730,
    quota: toQuota(500_000),
    tradeNo,
    createTime: 1,
    topUpCode: '',
    goodsName: '',
    status: 'pending',
    paymentMethod: 'alipay',
  });
  return tradeNo;
};

describe('quota', () => {
  test('an administrator grants none to the own account, nor to one of the own level and above, on any path', async () => {
    const site = await start();
    const { client, adm, peer, ann } = site;
    const balances = () =>
      Promise.all([adm, peer, 1].map(async (id) => (await site.app.ledger.balance(id)).quota));
    const before = await balances();
    const refusal = {
      [adm]: 'own_quota_forbidden',
      [peer]: 'user_update_forbidden',
      1: 'user_update_forbidden',
    };
    for (const id of [adm, peer, 1]) {
      expect(await codeOf(client.user.grant({ user_id: id, quota: 5 }))).toBe(refusal[id]);
      expect(await codeOf(client.user.update({ id, quota: 999_999 }))).toBe(
        'user_update_forbidden',
      );
      expect(await codeOf(client.user.update({ id, quota: 6, quota_base: 1 }))).toBe(
        'user_update_forbidden',
      );
      expect(await codeOf(client.topUp.complete({ trade_no: await orderOf(site, id) }))).toBe(
        refusal[id],
      );
    }
    expect(await balances()).toEqual(before);
    // To customers he does.
    await client.user.grant({ user_id: ann, quota: 5 });
    await client.topUp.complete({ trade_no: await orderOf(site, ann) });
    expect((await site.app.ledger.balance(ann)).quota).toBe(3000 + 5 + 500_000);
  });

  test('root does to all', async () => {
    const site = await start();
    const root = await site.as(1);
    for (const id of [1, site.adm]) {
      const { quota } = await site.app.ledger.balance(id);
      await root.user.grant({ user_id: id, quota: 5 });
      await root.topUp.complete({ trade_no: await orderOf(site, id) });
      expect((await site.app.ledger.balance(id)).quota).toBe(quota + 5 + 500_000);
    }
  });
});

describe('reading', () => {
  test('postings: the own ones and those of users below; not root’s, named or among all', async () => {
    const { client, as, adm, peer, ann } = await start();
    for (const id of [1, peer])
      expect(await codeOf(client.ledger.list({ user_id: id }))).toBe('user_read_forbidden');
    for (const id of [adm, ann]) expect((await client.ledger.list({ user_id: id })).total).toBe(1);
    const all = await client.ledger.list({ page_size: 100 });
    expect([all.total, new Set(all.items.map(({ user_id }) => user_id))]).toEqual([
      2,
      new Set([adm, ann]),
    ]);
    const roots = await (await as(1)).ledger.list({ page_size: 100 });
    expect(new Set(roots.items.map(({ user_id }) => user_id))).toEqual(
      new Set([1, adm, peer, ann]),
    );
  });

  test('statements and accounts follow the same rule', async () => {
    const { client, peer, ann } = await start();
    for (const id of [1, peer]) {
      expect(await codeOf(client.statement.get({ user_id: id }))).toBe('user_read_forbidden');
      expect(await codeOf(client.user.get({ id }))).toBe('user_read_forbidden');
    }
    expect(await client.statement.get({ user_id: ann })).toMatchObject({ username: 'ann' });
  });

  test('tokens: named or among all', async () => {
    const { client, as, adm, peer, ann } = await start();
    for (const id of [1, adm, peer, ann]) await (await as(id)).token.create({ name: `of ${id}` });
    for (const id of [1, peer])
      expect(await codeOf(client.userTokens.list({ user_id: id }))).toBe('user_read_forbidden');
    const { items, total } = await client.userTokens.list();
    expect([total, items.map(({ name }) => name).sort()]).toEqual([
      2,
      [`of ${adm}`, `of ${ann}`].sort(),
    ]);
    expect((await (await as(1)).userTokens.list()).total).toBe(4);
  });
});
