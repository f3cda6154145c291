// Covers src/core/billing/postgres-ledger.ts.
/** The ledger of several processes over a store that refuses on demand; no PostgreSQL is needed. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPostgresLedger } from '../../../src/core/billing/postgres-ledger.ts';
import { silentLogger } from '../../../src/core/kernel/logger.ts';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import type { Settlement, SettlementResult } from '../../../src/core/storage/ledger/settlement.ts';
import { RefusedItemError } from '../../../src/core/storage/ledger/write-errors.ts';
import { charge, codeOf, holdFor } from './ledger-support.ts';
import { headOf, soundBooks } from './sound-books.ts';

type Deps = Parameters<typeof createPostgresLedger>[0];

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** User 1 has 1000, and token 5 of it 400; window 3 has spent 50 of its limit. */
function open(more: Partial<Deps> = {}) {
  const written: Settlement[] = [];
  const results: SettlementResult[] = [];
  const renewed: (readonly string[])[] = [];
  const logged: unknown[][] = [];
  const state = {
    failure: undefined as Error | undefined,
    placing: undefined as Error | undefined,
    renewing: undefined as Error | undefined,
    takenOver: 0,
    now: 9000,
  };
  /** Ends the sleep before the next look at the leases. */
  let wake = () => {};
  const wallet = { quota: 1000, held: 0 };
  const allowance = { remain: 400, held: 0, unlimited: false };
  const window = { spent: 50, held: 0, requests: 2 };
  const ledger = createPostgresLedger({
    storage: {
      users: { find: async (id: number) => (id === 1 ? { quota: 1000, held: 7 } : null) },
    } as never,
    store: {
      placeHolds: async (requests, admit) => {
        if (state.placing !== undefined) throw state.placing;
        return requests.map((request) => {
          try {
            const { userId, tokenId } = request;
            return admit(
              userId === 1 ? wallet : undefined,
              tokenId === 5 ? allowance : undefined,
              request,
              new Map([[3, window]]) as never,
            );
          } catch (error) {
            return error as never;
          }
        });
      },
      settle: async (batch) => {
        if (state.failure !== undefined) throw state.failure;
        written.push(...batch);
        return batch.map(() => results.shift() ?? { done: true, balance: 7 });
      },
      renewLeases: async (ids) => {
        if (state.renewing !== undefined) throw state.renewing;
        renewed.push(ids);
      },
      takeOverHolds: async () => state.takenOver,
      countStaleHolds: async () => 4,
    },
    clock: {
      now: () => state.now,
      sleep: (ms, signal) => {
        if (ms === 1000) {
          state.now += ms;
          return new Promise((resolve) => setImmediate(resolve));
        }
        return new Promise((resolve, reject) => {
          wake = resolve;
          signal?.addEventListener('abort', () => reject(signal.reason));
        });
      },
    },
    logger: {
      ...silentLogger,
      error: (...words) => void logged.push(words),
      warn: (...words) => void logged.push(words),
    },
    ...more,
  });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const look = async () => {
    wake();
    await turn();
  };
  return { ledger, written, results, renewed, logged, state, look, turn };
}

const budget = (id: number) => ({ id, budget: 'team', limit: 100, refuses: true, endsAt: 9 });

describe('a hold', () => {
  it('is leased until its end is committed, whatever the end is', async () => {
    const { ledger, written, results, renewed, look } = open();
    const [one, other] = [
      await ledger.hold({ ...holdFor(1, 5, 40), windows: [budget(3), budget(4)] }),
      await ledger.hold(holdFor(1, 0, 7)),
    ];
    expect(one).toMatchObject({ amount: 40, small: false, tightest: { left: 10 } });
    expect(one.windows).toMatchObject([{ id: 3, amount: 40 }]);
    expect(Object.keys(other)).toEqual(['requestId', 'userId', 'tokenId', 'amount', 'small']);
    expect([ledger.holds(), await ledger.balance(1)]).toEqual([2, { quota: 1000, held: 7 }]);
    await look();
    expect(renewed.at(-1)).toEqual([one.requestId, other.requestId]);
    results.push({ done: true, balance: 955 });
    expect(await ledger.settle(one, charge(45, 8))).toBe(955);
    await ledger.release(other);
    expect(ledger.holds()).toBe(0);
    const { requestId } = one;
    expect(written).toMatchObject([
      {
        kind: 'charge',
        requestId,
        userId: 1,
        tokenId: 5,
        channelId: 8,
        amount: 45,
        at: 9,
        windows: [3],
      },
      { kind: 'release', requestId: other.requestId, userId: 1, tokenId: 0 },
    ]);
    await look();
    expect(renewed.at(-1)).toEqual([]);
    await ledger.close();
  });

  it('is refused to accounts that are not there, and where there is too little', async () => {
    const { ledger } = open();
    expect(await codeOf(ledger.hold(holdFor(2, 0, 1)))).toBe('not_found');
    expect(await codeOf(ledger.hold(holdFor(1, 6, 1)))).toBe('token_unknown');
    expect(await codeOf(ledger.hold(holdFor(1, 5, 401)))).toBe('pre_consume_token_quota_failed');
    expect(ledger.holds()).toBe(0);
    expect(await codeOf(ledger.balance(2))).toBe('not_found');
    await ledger.close();
  });

  it('is refused while the database is away, which is named in the log', async () => {
    const { ledger, state, logged } = open();
    state.placing = new Error('full');
    expect(await codeOf(ledger.hold(holdFor(1, 0, 1)))).toBe('ledger_unavailable');
    expect(logged).toEqual([[{ error: state.placing }, 'holds could not be written']]);
    await ledger.close();
  });

  it('at fault is refused alone', async () => {
    const { ledger, state, logged } = open();
    state.placing = new RefusedItemError(new Error('locked'));
    const both = [ledger.hold(holdFor(1, 0, 1)), ledger.hold(holdFor(1, 0, 1))].map(codeOf);
    expect(await Promise.all(both)).toEqual(['ledger_unavailable', 'ledger_unavailable']);
    expect(logged).toEqual([]);
    await ledger.close();
  });
});

describe('a charge', () => {
  it('that is refused gives its hold back', async () => {
    const { ledger, written, results, turn } = open();
    const hold = await ledger.hold({ ...holdFor(1, 5, 40), windows: [budget(3)] });
    results.push({ done: false, balance: 0, refused: 'no' });
    expect(await codeOf(ledger.settle(hold, charge(40)))).toBe('ledger_refused');
    expect(written.at(-1)).toMatchObject({ kind: 'release', windows: [3] });
    expect(ledger.holds()).toBe(0);
    await turn();
    await ledger.close();
  });

  it('that was written before is a conflict, and its hold ends', async () => {
    const { ledger, written, results } = open();
    const hold = await ledger.hold(holdFor(1, 0, 40));
    results.push({ done: false, balance: 1000 });
    expect(await codeOf(ledger.settle(hold, charge(40)))).toBe('ledger_conflict');
    expect([written.length, ledger.holds()]).toEqual([1, 0]);
    await ledger.close();
  });

  it('that cannot be written leaves its hold to the lease, and lets nobody in', async () => {
    const { ledger, written, state } = open();
    const hold = await ledger.hold(holdFor(1, 0, 40));
    state.failure = new Error('full');
    expect(await codeOf(ledger.settle(hold, charge(40)))).toBe('ledger_unavailable');
    expect([written.length, ledger.holds()]).toEqual([0, 0]);
    // It waited for 30 s once, and not again for its hold.
    expect(state.now).toBeLessThan(45_000);
    expect(await codeOf(ledger.hold(holdFor(1, 0, 1)))).toBe('ledger_unavailable');
    expect(ledger.queue()).toMatchObject({
      stalled: true,
      waiting: 0,
      failure: { params: { reason: 'full' } },
    });
    state.failure = undefined;
    await ledger.close();
  });
});

describe('leases', () => {
  it('of processes that are gone are taken over, and a failure ends nothing', async () => {
    const { ledger, renewed, logged, state, look, turn } = open();
    await turn();
    expect([renewed, logged]).toEqual([[[]], []]);
    state.takenOver = 2;
    await look();
    expect(logged).toEqual([[{ count: 2 }, 'holds of a process that is gone were given back']]);
    state.renewing = new Error('away');
    await look();
    expect(logged.at(-1)).toEqual([
      { error: state.renewing },
      'the leases of holds could not be renewed',
    ]);
    state.renewing = undefined;
    await look();
    expect(renewed).toHaveLength(3);
    await ledger.close();
    await look();
    expect(renewed).toHaveLength(3);
  });
});

describe('postings, refunds and allowances', () => {
  const grant = { kind: 'grant', amount: toQuota(5), reference: 'a' } as const;
  it('are written as they are, and say whether they were done', async () => {
    const { ledger, written, results } = open();
    results.push({ done: true, balance: 1005 }, { done: false, balance: 1005 });
    const posting = { ...grant, userId: 1 };
    expect(await ledger.post(posting)).toEqual({ posted: true, balance: 1005 });
    expect(await ledger.post(posting)).toEqual({ posted: false, balance: 1005 });
    results.push({ done: false, balance: 0 });
    expect(await codeOf(ledger.post({ ...grant, userId: 2 }))).toBe('not_found');
    results.push({ done: false, balance: 0, overLimit: true });
    expect(await codeOf(ledger.post({ ...grant, userId: 2 }))).toBe('balance_limit');
    const refund = { userId: 1, charges: [], reference: 'task:1', log: null, guard: null } as never;
    results.push({ done: true, balance: 6 }, { done: false, balance: 6 });
    expect([await ledger.refund(refund), await ledger.refund(refund)]).toEqual([true, false]);
    results.push({ done: true, balance: 0 }, { done: false, balance: 0 });
    await ledger.setTokenAllowance(5, toQuota(50), false);
    expect(await codeOf(ledger.setTokenAllowance(6, null, true))).toBe('token_unknown');
    const posted = { kind: 'posting', posting: 'grant', amount: 5, reference: 'a', at: 9 };
    const rest = { log: null, guard: null };
    expect(written).toEqual([
      { ...posted, ...rest, userId: 1 },
      { ...posted, ...rest, userId: 1 },
      { ...posted, ...rest, userId: 2 },
      { ...posted, ...rest, userId: 2 },
      { kind: 'refund', at: 9, userId: 1, charges: [], reference: 'task:1', ...rest },
      { kind: 'refund', at: 9, userId: 1, charges: [], reference: 'task:1', ...rest },
      { kind: 'allowance', tokenId: 5, remainQuota: 50, unlimited: false, at: 9 },
      { kind: 'allowance', tokenId: 6, remainQuota: null, unlimited: true, at: 9 },
    ]);
    await ledger.close();
  });
});

describe('the proof and the end', () => {
  const notes: string[] = [];
  const noted = { read: () => headOf(7), note: async () => void notes.push('noted') };

  it('prove the books with what was noted and the holds that nobody owns', async () => {
    const { ledger } = open({ storage: soundBooks as never, noted });
    expect(await ledger.verify()).toMatchObject({
      ok: true,
      staleHolds: 4,
      chain: { notedAt: 7 },
    });
    await ledger.noteHead();
    await ledger.close();
    expect(notes.splice(0)).toEqual(['noted', 'noted']);
    const { ledger: plain } = open({ storage: soundBooks as never });
    expect(await plain.verify()).toMatchObject({ ok: true, chain: { notedAt: null } });
    await plain.noteHead();
    await plain.drain();
    expect(plain.queue()).toEqual({ waiting: 0, stalled: false });
    await plain.close();
  });

  it('prove nothing and note nothing while the database is away', async () => {
    const { ledger, state, turn } = open({ storage: soundBooks as never, noted });
    state.failure = new Error('full');
    const posting = codeOf(
      ledger.post({ kind: 'grant', amount: toQuota(5), reference: null, userId: 1 }),
    );
    const verified = codeOf(ledger.verify());
    await turn();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await verified).toBe('ledger_unavailable');
    const closing = ledger.close();
    for (let wait = 0; wait < 3; wait += 1) {
      await turn();
      await vi.advanceTimersByTimeAsync(3000);
    }
    await closing;
    expect(await posting).toBe('ledger_unavailable');
    expect(notes).toEqual([]);
  });
});
