// Covers src/core/billing/plan/plan-batch.ts, src/core/billing/plan/draft.ts, src/core/billing/plan/charged-log.ts, src/core/storage/ledger/rollups.ts.
/** Which windows of budgets a batch changes, what refunds give back to whom, and which rows it adds. */
import { describe, expect, it } from 'vitest';
import { chargedLog } from '../../../../src/core/billing/plan/charged-log.ts';
import { planBatch } from '../../../../src/core/billing/plan/plan-batch.ts';
import type { Guard } from '../../../../src/core/storage/ledger/guards.ts';
import {
  guardKey,
  type LedgerState,
  referenceKey,
} from '../../../../src/core/storage/ledger/plan.ts';
import type {
  ChargeSettlement,
  PostingSettlement,
  RefundedCharge,
  RefundSettlement,
  Settlement,
} from '../../../../src/core/storage/ledger/settlement.ts';
import { logFor } from '../ledger-support.ts';

const ended: Guard = {
  table: 'tasks',
  id: 4,
  from: 'SUBMITTED',
  to: 'FAILURE',
  set: { quota: 0 },
};
const max = Number.MAX_SAFE_INTEGER;
const stateOf = (quota: number, more: Partial<LedgerState> = {}): LedgerState => ({
  wallets: new Map([[1, { quota, used: 500 }]]),
  closed: new Map(),
  allowances: new Map([
    [5, { remain: 100, unlimited: false, used: 50 }],
    [6, { remain: 10, unlimited: false, used: 5 }],
  ]),
  references: new Set(),
  guards: new Map([[guardKey(ended), { state: 'SUBMITTED', quota: 60 }]]),
  ...more,
});
const charge = (amount: number, more: Partial<ChargeSettlement> = {}): ChargeSettlement => ({
  kind: 'charge',
  requestId: `r${amount}`,
  userId: 1,
  tokenId: 5,
  channelId: 7,
  amount,
  at: 125,
  log: null,
  rollup: null,
  ...more,
});
const paid = (amount: number, more: Partial<RefundedCharge> = {}): RefundedCharge => ({
  amount,
  tokenId: 5,
  channelId: 7,
  rollup: null,
  ...more,
});
const refund = (
  charges: readonly RefundedCharge[],
  more: Partial<RefundSettlement> = {},
): RefundSettlement => ({
  kind: 'refund',
  userId: 1,
  charges,
  reference: 'task:4',
  at: 185,
  log: null,
  guard: ended,
  ...more,
});
const plan = (state: LedgerState, ...batch: Settlement[]) => planBatch(batch, state);

describe('windows of budgets', () => {
  it('take a charge each, and are named by their posting', () => {
    const { plan: written } = plan(
      stateOf(100),
      charge(30, { windows: [3, 4] }),
      charge(5, { windows: [4] }),
      charge(0, { windows: [8] }),
    );
    expect(written.windows).toEqual({
      ids: new Set([3, 4, 8]),
      changes: [
        { id: 3, amount: 30, requests: 1, minute: 2 },
        { id: 4, amount: 35, requests: 2, minute: 2 },
      ],
    });
    expect(written.postings.map(({ windows }) => windows !== undefined)).toEqual([true, true]);
  });

  it('are let go by a release, and by a charge that is refused', () => {
    const release = {
      kind: 'release',
      requestId: 'r',
      userId: 1,
      tokenId: 5,
      windows: [3],
    } as const;
    const { plan: written, results } = plan(
      stateOf(100),
      release,
      charge(-1, { windows: [4] }),
      charge(1),
    );
    expect(results).toEqual([
      { done: true, balance: 0 },
      { done: false, balance: 0, refused: 'a charge has a negative amount' },
      { done: true, balance: 99, remain: 99 },
    ]);
    expect(written.windows).toEqual({ ids: new Set([3, 4]), changes: [] });
    expect(written.postings[0]).not.toHaveProperty('windows');
  });

  it('get back what is refunded, without a request', () => {
    const { plan: written } = plan(
      stateOf(100),
      refund([paid(30, { windows: [3, 4] }), paid(5, { windows: [4] }), paid(1)]),
    );
    expect(written.windows).toEqual({
      ids: new Set([3, 4]),
      changes: [
        { id: 3, amount: -30, requests: 0, minute: 3 },
        { id: 4, amount: -35, requests: 0, minute: 3 },
      ],
    });
    const without = plan(stateOf(100), refund([paid(30)])).plan;
    expect(without.postings[0]).not.toHaveProperty('windows');
    expect(without.windows.ids).toEqual(new Set());
    const beside = plan(stateOf(100), refund([paid(30), paid(0, { windows: [3] })])).plan;
    expect(beside.windows.changes).toEqual([{ id: 3, amount: 0, requests: 0, minute: 3 }]);
  });
});

describe('refunds', () => {
  it('give each token back what it paid, and name the first', () => {
    const { plan: written, results } = plan(
      stateOf(100),
      refund([paid(20), paid(3, { tokenId: 6 }), paid(4)], { log: logFor(1, 'r', 27) }),
    );
    expect(written.postings).toMatchObject([{ tokenId: 5, amount: 27, balanceAfter: 127 }]);
    expect(written.tokens).toMatchObject([
      { id: 5, remain: 124, used: 26 },
      { id: 6, remain: 13, used: 2 },
    ]);
    expect(written.allowances).toEqual([
      { tokenId: 5, amount: 0, used: 3, remainAfter: 124, at: 185 },
      { tokenId: 6, amount: 0, used: -3, remainAfter: 13, at: 185 },
    ]);
    expect(written.users).toMatchObject([{ quota: 127, used: 473, requests: 0 }]);
    expect(written.channels).toEqual([{ id: 7, used: -27 }]);
    expect(written.logs).toMatchObject([{ posting: 0 }]);
    expect(results).toEqual([{ done: true, balance: 127, remains: { 5: 124, 6: 13 } }]);
  });

  it('without token, channel and row change the balance alone', () => {
    const { plan: written, results } = plan(
      stateOf(100),
      refund([paid(20, { tokenId: 0, channelId: 0 })]),
    );
    expect(written.postings).toMatchObject([{ tokenId: null, amount: 20 }]);
    expect(written).toMatchObject({ channels: [], tokens: [], logs: [], allowances: [] });
    expect(results).toStrictEqual([{ done: true, balance: 120, remains: {} }]);
  });

  it('stop at the largest balance and allowance', () => {
    const allowances = new Map([[5, { remain: max - 8, unlimited: false, used: 50 }]]);
    const { plan: written } = plan(stateOf(max - 10, { allowances }), refund([paid(30)]));
    expect(written.postings).toMatchObject([{ amount: 10, balanceAfter: max }]);
    expect(written.tokens).toMatchObject([{ remain: max, used: 42 }]);
    const full = plan(stateOf(max), refund([paid(30)], { log: logFor(1, 'r', 30) })).plan;
    expect(full.postings).toEqual([]);
    expect(full.logs).toMatchObject([{ posting: null }]);
  });

  it('take hourly sums back, with the cost where it was known', () => {
    const rollup = { modelName: 'm', username: 'u', hour: 3600, tokens: 7 };
    const { plan: written } = plan(
      stateOf(100),
      refund([
        paid(20, { rollup: { ...rollup, cost: 300 } }),
        paid(3, { rollup: { ...rollup, username: 'v' } }),
      ]),
    );
    expect(written.rollups.quota_data).toMatchObject([
      { username: 'u', count: 0, quota: -20, token_used: -7 },
      { username: 'v', count: 0, quota: -3, token_used: -7 },
    ]);
    expect(written.rollups.channel_usage).toMatchObject([
      { count: 0, quota: -23, token_used: -14, cost: -300, costed_quota: -20 },
    ]);
  });
});

describe('postings', () => {
  const posting = (amount: number, more: Partial<PostingSettlement> = {}): PostingSettlement => ({
    kind: 'posting',
    posting: 'top_up',
    userId: 1,
    amount,
    reference: null,
    at: 10,
    log: null,
    guard: null,
    ...more,
  });

  it('of a user who is not there are not done', () => {
    expect(plan(stateOf(5), posting(1, { userId: 2 }))).toMatchObject({
      plan: { postings: [] },
      results: [{ done: false, balance: 0 }],
    });
  });

  it('say why the balance cannot take them', () => {
    expect(plan(stateOf(1), posting(max)).results).toEqual([
      { done: false, balance: 0, refused: 'the balance would be out of range', overLimit: true },
    ]);
  });

  it('belong to no token, and have a log row where one is given', () => {
    const { plan: written } = plan(stateOf(5), posting(1, { log: logFor(1, 'r', 1) }), posting(2));
    expect(written.postings.map(({ tokenId }) => tokenId)).toEqual([null, null]);
    expect(written).toMatchObject({ logs: [{ posting: 0 }], holds: [] });
  });

  it('without a reference repeat, and share none with charges', () => {
    const known = stateOf(5, { references: new Set([referenceKey('charge', 'r1')]) });
    const { results } = plan(known, posting(1), posting(1), charge(1), charge(1));
    expect(results.map(({ done }) => done)).toEqual([true, true, true, true]);
  });
});

it('charges belong to no token and no channel where there is none', () => {
  const { plan: written, results } = plan(stateOf(5), charge(2, { tokenId: 0, channelId: 0 }));
  expect(written.postings).toMatchObject([{ tokenId: null, kind: 'charge' }]);
  expect(written).toMatchObject({ channels: [], tokens: [] });
  expect(results).toEqual([{ done: true, balance: 3 }]);
});

it('the used quota of a token stops at its bound, and what is left with it', () => {
  const allowances = new Map([[5, { remain: 100, unlimited: false, used: max - 3 }]]);
  const { plan: written } = plan(stateOf(50, { allowances }), charge(20));
  expect(written.tokens).toMatchObject([{ remain: 97, used: max }]);
  expect(written.users).toMatchObject([{ quota: 30, used: 520 }]);
});

it('an allowance that is set is done', () => {
  const set = { kind: 'allowance', tokenId: 5, remainQuota: 7, unlimited: false, at: 1 } as const;
  expect(plan(stateOf(5), set, { ...set, tokenId: 9 }).results).toEqual([
    { done: true, balance: 0 },
    { done: false, balance: 0 },
  ]);
});

it('an hourly sum has what was charged, not what is beyond the range', () => {
  const rollup = { modelName: 'm', username: 'u', hour: 3600, tokens: 7 };
  const { plan: written } = plan(stateOf(10 - max), charge(30, { rollup, tokenId: 0 }));
  expect(written.rollups.quota_data).toMatchObject([{ quota: 10, token_used: 7 }]);
});

it.each([
  [{ before: 10, due: 5, amount: 5 }, '{"a":1}', undefined],
  [{ before: 5, due: 5, amount: 5 }, '{"a":1}', undefined],
  [{ before: 3, due: 5, amount: 5 }, '{"a":1}', '{"a":1,"debt":2}'],
  [{ before: -3, due: 5, amount: 5 }, '', '{"debt":5}'],
  [{ before: 0, due: 5, amount: 5 }, '{}', '{"debt":5}'],
  [{ before: 9, due: 7, amount: 5 }, '{}', '{"uncharged":2}'],
  [{ before: 4, due: 7, amount: 5 }, '', '{"debt":1,"uncharged":2}'],
])('a charge of %j on a row with %j notes %s', (amounts, other, expected) => {
  const log = { ...logFor(1, 'r', amounts.due), other };
  const written = chargedLog(log, amounts);
  if (expected === undefined) expect(written).toBe(log);
  else expect(written).toEqual({ ...log, quota: amounts.amount, other: expected });
});
