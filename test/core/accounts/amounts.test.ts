/**
 * Amounts that people type: too large ones are refused before anything is written, and balances
 * beyond the range are mended.
 */
import { describe, expect, it } from 'vitest';
import { maxAmount, maxQuota } from '../../../src/core/kernel/quota.ts';
import { codeOf, createTestApp } from '../../support/app.ts';

describe('amounts', () => {
  it('of top-ups, new accounts and quota edits are limited', async () => {
    const { operator, addUser } = await createTestApp();
    const id = await addUser('ann', { quota: 1 });
    expect(await codeOf(operator.user.grant({ user_id: id, quota: maxQuota }))).toBe(
      'amount_limit',
    );
    expect(await codeOf(operator.user.grant({ user_id: id, quota: maxAmount + 1 }))).toBe(
      'amount_limit',
    );
    expect(await codeOf(operator.user.update({ id, quota: maxAmount + 1, quota_base: 1 }))).toBe(
      'amount_limit',
    );
    expect(await codeOf(operator.user.update({ id, quota: -maxAmount - 1, quota_base: 1 }))).toBe(
      'amount_limit',
    );
    // A base that nobody has seen does not take a balance beyond the limit.
    for (const [quota, quota_base] of [
      [maxAmount, -maxAmount],
      [0, -maxAmount - 1],
      [-maxAmount, 2],
    ])
      expect(await codeOf(operator.user.update({ id, quota, quota_base }))).toBe('amount_limit');
    expect(await codeOf(addUser('bob', { quota: maxAmount + 1 }))).toBe('invalid_parameter');
    expect(
      (await operator.user.search({ keyword: '' })).items.map(({ username }) => username),
    ).not.toContain('bob');
    expect((await operator.user.get({ id })).quota).toBe(1);
  });

  it('that together pass the range are refused with a message, and the pages stay readable', async () => {
    const { operator, as, addUser } = await createTestApp();
    const id = await addUser('ann', { quota: 1 });
    for (let times = 0; times < 9; times += 1)
      await operator.user.grant({ user_id: id, quota: maxAmount });
    expect(await codeOf(operator.user.grant({ user_id: id, quota: maxAmount }))).toBe(
      'balance_limit',
    );
    const [code = ''] = await operator.redemption.create({ name: 'c', quota: maxAmount, count: 1 });
    const ann = await as(id);
    expect(await codeOf(ann.wallet.redeem({ key: code }))).toBe('balance_limit');
    const { items } = await operator.redemption.list({});
    expect(items).toMatchObject([{ status: 1 }]);
    expect((await operator.user.search({ keyword: 'ann' })).items).toMatchObject([
      { quota: 9 * maxAmount + 1 },
    ]);
    expect((await ann.ledger.listSelf({})).total).toBe(10);
    expect(await operator.ledger.verify()).toMatchObject({ ok: true });
    // The way back.
    await operator.user.update({ id, quota: 500, quota_base: 9 * maxAmount + 1 });
    await ann.wallet.redeem({ key: code });
    expect((await operator.user.get({ id })).quota).toBe(maxAmount + 500);
  });

  it('of codes and tokens are limited', async () => {
    const { operator, addUser } = await createTestApp();
    expect(
      await codeOf(operator.redemption.create({ name: 'c', quota: maxAmount + 1, count: 1 })),
    ).toBe('code_quota_invalid');
    await addUser('ann');
    const token = { name: 't', user: 'ann' };
    expect(
      await codeOf(operator.userTokens.create({ ...token, remain_quota: maxAmount + 1 })),
    ).toBe('token_quota_invalid');
    expect(
      await codeOf(
        operator.userTokens.create({
          ...token,
          remain_quota: maxAmount + 1,
          unlimited_quota: true,
        }),
      ),
    ).toBe('token_quota_invalid');
  });

  it('of invitations stay where they are if the balance has no room', async () => {
    const { app, operator, as, addUser } = await createTestApp();
    await operator.option.set({ key: 'QuotaPerUnit', value: 1 });
    const id = await addUser('ann');
    await app.ledger.post({
      userId: id,
      kind: 'grant',
      amount: (maxQuota - 5) as never,
      reference: null,
    });
    await app.storage.users.adjustInvite(id, { affQuota: 10, affHistoryQuota: 10 });
    const ann = await as(id);
    expect(await codeOf(ann.self.transferInviteQuota({ quota: 10 }))).toBe('balance_limit');
    expect(await app.storage.users.find(id)).toMatchObject({ affQuota: 10, quota: maxQuota - 5 });
    await ann.self.transferInviteQuota({ quota: 5 });
    expect(await app.storage.users.find(id)).toMatchObject({ affQuota: 5, quota: maxQuota });
    await app.storage.users.adjustInvite(id, { affQuota: maxQuota, affHistoryQuota: maxQuota });
    expect(await app.storage.users.find(id)).toMatchObject({
      affQuota: maxQuota,
      affHistoryQuota: maxQuota,
    });
  });
});

describe('prices', () => {
  it.each([
    ['ModelRatio', '{"gpt-4o":1e300}'],
    ['ModelPrice', '{"dall-e-3":1000001}'],
    ['GroupRatio', '{"default":1e300}'],
    ['GroupGroupRatio', '{"default":{"vip":1e9}}'],
    ['QuotaPerUnit', '1e300'],
    ['QuotaForNewUser', '9007199254740991'],
  ])('%s of %s is refused on save', async (key, value) => {
    const { operator } = await createTestApp();
    expect(await codeOf(operator.option.set({ key, value }))).toBe('option_invalid');
  });
});
