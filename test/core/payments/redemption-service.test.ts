import { describe, expect, test, vi } from 'vitest';
import { mostRedemptionsPerCall } from '../../../src/core/contract/redemption.ts';
import { redemptionStates } from '../../../src/core/vocabulary/redemption-state.ts';
import { codeOf, createTestApp } from '../../support/app.ts';

describe('making codes', () => {
  test('all or none, 32 hex characters each', async () => {
    const { operator } = await createTestApp();
    const keys = await operator.redemption.create({ name: '春节', quota: 5, count: 3 });
    expect(new Set(keys).size).toBe(3);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
    expect(await operator.redemption.list()).toMatchObject({
      total: 3,
      items: [{ status: 1, name: '春节', user_id: 1 }, {}, {}],
    });
  });
  test.each([
    [{ name: '密'.repeat(21) }, 'code_name_invalid'],
    [{ count: 0 }, 'code_count_invalid'],
    [{ count: 101 }, 'code_count_invalid'],
    [{ quota: -1 }, 'code_quota_invalid'],
    [{ quota: 0.5 }, 'invalid_parameter'],
    [{ expired_time: 1 }, 'expiry_invalid'],
  ])('%o is refused: %s', async (fields, code) => {
    const { operator } = await createTestApp();
    expect(
      await codeOf(operator.redemption.create({ name: 'n', quota: 1, count: 1, ...fields })),
    ).toBe(code);
    expect((await operator.redemption.list()).total).toBe(0);
  });
  test('a code without a name gets its formatted quota; an edit may not clear the name', async () => {
    const { operator } = await createTestApp();
    await operator.redemption.create({ quota: 1_250_000, count: 1 });
    await operator.redemption.create({ name: '  ', quota: 100 });
    await operator.option.set({ key: 'DisplayInCurrencyEnabled', value: 'false' });
    await operator.redemption.create({ quota: 1_250_000 });
    await operator.redemption.create({ quota: 1_000_000_000_000_000 });
    const { items } = await operator.redemption.list();
    expect(items.map(({ name }) => name)).toEqual([
      '1000000000000000',
      '1,250,000',
      '$0.0002',
      '$2.50',
    ]);
    expect(await codeOf(operator.redemption.update({ id: 1, name: ' ' }))).toBe(
      'code_name_invalid',
    );
  });
  test('a batch returns the ids with the codes, 1,000 in one call', async () => {
    const { operator } = await createTestApp();
    const { items } = await operator.redemption.createBatch({
      name: 'n',
      quota: 1,
      count: mostRedemptionsPerCall,
    });
    expect(items).toHaveLength(mostRedemptionsPerCall);
    expect(await operator.redemption.get({ id: items[999]?.id ?? 0 })).toMatchObject({
      key: items[999]?.key,
    });
    const tooMany = operator.redemption.createBatch({
      quota: 1,
      count: mostRedemptionsPerCall + 1,
    });
    expect(await codeOf(tooMany)).toBe('code_count_invalid');
    expect((await operator.redemption.list()).total).toBe(mostRedemptionsPerCall);
  });
  test('states: unused codes become expired by themselves; what cannot be redeemed is deleted at once', async () => {
    const { operator, as, clock } = await createTestApp();
    const soon = clock.now() / 1000 + 10;
    const [used = ''] = await operator.redemption.create({ name: 'used', quota: 1 });
    await operator.redemption.create({ name: 'disabled', quota: 1 });
    await operator.redemption.create({ name: 'expired', quota: 1, expired_time: soon });
    await operator.redemption.create({ name: 'late', quota: 1, expired_time: soon + 1 });
    await operator.redemption.create({ name: 'unused', quota: 1 });
    await (await as(1)).wallet.redeem({ key: used });
    await operator.redemption.update({ id: 2, status: 2, status_only: true });
    const names = async (state: number) =>
      (await operator.redemption.list({ state })).items.map(({ name }) => name);
    expect(await names(redemptionStates.unused)).toEqual(['unused', 'late', 'expired']);
    expect(await names(redemptionStates.expired)).toEqual([]);
    clock.move(10_000);
    expect(await names(redemptionStates.unused)).toEqual(['unused', 'late']);
    expect(await names(redemptionStates.expired)).toEqual(['expired']);
    expect(await names(redemptionStates.used)).toEqual(['used']);
    expect(await names(redemptionStates.disabled)).toEqual(['disabled']);
    const found = await operator.redemption.search({
      keyword: 'e',
      state: redemptionStates.expired,
    });
    expect(found.items.map(({ name }) => name)).toEqual(['expired']);
    expect(await operator.redemption.removeInvalid()).toBe(3);
    expect((await operator.redemption.list()).items.map(({ name }) => name)).toEqual([
      'unused',
      'late',
    ]);
    expect(await operator.redemption.removeInvalid()).toBe(0);
  });
  test('search: prefix of the name or the id, wildcards are literal', async () => {
    const { operator } = await createTestApp();
    await operator.redemption.create({ name: 'alpha', quota: 1, count: 1 });
    await operator.redemption.create({ name: '%beta', quota: 1, count: 1 });
    const [key = ''] = await operator.redemption.create({ name: 'gamma', quota: 1, count: 1 });
    const names = async (keyword: string) =>
      (await operator.redemption.search({ keyword })).items.map(({ name }) => name);
    expect([await names(` ${key} `), await names(key.slice(0, 31))]).toEqual([['gamma'], []]);
    expect([await names('AL'), await names('lpha'), await names('%'), await names('1')]).toEqual([
      ['alpha'],
      [],
      ['%beta'],
      ['alpha'],
    ]);
  });
});

describe('redeeming', () => {
  test('once, however many come at once; the ledger and the log tell', async () => {
    const { operator, as, addUser, app, clock } = await createTestApp();
    const users = await Promise.all([addUser('ann'), addUser('bob')]);
    const clients = await Promise.all(users.map(as));
    const [key = ''] = await operator.redemption.create({ name: 'n', quota: 700, count: 1 });
    const results = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        codeOf(clients[index % 2]?.wallet.redeem({ key: ` ${key} ` }) ?? Promise.resolve()),
      ),
    );
    expect(results.filter((code) => code === 'it did not fail')).toHaveLength(1);
    expect(results.filter((code) => code === 'code_used')).toHaveLength(9);
    const code = await operator.redemption.get({ id: 1 });
    expect(code).toMatchObject({ status: 3, redeemed_time: clock.now() / 1000 });
    const winner = code.used_user_id;
    expect((await app.accounts.own.get(winner)).quota).toBe(700);
    expect((await operator.ledger.list({ user_id: winner })).items).toMatchObject([
      { kind: 'redemption', amount: 700, reference: '1' },
    ]);
    expect(
      (await app.logs.page({ userId: winner, type: 1 }, { offset: 0, limit: 5 })).items,
    ).toHaveLength(1);
    expect((await operator.ledger.verify()).ok).toBe(true);
  });

  test.each([
    ['  ', 'code_missing'],
    ['nothing', 'code_unknown'],
  ])('%j: %s', async (key, code) => {
    const { as } = await createTestApp();
    expect(await codeOf((await as(1)).wallet.redeem({ key }))).toBe(code);
  });

  test('a code can be redeemed until it expires, and again when its time is moved', async () => {
    const { operator, as, clock } = await createTestApp();
    const me = await as(1);
    const now = clock.now() / 1000;
    const [first = '', second = ''] = await operator.redemption.create({
      name: 'n',
      quota: 7,
      count: 2,
      expired_time: now + 10,
    });
    expect(await operator.redemption.get({ id: 1 })).toMatchObject({ expired_time: now + 10 });
    clock.move(9_000);
    expect(await me.wallet.redeem({ key: first })).toBe(7);
    clock.move(1_000);
    expect(await codeOf(me.wallet.redeem({ key: second }))).toBe('code_expired');
    expect(
      await operator.redemption.update({ id: 2, name: 'kept', expired_time: now + 10 }),
    ).toMatchObject({ name: 'kept' });
    expect(await codeOf(operator.redemption.update({ id: 2, expired_time: now + 9 }))).toBe(
      'expiry_invalid',
    );
    expect(await operator.redemption.update({ id: 2, expired_time: 0 })).toMatchObject({
      expired_time: 0,
    });
    expect(await me.wallet.redeem({ key: second })).toBe(7);
  });

  test('a disabled or deleted code gives nothing; a used one is never used again', async () => {
    const { operator, as } = await createTestApp();
    const me = await as(1);
    const [first = '', second = '', third = ''] = await operator.redemption.create({
      name: 'n',
      quota: 7,
      count: 3,
    });
    await operator.redemption.update({ id: 1, status: 2, status_only: true });
    expect(await codeOf(me.wallet.redeem({ key: first }))).toBe('code_used');
    await operator.redemption.update({ id: 1, status: 1, status_only: true });
    expect(await me.wallet.redeem({ key: first })).toBe(7);
    expect(await codeOf(operator.redemption.update({ id: 1, status: 1, status_only: true }))).toBe(
      'code_not_unused',
    );
    expect(await codeOf(operator.redemption.update({ id: 1, name: 'x' }))).toBe('code_not_unused');
    expect(await codeOf(operator.redemption.update({ id: 2, status: 3, status_only: true }))).toBe(
      'invalid_parameter',
    );
    await operator.redemption.remove({ id: 2 });
    expect(await codeOf(me.wallet.redeem({ key: second }))).toBe('code_unknown');
    expect(await operator.redemption.update({ id: 3, name: 'renamed', quota: 9 })).toMatchObject({
      name: 'renamed',
      quota: 9,
      key: third,
    });
    expect(await me.wallet.redeem({ key: third })).toBe(9);
  });

  test('credits the new quota of a code that is edited between check and posting', async () => {
    const { operator, app, as } = await createTestApp();
    const [key = ''] = await operator.redemption.create({ name: 'edited', quota: 5 });
    const me = await as(1);
    const before = (await me.self.get()).quota;
    const { findByKey } = app.storage.redemptions;
    const edits = [{ quota: 9 }];
    vi.spyOn(app.storage.redemptions, 'findByKey').mockImplementation(async (text) => {
      const found = await findByKey(text);
      const edit = edits.shift();
      if (edit !== undefined) await operator.redemption.update({ id: 1, ...edit });
      return found;
    });
    expect(await me.wallet.redeem({ key })).toBe(9);
    expect((await me.self.get()).quota).toBe(before + 9);
    expect(await codeOf(me.wallet.redeem({ key }))).toBe('code_used');
    expect((await operator.ledger.verify()).ok).toBe(true);
  });
});

describe('for administrators', () => {
  test('each change is in the audit log, with what it changed', async () => {
    const { operator } = await createTestApp();
    await operator.redemption.create({ name: 'May', quota: 5, count: 2 });
    await operator.redemption.update({ id: 1, name: 'June' });
    await operator.redemption.update({ id: 1, status: 2, status_only: true });
    await operator.redemption.remove({ id: 1 });
    await operator.redemption.update({ id: 2, status: 2, status_only: true });
    expect(await operator.redemption.removeInvalid()).toBe(1);
    const { items } = await operator.audit.list();
    const rows = items.map(({ action, target, detail }) => [action, target, JSON.parse(detail)]);
    expect(rows.slice(0, -1)).toEqual([
      ['redemption.remove_invalid', '', { count: 1 }],
      ['redemption.status', '2', { name: 'May', from: 1, to: 2 }],
      ['redemption.remove', '1', { name: 'June' }],
      ['redemption.status', '1', { name: 'June', from: 1, to: 2 }],
      ['redemption.update', '1', { name: 'May', changes: { name: { from: 'May', to: 'June' } } }],
      ['redemption.create', 'May', { quota: 5, expiredTime: 0, count: 2 }],
    ]);
  });
  test('a code that is not there cannot be read, changed or deleted', async () => {
    const { operator } = await createTestApp();
    const { redemption } = operator;
    expect(await codeOf(redemption.get({ id: 9 }))).toBe('not_found');
    expect(await codeOf(redemption.update({ id: 9, name: 'x' }))).toBe('not_found');
    expect(await codeOf(redemption.update({ id: 9, status: 2, status_only: true }))).toBe(
      'not_found',
    );
    expect(await codeOf(redemption.remove({ id: 9 }))).toBe('not_found');
  });
  test('a status that stays is no change that fails; one that nobody can set is named', async () => {
    const { operator } = await createTestApp();
    await operator.redemption.create({ quota: 5 });
    expect(await operator.redemption.update({ id: 1, status: 1, status_only: true })).toMatchObject(
      { status: 1 },
    );
    const used = operator.redemption.update({ id: 1, status: 3, status_only: true });
    await expect(used).rejects.toMatchObject({ code: 'invalid_parameter', field: 'status' });
  });
  test('how many codes at once is named', async () => {
    const { operator } = await createTestApp();
    await expect(operator.redemption.create({ quota: 1, count: 101 })).rejects.toThrow(/100/);
  });
});
