/** Holds, charges and postings of the ledger of one process. */
import { describe, expect, it } from 'vitest';
import type { HoldRequest } from '../../../src/core/billing/ledger.ts';
import type { MemoryLedgerDeps } from '../../../src/core/billing/memory-ledger.ts';
import { maxQuota, toQuota } from '../../../src/core/kernel/quota.ts';
import { charge, codeOf, holdFor } from './ledger-support.ts';
import { full, journalOf, open, refused } from './memory-ledger-bench.ts';

describe('a hold', () => {
  it('is counted until it is settled or released', async () => {
    const { ledger } = open();
    const [one, other] = [
      await ledger.hold(holdFor(1, 5, 100)),
      await ledger.hold(holdFor(1, 0, 7)),
    ];
    expect(one).toEqual({
      requestId: one.requestId,
      userId: 1,
      tokenId: 5,
      amount: 100,
      small: false,
    });
    expect(ledger.holds()).toBe(2);
    expect(await ledger.balance(1)).toEqual({ quota: 1000, held: 107 });
    await ledger.release(other);
    await ledger.settle(one, charge(40));
    expect(ledger.holds()).toBe(0);
    expect((await ledger.balance(1)).held).toBe(0);
  });

  it('is refused to accounts that are not there, and while nothing is written', async () => {
    const { ledger } = open();
    expect(await codeOf(ledger.hold(holdFor(2, 0, 1)))).toBe('not_found');
    expect(await codeOf(ledger.hold(holdFor(1, 6, 1)))).toBe('token_unknown');
    expect(ledger.holds()).toBe(0);
    const { ledger: closed } = open({ refusal: () => refused });
    expect(await codeOf(closed.hold(holdFor(1, 0, 1)))).toBe('database_replaced');
    expect(closed.pending()).toBeUndefined();
    const { ledger: stalled, state } = open();
    state.failure = full;
    expect(await codeOf(stalled.post({ ...grantOf(1), userId: 1 }))).toBe('ledger_unavailable');
    expect(await codeOf(stalled.hold(holdFor(1, 0, 1)))).toBe('ledger_unavailable');
    expect(stalled.queue()).toMatchObject({
      stalled: true,
      failure: { params: { reason: 'full' } },
    });
  });
});

const grantOf = (amount: number) =>
  ({ kind: 'grant', amount: toQuota(amount), reference: null }) as const;

describe('a charge without a journal', () => {
  it('is what the tables say', async () => {
    const { ledger, written, logged, results, state } = open();
    state.now = 9000;
    results.push({ done: true, balance: 960, remain: 360 });
    const hold = await ledger.hold(holdFor(1, 5, 100));
    expect(await ledger.settle(hold, charge(40, 3))).toBe(960);
    expect(written).toMatchObject([
      { kind: 'charge', requestId: hold.requestId, tokenId: 5, channelId: 3, amount: 40, at: 9 },
    ]);
    expect(Object.keys(written[0] ?? {})).not.toContain('windows');
    expect(logged).toEqual([]);
  });

  it('that the tables have already is a conflict, and takes nothing', async () => {
    const { ledger, results } = open();
    results.push({ done: false, balance: 1000 });
    const hold = await ledger.hold(holdFor(1, 0, 100));
    expect(await codeOf(ledger.settle(hold, charge(40)))).toBe('ledger_conflict');
    expect(await ledger.balance(1)).toEqual({ quota: 1000, held: 0 });
  });
});

describe('a charge with a journal', () => {
  it('is committed by it, and written later', async () => {
    const { journal, kept } = journalOf();
    const { ledger, written } = open({ journal });
    expect(await ledger.settle(await ledger.hold(holdFor(1, 0, 100)), charge(40))).toBe(960);
    expect([kept.length, written.length]).toEqual([1, 0]);
    await ledger.pending();
    expect(written).toMatchObject([{ amount: 40 }]);
  });

  it('waits for the tables where the journal cannot be written', async () => {
    const { journal } = journalOf(() => 'append');
    const { ledger, written, logged, errors } = open({ journal });
    expect(await ledger.settle(await ledger.hold(holdFor(1, 0, 100)), charge(40))).toBe(7);
    expect(written).toHaveLength(1);
    expect(logged).toEqual([
      'the journal of charges could not be written; a charge waits for the tables',
    ]);
    expect(errors).toEqual([new Error('no file')]);
  });

  it('is written once and at once where the disk failed behind the journal', async () => {
    const { journal } = journalOf(() => 'commit');
    const { ledger, written, logged } = open({ journal });
    await ledger.settle(await ledger.hold(holdFor(1, 0, 100)), charge(40));
    expect(written).toHaveLength(1);
    expect(logged).toHaveLength(1);
  });

  it('waits for the tables where it may be refused or capped', async () => {
    const { journal, kept } = journalOf();
    const { ledger, written } = open({ journal });
    const guard = { table: 'redemptions', id: 1, from: 1, to: 3, set: {} } as const;
    await ledger.settle(await ledger.hold(holdFor(1, 0, 1)), { ...charge(1), guard });
    // 7 are left by now: the tables said so.
    const holds = [];
    for (let i = 0; i < 3; i += 1) holds.push(await ledger.hold(holdFor(1, 0, 1)));
    const [one, two, three] = holds;
    if (one === undefined || two === undefined || three === undefined) throw new Error('no holds');
    await ledger.settle(one, charge(7));
    await ledger.settle(two, charge(maxQuota));
    await ledger.settle(three, charge(1));
    expect(kept).toMatchObject([{ amount: 7 }, { amount: maxQuota }]);
    expect(written).toMatchObject([{ guard }, { amount: 7 }, { amount: maxQuota }, { amount: 1 }]);
  });
});

describe('a budget window', () => {
  const budgets = { findWindow: async () => ({ spent: 50, requests: 2 }) };
  const openWindow = () => {
    const found = async () => ({ quota: toQuota(1000), remainQuota: toQuota(400) });
    const rows = { users: { find: found }, tokens: { find: found }, budgets };
    return open({ storage: rows as unknown as MemoryLedgerDeps['storage'] });
  };
  it('is held, charged and given back with the wallet', async () => {
    const { ledger, written, results } = openWindow();
    const window = { id: 3, budget: 'team', limit: 100, refuses: true, endsAt: 9 };
    const holdIn = (amount: number): HoldRequest => ({
      ...holdFor(1, 0, amount),
      windows: [window],
    });
    results.push({ done: true, balance: 955 }, { done: true, balance: 1000 });
    const hold = await ledger.hold(holdIn(40));
    expect(hold).toMatchObject({ windows: [{ id: 3, amount: 40 }], tightest: { left: 10 } });
    expect(await codeOf(ledger.hold(holdIn(20)))).toBe('small_hold_busy');
    await ledger.settle(hold, charge(45));
    expect(written).toMatchObject([{ kind: 'charge', windows: [3] }]);
    expect(await codeOf(ledger.hold(holdIn(10)))).toBe('budget_exceeded');
    const charges = [{ requestId: 'r', tokenId: 5, channelId: 0, amount: 45, windows: [3] }];
    await ledger.refund({ userId: 1, charges, reference: 'task:1', log: null } as never);
    expect(written.at(-1)).toMatchObject({ kind: 'refund', charges });
    await ledger.release(await ledger.hold(holdIn(40)));
  });
});

describe('postings, refunds and allowances', () => {
  it('are written as they are, with the time of their row or of now', async () => {
    const { ledger, written, state } = open();
    state.now = 9000;
    await ledger.post({ ...grantOf(5), userId: 1, reference: 'a' });
    const rest = { userId: 1, amount: 5, log: null, guard: null };
    expect(written).toEqual([
      { kind: 'posting', posting: 'grant', reference: 'a', at: 9, ...rest },
    ]);
  });

  it('a refund counts for accounts that nothing was known of before', async () => {
    const budgets = { findWindow: async () => ({ spent: 90, requests: 2 }) };
    const row = async () => ({ quota: toQuota(0), remainQuota: toQuota(0), unlimitedQuota: false });
    const { ledger, results } = open({
      storage: { users: { find: row }, tokens: { find: row }, budgets } as never,
    });
    results.push({ done: true, balance: 50, remains: { 5: toQuota(40) } });
    const charges = [
      { requestId: 'r', tokenId: 5, channelId: 0, amount: 30, windows: [3] },
      { requestId: 's', tokenId: 0, channelId: 0, amount: 20 },
    ];
    await ledger.refund({ userId: 1, charges, reference: 'task:1', log: null } as never);
    const window = { id: 3, budget: 'team', limit: 100, refuses: true, endsAt: 9 };
    expect(await ledger.hold({ ...holdFor(1, 5, 40), windows: [window] })).toMatchObject({
      amount: 40,
      small: false,
      tightest: { left: 0 },
    });
  });

  it('say whether they were done, and whose account is gone', async () => {
    const { ledger, results } = open();
    results.push({ done: true, balance: 1005 }, { done: false, balance: 1005 });
    const posting = { ...grantOf(5), userId: 1 };
    expect(await ledger.post(posting)).toEqual({ posted: true, balance: 1005 });
    expect(await ledger.post(posting)).toEqual({ posted: false, balance: 1005 });
    expect(await codeOf(ledger.post({ ...posting, userId: 2 }))).toBe('not_found');
    const refund = { userId: 1, charges: [], reference: 'task:1', log: null, guard: null } as never;
    results.push({ done: true, balance: 1006 }, { done: false, balance: 1006 });
    expect([await ledger.refund(refund), await ledger.refund(refund)]).toEqual([true, false]);
    results.push({ done: true, balance: 0 }, { done: false, balance: 0 });
    await ledger.setTokenAllowance(5, toQuota(50), false);
    expect(await codeOf(ledger.setTokenAllowance(5, toQuota(60), false))).toBe('token_unknown');
    expect(await codeOf(ledger.setTokenAllowance(6, toQuota(50), false))).toBe('token_unknown');
    expect(await codeOf(ledger.hold(holdFor(1, 5, 51)))).toBe('pre_consume_token_quota_failed');
  });

  it('an account that is deleted while it is posted to is not found', async () => {
    let isThere = true;
    const users = { find: async () => (isThere ? { quota: toQuota(1000) } : null) };
    const { ledger, results } = open({ storage: { users } as never });
    await ledger.balance(1);
    isThere = false;
    results.push({ done: false, balance: 0 });
    expect(await codeOf(ledger.post({ ...grantOf(5), userId: 1 }))).toBe('not_found');
  });
});
