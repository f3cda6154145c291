import { once } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { createSettlementQueue } from '../../../src/core/billing/settlement-queue.ts';
import type { Clock } from '../../../src/core/kernel/clock.ts';
import { silentLogger } from '../../../src/core/kernel/logger.ts';
import type { Settlement, SettlementResult } from '../../../src/core/storage/ledger/settlement.ts';
import {
  RefusedItemError,
  UnknownOutcomeError,
} from '../../../src/core/storage/ledger/write-errors.ts';
import { codeOf } from './ledger-support.ts';

const grant = (amount: number): Settlement => ({
  kind: 'posting',
  posting: 'grant',
  userId: 1,
  amount,
  reference: null,
  at: 1,
  log: null,
  guard: null,
});
const amountOf = (item: Settlement): number => (item.kind === 'posting' ? item.amount : 0);

/** A database in memory that refuses some amounts. */
function createFake(refused: readonly number[]) {
  const batches: number[][] = [];
  const written: number[] = [];
  const failures: Error[] = [];
  const commit = async (batch: readonly Settlement[]): Promise<readonly SettlementResult[]> => {
    const amounts = batch.map(amountOf);
    batches.push(amounts);
    const failure = failures.shift();
    if (failure !== undefined) throw failure;
    if (amounts.some((amount) => refused.includes(amount)))
      throw new RefusedItemError(new Error('constraint'));
    written.push(...amounts);
    return amounts.map((balance) => ({ done: true, balance }));
  };
  const sleeps: number[] = [];
  const clock: Clock = { now: () => 0, sleep: async (ms) => void sleeps.push(ms) };
  const settled: [number, boolean][] = [];
  const logged: object[] = [];
  const queue = createSettlementQueue({
    commit,
    clock,
    logger: { ...silentLogger, error: (fields) => logged.push(fields) },
    onSettled: (item, result) => settled.push([amountOf(item), result?.done === true]),
  });
  return { queue, batches, written, failures, sleeps, settled, logged };
}

describe('items that nobody waits for', () => {
  it('are written after two seconds, or with the next item that somebody waits for, and only once', async () => {
    vi.useFakeTimers();
    try {
      const { queue, batches } = createFake([]);
      queue.add(grant(1));
      await vi.advanceTimersByTimeAsync(1900);
      expect(batches).toEqual([]);
      expect(queue.waiting()).toBe(0);
      await vi.advanceTimersByTimeAsync(200);
      expect(batches).toEqual([[1]]);
      queue.add(grant(2));
      const written = queue.write(grant(3));
      queue.add(grant(4));
      await written;
      await vi.advanceTimersByTimeAsync(5000);
      expect(batches).toEqual([[1], [2, 3, 4]]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('are written at once when there are many, or when they are flushed', async () => {
    const { queue, written } = createFake([]);
    const amounts = Array.from({ length: 64 }, (_, index) => index + 1);
    for (const amount of amounts) queue.add(grant(amount));
    await expect.poll(() => written).toEqual(amounts);
    queue.add(grant(65));
    await queue.flush();
    expect(written).toEqual([...amounts, 65]);
    expect(queue.flush()).toBeUndefined();
  });
});

describe('a refused item', () => {
  it('is found by halves, and all others are written in their order', async () => {
    const { queue, batches, written, settled, logged } = createFake([5]);
    const amounts = [1, 2, 3, 4, 5, 6, 7, 8];
    const codes = await Promise.all(amounts.map((amount) => codeOf(queue.write(grant(amount)))));
    expect(codes).toEqual(amounts.map((amount) => (amount === 5 ? 'ledger_refused' : 'ok')));
    expect(batches).toEqual([amounts, [1, 2, 3, 4], [5, 6, 7, 8], [5, 6], [5], [6], [7, 8]]);
    expect(written).toEqual([1, 2, 3, 4, 6, 7, 8]);
    expect(settled).toEqual(amounts.map((amount) => [amount, amount !== 5]));
    expect(logged).toEqual([{ reason: 'constraint', settlement: grant(5) }]);
    expect(queue.isStalled()).toBe(false);
  });

  it('does not stop what comes after it', async () => {
    const { queue } = createFake([5]);
    expect(await codeOf(queue.write(grant(5)))).toBe('ledger_refused');
    expect(await queue.write(grant(6))).toEqual({ done: true, balance: 6 });
  });
});

describe('an unavailable database', () => {
  it('makes everybody wait, and recovers by itself', async () => {
    const { queue, batches, written, failures, sleeps } = createFake([]);
    failures.push(new Error('locked'), new Error('locked'));
    const writes = [queue.write(grant(1)), queue.write(grant(2))];
    await expect.poll(() => sleeps.length).toBeGreaterThan(0);
    await Promise.all(writes);
    expect(queue.isStalled()).toBe(false);
    expect(batches).toEqual([
      [1, 2],
      [1, 2],
      [1, 2],
    ]);
    expect(written).toEqual([1, 2]);
    expect(sleeps).toEqual([1000, 1000]);
  });

  it('stalls the queue until the first batch is written', async () => {
    let answer: () => void = () => {};
    let available = false;
    const queue = createSettlementQueue({
      commit: async () => {
        if (!available) throw new Error('full');
        return [{ done: true, balance: 0 }];
      },
      clock: { now: () => 0, sleep: () => new Promise((resolve) => (answer = resolve)) },
      logger: silentLogger,
    });
    const write = queue.write(grant(1));
    await expect.poll(() => queue.isStalled()).toBe(true);
    available = true;
    answer();
    await write;
    expect(queue.isStalled()).toBe(false);
  });

  it('that comes back to an item at fault still writes the others', async () => {
    const { queue, written, failures } = createFake([2]);
    failures.push(new Error('locked'));
    const codes = await Promise.all([1, 2, 3].map((amount) => codeOf(queue.write(grant(amount)))));
    expect(codes).toEqual(['ok', 'ledger_refused', 'ok']);
    expect(written).toEqual([1, 3]);
    expect(queue.isStalled()).toBe(false);
  });
});

describe('whoever waits', () => {
  /** A database that fails until it is mended; each attempt takes a second of the clock. */
  function createBroken(failure: () => Error | undefined) {
    let now = 0;
    const batches: (readonly Settlement[])[] = [];
    const settled: [number, boolean][] = [];
    const logged: string[] = [];
    const queue = createSettlementQueue<Settlement>({
      commit: async (batch) => {
        batches.push(batch);
        const error = failure();
        if (error !== undefined) throw error;
        return batch.map((item) => ({ done: true, balance: amountOf(item) }));
      },
      clock: {
        now: () => now,
        sleep: async (ms, signal) => {
          now += ms;
          await new Promise((resolve) => setImmediate(resolve));
          signal?.throwIfAborted();
        },
      },
      logger: { ...silentLogger, error: (_, message) => logged.push(message) },
      onSettled: (item, result) => settled.push([amountOf(item), result?.done === true]),
    });
    return { queue, batches, settled, logged, now: () => now, pass: (ms: number) => (now += ms) };
  }

  it('is told after half a minute that nothing was written, and nothing of it is written later', async () => {
    let isBroken = true;
    const { queue, batches, settled, logged, now } = createBroken(() =>
      isBroken ? new Error('full') : undefined,
    );
    queue.add(grant(1));
    expect(await codeOf(queue.write(grant(2)))).toBe('ledger_unavailable');
    expect(now()).toBeGreaterThanOrEqual(30_000);
    expect(now()).toBeLessThanOrEqual(32_000);
    expect(settled).toEqual([[2, false]]);
    expect(logged).toContain('a settlement was given up and is not in the ledger');
    expect(queue.isStalled()).toBe(true);
    expect(queue.unavailability()).toMatchObject({
      code: 'ledger_unavailable',
      params: { reason: 'full', waiting: 1 },
    });
    expect(await queue.drain(20)).toBe(false);
    isBroken = false;
    expect(await queue.drain(5000)).toBe(true);
    // For the other one nobody waits.
    expect(batches.at(-1)).toEqual([grant(1)]);
    expect(settled).toEqual([
      [2, false],
      [1, true],
    ]);
  });

  it('waits no longer than ten seconds while the gateway stops', async () => {
    const { queue, now } = createBroken(() => new Error('full'));
    const written = codeOf(queue.write(grant(1)));
    await expect.poll(now).toBeGreaterThan(0);
    const stopping = now();
    queue.hurry();
    expect(await written).toBe('ledger_unavailable');
    expect(now() - stopping).toBeLessThanOrEqual(11_000);
    expect(await codeOf(queue.write(grant(2)))).toBe('ledger_unavailable');
    expect(now() - stopping).toBeLessThanOrEqual(13_000);
  });

  it('is told that the outcome is unknown where it is, and the same batch is written on', async () => {
    let isBroken = true;
    const failure = () => (isBroken ? new UnknownOutcomeError('no reply', undefined) : undefined);
    const { queue, batches, settled, now, pass } = createBroken(failure);
    const written = codeOf(queue.write(grant(1)));
    vi.useFakeTimers({ toFake: ['setInterval'] });
    try {
      await expect.poll(() => batches.length).toBeGreaterThan(0);
      pass(45_000);
      await vi.advanceTimersByTimeAsync(1000);
    } finally {
      vi.useRealTimers();
    }
    expect(await written).toBe('ledger_outcome_unknown');
    expect(now()).toBeGreaterThanOrEqual(45_000);
    expect(settled).toEqual([]);
    isBroken = false;
    expect(await queue.drain(5000)).toBe(true);
    expect(settled).toEqual([[1, true]]);
    expect(new Set(batches).size).toBe(1); // the same array, by which its outcome is looked up
  });

  it('does not wait for an attempt that never ends, nor for the one behind it', async () => {
    vi.useFakeTimers();
    try {
      const queue = createSettlementQueue({
        commit: () => new Promise(() => {}),
        clock: { now: Date.now, sleep: async () => {} },
        logger: silentLogger,
      });
      const codes = [codeOf(queue.write(grant(1)))];
      await vi.advanceTimersByTimeAsync(1);
      codes.push(codeOf(queue.write(grant(2))));
      await vi.advanceTimersByTimeAsync(46_000);
      expect(await Promise.all(codes)).toEqual(['ledger_outcome_unknown', 'ledger_unavailable']);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is told so at the end of the process, and what is left is named', async () => {
    const { queue, logged } = createBroken(() => new Error('full'));
    queue.add({
      kind: 'journaled',
      sequence: 1,
      userId: 1,
      tokenId: 0,
      amount: 1,
      json: '{}',
    } as unknown as Settlement);
    const written = codeOf(queue.write(grant(2)));
    await expect.poll(() => queue.isStalled()).toBe(true);
    await queue.abandon();
    expect(await written).toBe('ledger_unavailable');
    expect(
      logged.filter((message) => message.startsWith('a settlement was given up')),
    ).toHaveLength(1);
    expect(await queue.drain(1000)).toBe(true);
  });
});

describe('what is left of a group that was divided', () => {
  /**
   * `fails`: what becomes of a batch; undefined: it is written. `isStanding`: after a failure time
   * stands still until the end.
   */
  function createDivided(
    fails: (amounts: readonly number[]) => Error | undefined,
    isStanding = false,
  ) {
    let now = 0;
    const logged: unknown[] = [];
    const queue = createSettlementQueue<Settlement>({
      commit: async (batch) => {
        const error = fails(batch.map(amountOf));
        if (error !== undefined) throw error;
        return batch.map((item) => ({ done: true, balance: amountOf(item) }));
      },
      clock: {
        now: () => now,
        sleep: async (ms, signal) => {
          if (isStanding) await once(signal ?? new EventTarget(), 'abort');
          now += ms;
          await new Promise((resolve) => setImmediate(resolve));
        },
      },
      logger: {
        ...silentLogger,
        error: (fields, message) => {
          if (message.startsWith('a settlement'))
            logged.push([message.split(' ')[2], amountOf((fields as never)['settlement'])]);
        },
      },
    });
    return { queue, logged };
  }
  const refused = new RefusedItemError(new Error('constraint'));

  it('is not what has been written of it', async () => {
    const { queue, logged } = createDivided((amounts) => {
      if (amounts.length > 2) return refused;
      return amounts[0] === 3 ? new Error('full') : undefined;
    }, true);
    const codes = Promise.all([1, 2, 3, 4].map((amount) => codeOf(queue.write(grant(amount)))));
    await expect.poll(() => queue.isStalled()).toBe(true);
    expect(queue.unavailability().params).toMatchObject({ waiting: 2 });
    await queue.abandon();
    expect(await codes).toEqual(['ok', 'ok', 'ledger_unavailable', 'ledger_unavailable']);
    expect(logged).toEqual([
      ['was', 3],
      ['was', 4],
    ]);
    expect(await queue.drain(1000)).toBe(true);
  });

  it('is its other half, too, when those who waited for one have gone', async () => {
    const { queue, logged } = createDivided((amounts) =>
      amounts.length > 1 ? refused : new Error('full'),
    );
    const gone = codeOf(queue.write(grant(1)));
    queue.add(grant(2));
    expect(await gone).toBe('ledger_unavailable');
    expect(queue.unavailability().params).toMatchObject({ waiting: 1 });
    await queue.abandon();
    expect(logged).toEqual([
      ['was', 1],
      ['was', 2],
    ]);
    expect(await queue.drain(1000)).toBe(true);
  });

  it('is not what was refused of it', async () => {
    const { queue, logged } = createDivided(
      (amounts) => (amounts.includes(1) ? refused : new Error('full')),
      true,
    );
    const codes = Promise.all([1, 2].map((amount) => codeOf(queue.write(grant(amount)))));
    await expect.poll(() => queue.isStalled()).toBe(true);
    expect(queue.unavailability().params).toMatchObject({ waiting: 1 });
    await queue.abandon();
    expect(await codes).toEqual(['ledger_refused', 'ledger_unavailable']);
    expect(logged).toEqual([
      ['was', 1],
      ['was', 2],
    ]);
  });
});
