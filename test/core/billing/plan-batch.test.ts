// Covers src/core/billing/plan, src/core/storage/ledger/rollups.ts, src/core/storage/ledger/plan.ts, src/core/storage/ledger/guards.ts.
/** The rules of money without a database: what a batch writes on a given state. */
import { describe, expect, it } from 'vitest';
import { planBatch } from '../../../src/core/billing/index.ts';
import type { Guard } from '../../../src/core/storage/ledger/guards.ts';
import { guardKey, type LedgerState, referenceKey } from '../../../src/core/storage/ledger/plan.ts';
import type {
  AllowanceSettlement,
  ChargeSettlement,
  PostingSettlement,
  RefundSettlement,
  Settlement,
} from '../../../src/core/storage/ledger/settlement.ts';
import { logFor } from './ledger-support.ts';

const nothing: LedgerState = {
  wallets: new Map(),
  closed: new Map(),
  allowances: new Map(),
  references: new Set(),
  guards: new Map(),
};

/** User 1 with a balance and token 5 with an allowance. */
function stateOf(quota: number, more: Partial<LedgerState> = {}): LedgerState {
  return {
    ...nothing,
    wallets: new Map([[1, { quota, used: 0 }]]),
    allowances: new Map([[5, { remain: 100, unlimited: false, used: 0 }]]),
    ...more,
  };
}

const charge = (amount: number, more: Partial<ChargeSettlement> = {}): ChargeSettlement => ({
  kind: 'charge',
  requestId: `r${amount}`,
  userId: 1,
  tokenId: 5,
  channelId: 7,
  amount,
  at: 20,
  log: null,
  rollup: null,
  ...more,
});
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
const accepted: Guard = {
  table: 'tasks',
  id: 4,
  from: 'NOT_START',
  to: 'SUBMITTED',
  set: { quota: 60 },
};
const ended: Guard = {
  table: 'tasks',
  id: 4,
  from: 'SUBMITTED',
  to: 'FAILURE',
  unchanged: { quota: 60 },
  set: { quota: 0 },
};
const rollup = { modelName: 'suno_music', username: 'ann', hour: 3600, tokens: 0, cost: 9000 };
const refund = (amount: number, more: Partial<RefundSettlement> = {}): RefundSettlement => ({
  kind: 'refund',
  userId: 1,
  charges: [{ amount, tokenId: 5, channelId: 7, rollup }],
  reference: 'task:4',
  at: 40,
  log: logFor(1, 'refunded', amount),
  guard: ended,
  ...more,
});
const allowance = (remainQuota: number | null, unlimited = false): AllowanceSettlement => ({
  kind: 'allowance',
  tokenId: 5,
  remainQuota,
  unlimited,
  at: 30,
});
const redeem: Guard = {
  table: 'redemptions',
  id: 3,
  from: 1,
  to: 3,
  set: { used_user_id: 1, redeemed_time: 10 },
};

const plan = (state: LedgerState, ...batch: Settlement[]) => planBatch(batch, state);

describe('charges', () => {
  it('write a posting and a log row each, and change every account once', () => {
    const log = logFor(1, 'r30', 30);
    const { plan: written, results } = plan(stateOf(100), charge(30, { log }), charge(20));
    expect(written).toEqual({
      postings: [
        {
          userId: 1,
          tokenId: 5,
          kind: 'charge',
          amount: -30,
          balanceAfter: 70,
          reference: 'r30',
          at: 20,
        },
        {
          userId: 1,
          tokenId: 5,
          kind: 'charge',
          amount: -20,
          balanceAfter: 50,
          reference: 'r20',
          at: 20,
        },
      ],
      allowances: [],
      logs: [{ row: log, posting: 0 }],
      users: [expect.objectContaining({ id: 1, quota: 50, used: 50, requests: 2 })],
      tokens: [expect.objectContaining({ id: 5, remain: 50, unlimited: false, used: 50, at: 20 })],
      channels: [{ id: 7, used: 50 }],
      rollups: { quota_data: [], channel_usage: [], tag_usage: [], channel_key_usage: [] },
      guards: [],
      windows: { ids: new Set(), changes: [] },
      holds: ['r30', 'r20'],
    });
    expect(results).toEqual([
      { done: true, balance: 70, remain: 70 },
      { done: true, balance: 50, remain: 50 },
    ]);
  });

  it('of nothing are logged and counted, without a posting', () => {
    const rollup = { modelName: 'm', username: 'u', hour: 3600, tokens: 7 };
    const { plan: written } = plan(stateOf(100), charge(0, { log: logFor(1, 'r0', 0), rollup }));
    expect(written).toMatchObject({
      postings: [],
      users: [],
      tokens: [],
      channels: [],
      logs: [{ posting: null }],
    });
    const sums = { model_name: 'm', created_at: 3600, count: 1, quota: 0, token_used: 7 };
    expect(written.rollups).toEqual({
      quota_data: [{ user_id: 1, username: 'u', ...sums }],
      channel_usage: [{ channel_id: 7, ...sums, cost: 0, costed_count: 0, costed_quota: 0 }],
      tag_usage: [],
      channel_key_usage: [],
    });
  });

  it.each([
    [100, 30, '{"a":1}'],
    [10, 30, '{"a":1,"debt":20}'],
    [-10, 30, '{"a":1,"debt":30}'],
  ])('with a balance of %i and a cost of %i show their debt', (balance, amount, other) => {
    const { plan: written } = plan(
      stateOf(balance),
      charge(amount, { log: logFor(1, 'r', amount) }),
    );
    expect(written.logs[0]?.row.other).toBe(other);
  });

  it('show the debt on the balance of their place in the batch', () => {
    const log = { ...logFor(1, 'r', 30), other: '' };
    const { plan: written } = plan(
      stateOf(0),
      posting(10),
      charge(30, { log }),
      posting(100),
      charge(30, { log }),
    );
    expect(written.logs.map(({ row }) => row.other)).toEqual(['{"debt":20}', '']);
  });

  it('for a user who no longer exists are posted to the closed account', () => {
    const closed = { ...nothing, closed: new Map([[1, 40]]) };
    const { plan: written, results } = plan(
      closed,
      charge(30, { log: logFor(1, 'r', 30) }),
      charge(20),
    );
    expect(written).toMatchObject({
      postings: [
        { userId: 1, amount: -30, balanceAfter: 10, reference: 'r30' },
        { userId: 1, amount: -20, balanceAfter: -10, reference: 'r20' },
      ],
      users: [],
      tokens: [],
      channels: [{ id: 7, used: 50 }],
      logs: [{ posting: 0 }],
    });
    expect(results).toEqual([
      { done: true, balance: 10 },
      { done: true, balance: -10 },
    ]);
  });

  it('stop at the lower end of a balance, and their log row says what was not charged', () => {
    const log = logFor(1, 'r', 30);
    const { plan: written } = plan(
      stateOf(-Number.MAX_SAFE_INTEGER + 10),
      charge(30, { log, tokenId: 0 }),
    );
    expect(written.postings).toMatchObject([
      { amount: -10, balanceAfter: -Number.MAX_SAFE_INTEGER },
    ]);
    expect(written.logs[0]?.row).toMatchObject({
      quota: 10,
      other: '{"a":1,"debt":10,"uncharged":20}',
    });
    expect(plan(stateOf(-Number.MAX_SAFE_INTEGER), charge(30, { log })).plan).toMatchObject({
      postings: [],
      logs: [{ row: { quota: 0 }, posting: null }],
    });
  });

  it('leave counters at their bound', () => {
    const max = Number.MAX_SAFE_INTEGER;
    const state = stateOf(100, {
      wallets: new Map([[1, { quota: 100, used: max - 5 }]]),
      allowances: new Map([[5, { remain: 8 - max, unlimited: true, used: 4 }]]),
    });
    const { plan: written } = plan(state, charge(20));
    expect(written.users).toMatchObject([{ quota: 80, used: max }]);
    expect(written.tokens).toMatchObject([{ remain: -max, used: 12 }]);
    // Twelve of the twenty are not counted.
    expect(written.allowances).toEqual([
      { tokenId: 5, amount: 0, used: -12, remainAfter: -max, at: expect.any(Number) },
    ]);
  });

  it('of one hour, model and name share a row of the rollup', () => {
    const rollup = { modelName: 'm', username: 'u', hour: 3600, tokens: 7 };
    const { plan: written } = plan(
      stateOf(100),
      charge(1, { rollup }),
      charge(2, { rollup }),
      charge(4, { rollup: { ...rollup, username: 'renamed' } }),
    );
    expect(written.rollups.quota_data).toMatchObject([
      { username: 'u', count: 2, quota: 3, token_used: 14 },
      { username: 'renamed', count: 1, quota: 4, token_used: 7 },
    ]);
    expect(written.rollups.channel_usage).toMatchObject([
      { channel_id: 7, count: 3, quota: 7, token_used: 21 },
    ]);
  });

  it('count once for each of their tags', () => {
    const rollup = { modelName: 'm', username: 'u', hour: 3600, tokens: 7 };
    const { plan: written } = plan(
      stateOf(100),
      charge(1, { rollup: { ...rollup, tags: ['x', 'y'] } }),
      charge(2, { rollup }),
      charge(4, { rollup: { ...rollup, tags: ['x'] } }),
    );
    const key = { user_id: 1, created_at: 3600 };
    expect(written.rollups.tag_usage).toEqual([
      { ...key, tag: 'x', count: 2, quota: 5, token_used: 14 },
      { ...key, tag: 'y', count: 1, quota: 1, token_used: 7 },
    ]);
  });

  it('count by key where the channel has several; what is taken back is taken from the key', () => {
    const rollup = { modelName: 'm', username: 'u', hour: 3600, tokens: 7 };
    const { plan: written } = plan(
      stateOf(100),
      charge(1, { rollup: { ...rollup, keyName: 'one' } }),
      charge(2, { rollup }),
      charge(4, { rollup: { ...rollup, keyName: 'one' } }),
      charge(8, { rollup: { ...rollup, keyName: 'two' } }),
    );
    const key = { channel_id: 7, created_at: 3600 };
    expect(written.rollups.channel_key_usage).toEqual([
      { ...key, key_name: 'one', count: 2, quota: 5 },
      { ...key, key_name: 'two', count: 1, quota: 8 },
    ]);
  });

  it('of a channel add up its cost where that is known, and count those where it is', () => {
    const rollup = { modelName: 'm', username: 'u', hour: 3600, tokens: 7 };
    const { plan: written } = plan(
      stateOf(100),
      charge(1, { rollup: { ...rollup, cost: 300 } }),
      charge(2, { rollup }),
      charge(4, { rollup: { ...rollup, cost: 0 } }),
    );
    expect(written.rollups.channel_usage).toEqual([
      {
        created_at: 3600,
        channel_id: 7,
        model_name: 'm',
        count: 3,
        quota: 7,
        token_used: 21,
        cost: 300,
        costed_count: 2,
        costed_quota: 5,
      },
    ]);
  });
});

describe('allowances', () => {
  it('replace what charges before them left, and charges after them count', () => {
    const { plan: written } = plan(stateOf(100), charge(30), allowance(50, true), charge(20));
    expect(written.tokens).toMatchObject([{ id: 5, remain: 30, unlimited: true, used: 50 }]);
  });

  it('are written down as changes of what the token may spend in all', () => {
    const { plan: written } = plan(
      stateOf(100),
      charge(30),
      allowance(50),
      charge(20),
      allowance(null, true),
    );
    expect(written.tokens).toMatchObject([{ id: 5, remain: 30, unlimited: true, used: 50 }]);
    // 70 were left when 50 were set.
    expect(written.allowances).toEqual([
      { tokenId: 5, amount: -20, used: 0, remainAfter: 50, at: 30 },
    ]);
  });

  it('beyond the safe integers are brought back, to the last unit', () => {
    const max = Number.MAX_SAFE_INTEGER;
    const state = stateOf(100, {
      allowances: new Map([
        [5, { remain: max, unlimited: false, used: 3, beyond: 77n, beyondUsed: 70n }],
      ]),
    });
    const { plan: written } = plan(state, allowance(50), allowance(60));
    expect(written.allowances).toEqual([
      { tokenId: 5, amount: -9_007_199_254_741_018n, used: -70, remainAfter: 50, at: 30 },
      { tokenId: 5, amount: 10, used: 0, remainAfter: 60, at: 30 },
    ]);
  });

  it('of a token that is gone are not written', () => {
    expect(plan(nothing, allowance(50))).toMatchObject({
      plan: { tokens: [] },
      results: [{ done: false }],
    });
  });
});

describe('postings', () => {
  it('bring a balance beyond the safe integers back to its bound first', () => {
    const max = Number.MAX_SAFE_INTEGER;
    const state = stateOf(0, { wallets: new Map([[1, { quota: max, used: 0, beyond: 5n }]]) });
    const { plan: written } = plan(state, posting(-100, { posting: 'adjustment' }), posting(-1));
    expect(written.postings).toMatchObject([
      { kind: 'adjustment', amount: -5n, balanceAfter: max },
      { kind: 'adjustment', amount: -100, balanceAfter: max - 100 },
      { kind: 'top_up', amount: -1, balanceAfter: max - 101 },
    ]);
    expect(written.users).toEqual([{ id: 1, quota: max - 101, used: 0, requests: 0 }]);
  });

  it('beyond the largest balance are told from other refusals', () => {
    const { results } = plan(stateOf(1), posting(Number.MAX_SAFE_INTEGER), posting(0.5));
    expect(results.map(({ overLimit }) => overLimit)).toEqual([true, undefined]);
  });

  it('take a reference once, in the database and in the batch', () => {
    const known = stateOf(0, { references: new Set([referenceKey('top_up', 'old')]) });
    const { plan: written, results } = plan(
      known,
      posting(1, { reference: 'old' }),
      posting(2, { reference: 'new' }),
      posting(4, { reference: 'new' }),
      posting(8, { reference: 'old', posting: 'refund' }),
    );
    expect(results.map(({ done }) => done)).toEqual([false, true, false, true]);
    expect(written.users).toMatchObject([{ quota: 10, used: 0, requests: 0 }]);
  });

  it('pass a guard once, and leave the row with its new state', () => {
    const state = stateOf(0, { guards: new Map([[guardKey(redeem), { state: 1, quota: 5 }]]) });
    const { plan: written, results } = plan(
      state,
      posting(5, { guard: redeem }),
      posting(5, { guard: redeem }),
    );
    expect(results).toEqual([
      { done: true, balance: 5 },
      { done: false, balance: 5 },
    ]);
    expect(written.guards).toEqual([
      { table: 'redemptions', id: 3, state: 3, set: { used_user_id: 1, redeemed_time: 10 } },
    ]);
  });

  it('do not pass a guard whose row was edited', () => {
    const state = stateOf(0, { guards: new Map([[guardKey(redeem), { state: 1, quota: 7 }]]) });
    const stale: Guard = { ...redeem, unchanged: { quota: 5 } };
    const current: Guard = { ...redeem, unchanged: { quota: 7 } };
    const { plan: written, results } = plan(
      state,
      posting(5, { guard: stale }),
      posting(7, { guard: current }),
    );
    expect(results.map(({ done }) => done)).toEqual([false, true]);
    expect(written.postings.map(({ amount }) => amount)).toEqual([7]);
  });

  it('follow a guarded row through several states', () => {
    const back: Guard = { table: 'redemptions', id: 3, from: 3, to: 1, set: { used_user_id: 0 } };
    const state = stateOf(0, { guards: new Map([[guardKey(redeem), { state: 1, quota: 5 }]]) });
    const { plan: written } = plan(
      state,
      posting(5, { guard: redeem }),
      posting(-5, { guard: back }),
    );
    expect(written.guards).toEqual([
      { table: 'redemptions', id: 3, state: 1, set: { used_user_id: 0, redeemed_time: 10 } },
    ]);
  });

  it('with a guard on a row that does not exist write nothing', () => {
    const { plan: written, results } = plan(
      stateOf(0),
      posting(5, { guard: redeem, reference: 'x' }),
      posting(5, { reference: 'x' }),
    );
    expect(results.map(({ done }) => done)).toEqual([false, true]);
    expect(written.guards).toEqual([]);
  });

  it('whose reference is known leave their guard alone', () => {
    const state = stateOf(0, {
      guards: new Map([[guardKey(redeem), { state: 1, quota: 5 }]]),
      references: new Set([referenceKey('top_up', 'x')]),
    });
    expect(plan(state, posting(5, { guard: redeem, reference: 'x' })).plan.guards).toEqual([]);
  });
});

describe('refused items', () => {
  const huge = Number.MAX_SAFE_INTEGER;
  it.each<[string, Settlement]>([
    ['a fraction', posting(0.5)],
    ['an unsafe amount', posting(2 ** 53)],
    ['a balance beyond the safe integers', posting(huge)],
    ['a negative charge', charge(-1)],
    ['a charge of NaN', charge(Number.NaN)],
    ['a fraction in the log row', charge(1, { log: { ...logFor(1, 'r', 1), useTime: 0.5 } })],
    [
      'a fraction in the cost',
      charge(1, { rollup: { modelName: 'm', username: 'u', hour: 1, tokens: 1, cost: 0.5 } }),
    ],
    [
      'a fraction in the rollup',
      charge(1, { rollup: { modelName: 'm', username: 'u', hour: 1, tokens: 0.5 } }),
    ],
    ['an allowance that is no integer', allowance(Number.POSITIVE_INFINITY)],
  ])('%s leaves no trace, and the others are written', (_, poison) => {
    const state: LedgerState = {
      ...nothing,
      wallets: new Map([[1, { quota: 1, used: 0 }]]),
      allowances: new Map([[5, { remain: 100, unlimited: false, used: 0 }]]),
    };
    const good = [posting(3, { reference: 'a' }), charge(2)];
    const mixed = planBatch([...good.slice(0, 1), poison, ...good.slice(1)], state);
    expect(mixed.results.map(({ refused }) => refused !== undefined)).toEqual([false, true, false]);
    const expected = planBatch(good, state);
    expect({ ...mixed.plan, holds: [] }).toEqual({ ...expected.plan, holds: [] });
    // The request is over in any case.
    if (poison.kind === 'charge') expect(mixed.plan.holds).toContain(poison.requestId);
  });
});

it('releases end their holds and change nothing', () => {
  const { plan: written } = plan(stateOf(5), {
    kind: 'release',
    requestId: 'r',
    userId: 1,
    tokenId: 5,
  });
  expect(written).toMatchObject({ holds: ['r'], users: [], tokens: [], postings: [] });
});

describe('charges and refunds of tasks', () => {
  const paid = (used: number, more: Partial<LedgerState> = {}) =>
    stateOf(0, {
      wallets: new Map([[1, { quota: 40, used }]]),
      allowances: new Map([[5, { remain: 40, unlimited: false, used }]]),
      guards: new Map([[guardKey(ended), { state: 'SUBMITTED', quota: 60 }]]),
      ...more,
    });

  it('charge with the change of the row, or not at all', () => {
    const state = stateOf(100, {
      guards: new Map([[guardKey(accepted), { state: 'NOT_START', quota: 0 }]]),
    });
    const once = plan(
      state,
      charge(60, { guard: accepted }),
      charge(60, { guard: accepted, requestId: 'again' }),
    );
    expect(once.results.map(({ done }) => done)).toEqual([true, false]);
    expect(once.plan.postings).toMatchObject([{ kind: 'charge', amount: -60 }]);
    expect(once.plan.guards).toEqual([
      { table: 'tasks', id: 4, state: 'SUBMITTED', set: { quota: 60 } },
    ]);
    expect(once.plan.holds).toEqual(['r60', 'again']);
  });

  it('take back all that the charge changed, except the number of requests', () => {
    const { plan: written, results } = plan(paid(60), refund(60));
    expect(results).toEqual([{ done: true, balance: 100, remains: { 5: 100 } }]);
    expect(written.postings).toEqual([
      {
        userId: 1,
        tokenId: 5,
        kind: 'refund',
        amount: 60,
        balanceAfter: 100,
        reference: 'task:4',
        at: 40,
      },
    ]);
    expect(written.users).toEqual([{ id: 1, quota: 100, used: 0, requests: 0 }]);
    expect(written.tokens).toEqual([{ id: 5, remain: 100, unlimited: false, used: 0, at: null }]);
    expect(written.allowances).toEqual([]);
    expect(written.channels).toEqual([{ id: 7, used: -60 }]);
    expect(written.rollups.quota_data).toMatchObject([{ created_at: 3600, count: 0, quota: -60 }]);
    expect(written.rollups.channel_usage).toMatchObject([
      { channel_id: 7, count: 0, quota: -60, cost: -9000, costed_count: 0, costed_quota: -60 },
    ]);
    expect(written.guards).toEqual([
      { table: 'tasks', id: 4, state: 'FAILURE', set: { quota: 0 } },
    ]);
    expect(written.logs).toMatchObject([{ posting: 0 }]);
  });

  it('refund once: by the state, by the reference, and by what the row says was charged', () => {
    expect(plan(paid(60), refund(60), refund(60)).plan.postings).toHaveLength(1);
    const posted = paid(60, { references: new Set([referenceKey('refund', 'task:4')]) });
    expect(plan(posted, refund(60)).results).toEqual([{ done: false, balance: 40 }]);
    const paidAgain = paid(60, {
      guards: new Map([[guardKey(ended), { state: 'SUBMITTED', quota: 120 }]]),
    });
    expect(plan(paidAgain, refund(60)).plan.postings).toEqual([]);
  });

  it('see a charge of the same batch', () => {
    const state = stateOf(100, {
      guards: new Map([[guardKey(accepted), { state: 'NOT_START', quota: 0 }]]),
    });
    const { plan: written, results } = plan(state, charge(60, { guard: accepted }), refund(60));
    expect(results.map(({ done }) => done)).toEqual([true, true]);
    expect(written.users).toEqual([{ id: 1, quota: 100, used: 0, requests: 1 }]);
    expect(written.guards).toEqual([
      { table: 'tasks', id: 4, state: 'FAILURE', set: { quota: 0 } },
    ]);
  });

  it('go to accounts that are gone, as charges do, and stop at the bounds', () => {
    const gone = paid(0, { wallets: new Map(), allowances: new Map(), closed: new Map([[1, -5]]) });
    const { plan: written } = plan(gone, refund(60));
    expect(written.postings).toMatchObject([{ amount: 60, balanceAfter: 55 }]);
    expect([written.users, written.tokens]).toEqual([[], []]);
    const full = paid(20, {
      wallets: new Map([[1, { quota: Number.MAX_SAFE_INTEGER - 10, used: 20 }]]),
    });
    const { plan: capped } = plan(full, refund(60));
    expect(capped.postings).toMatchObject([{ amount: 10 }]);
    expect(capped.users).toMatchObject([{ quota: Number.MAX_SAFE_INTEGER, used: 0 }]);
    expect(capped.tokens).toMatchObject([{ remain: 60, used: 0 }]);
  });

  it('are refused where an amount is no quota', () => {
    expect(plan(paid(60), refund(0.5, { log: null })).results[0]).toMatchObject({
      done: false,
      refused: expect.stringContaining('amount'),
    });
    expect(plan(paid(60), refund(-1)).plan.guards).toEqual([]);
  });
});
