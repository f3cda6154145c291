/** What is charged for a request, once. */
import { beforeEach, describe, expect, it } from 'vitest';
import { buildPriceTables } from '../../../../src/core/pricing/tables.ts';
import type { AttemptOutcome } from '../../../../src/core/relay/attempt.ts';
import { openBill } from '../../../../src/core/relay/charge/bill.ts';
import { contextOf, done, nothingDone, outcome, request, type Site, settle } from './bill-bench.ts';

beforeEach(nothingDone);

describe('what is charged', () => {
  it('is settled once, and released no more', async () => {
    const bill = await openBill(contextOf(), request());
    expect(bill.charged).toBe(0);
    expect(await bill.settle(outcome())).toMatchObject({ promptTokens: 10, completionTokens: 5 });
    expect(bill.charged).toBe(56);
    expect(await bill.settle(outcome())).toBeUndefined();
    await bill.release();
    expect(done.filter((one) => one === 'release' || String(one).startsWith('settle'))).toEqual([
      ['settle', expect.objectContaining({ amount: 56, channelId: 7 })],
    ]);
  });

  it('is nothing where the hold was released, once', async () => {
    const bill = await openBill(contextOf(), request());
    await bill.release();
    await bill.release();
    expect(await bill.settle(outcome())).toBeUndefined();
    expect(done.slice(1)).toEqual(['release']);
  });

  it('lets its hold go where it cannot be found', async () => {
    const counter = { count: () => Promise.reject(new Error('no counter')) };
    const bill = await openBill(contextOf({ deps: { counter } }), request());
    await expect(bill.settle(outcome({ usage: undefined }))).rejects.toThrow('no counter');
    expect(done.slice(1)).toEqual(['release']);
  });

  it.each<[string, string, Partial<AttemptOutcome>, number]>([
    ['is the price of an answer', 'caller', {}, 20],
    ['is that of an answer without tokens', 'caller', { usage: undefined }, 20],
    ['is that of a stream of which something came', 'caller', { ended: 'upstream_cut' }, 20],
    [
      'is that of a stream that was cut, where something is counted',
      'caller',
      { ended: 'upstream_cut', usage: undefined },
      20,
    ],
    ['is nothing without an answer', 'caller', { isUnanswered: true }, 0],
    ['is nothing without an answer by tokens', 'thinker', { isUnanswered: true }, 0],
    [
      'believes zero of a vendor',
      'thinker',
      {
        usage: { promptTokens: 0, completionTokens: 0 },
        channel: { id: 7, provider: {}, believesZeroUsage: true } as never,
      },
      0,
    ],
    [
      'believes no zero of a stream that was cut',
      'thinker',
      {
        usage: { promptTokens: 0, completionTokens: 0 },
        channel: { id: 7, provider: {}, believesZeroUsage: true } as never,
        ended: 'client_gone',
      },
      2 * (7 + 4 * 7),
    ],
  ])('%s', async (_, model, more, amount) => {
    const { charge } = await settle(openBill(contextOf(), request({ model })), more);
    expect(charge.amount).toBe(amount);
  });

  it('of a fixed price is nothing for silence', async () => {
    const counter = { count: async () => 0 };
    for (const [model, ended, amount] of [
      ['caller', 'upstream_cut', 0],
      ['caller', undefined, 20],
      ['thinker', 'upstream_cut', 0],
    ] as const) {
      nothingDone();
      const bill = openBill(contextOf({ deps: { counter } }), request({ model }));
      const more = { usage: undefined, ...(ended !== undefined && { ended }) };
      expect((await settle(bill, more)).charge.amount).toBe(amount);
    }
  });

  it.each([
    [500, {}, false],
    [499, {}, true],
    [600, { warnBelow: 601 }, true],
    [400, { warnBelow: 400 }, false],
  ])('warns of a balance of %i with %j: %s', async (balance, caller, warns) => {
    const site = { caller, settle: async () => balance };
    await settle(openBill(contextOf(site), request()));
    expect(done.some((one) => String(one) === 'warn,4')).toBe(warns);
  });

  it('keeps what was claimed of containers once it is on disk, and drops it in any case', async () => {
    const claimed: string[] = [];
    const claim = {
      minutes: { container_minute: 5 },
      keep: async () => void claimed.push('keep'),
      drop: () => void claimed.push('drop'),
    };
    const tables = buildPriceTables({
      ModelRatio: { boxed: 1 },
      ModelPrice: {},
      CompletionRatio: {},
      CacheRatio: {},
      CreateCacheRatio: {},
      AudioRatio: {},
      AudioCompletionRatio: {},
      ImageRatio: {},
      ModelPriceDetails: { boxed: { tools: { container_minute: 0.002 } } },
      GroupRatio: {},
      GroupGroupRatio: {},
    });
    const deps = { containers: { claim: async () => claim } };
    const usage = { promptTokens: 10, completionTokens: 5, containers: [{ id: 'c' }] } as never;
    const open = (site: Site) =>
      openBill(
        contextOf({ deps, policy: { prices: tables }, ...site }),
        request({ model: 'boxed' }),
      );
    expect((await settle(open({}), { usage })).charge.amount).toBe(15 + 10);
    expect(claimed).toEqual(['keep', 'drop']);
    claimed.length = 0;
    const broken = await open({ settle: () => Promise.reject(new Error('no disk')) });
    await expect(broken.settle(outcome({ usage }))).rejects.toThrow('no disk');
    expect(claimed).toEqual(['drop']);
  });
});
