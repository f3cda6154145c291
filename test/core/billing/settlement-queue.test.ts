import { describe, expect, it, vi } from 'vitest';
import { createSettlementQueue } from '../../../src/core/billing/settlement-queue.ts';
import type { Clock } from '../../../src/core/kernel/clock.ts';
import { silentLogger } from '../../../src/core/kernel/logger.ts';
import { RefusedItemError } from '../../../src/core/storage/ledger/refused-item.ts';
import type { Settlement, SettlementResult } from '../../../src/core/storage/ledger/settlement.ts';
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
    if (amounts.some((amount) => refused.includes(amount))) throw new RefusedItemError(new Error('constraint'));
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
