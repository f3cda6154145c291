/** How much is read and written at once while statements are summed, and when a month is closed. */
import { describe, expect, it } from 'vitest';
import { sumEverybody } from '../../../src/core/billing/statement-sums.ts';
import type { Storage, SummedPosting } from '../../../src/core/storage/storage.ts';

const at = (...[year, month, day, hour]: [number, number, number, number]) =>
  new Date(year, month - 1, day, hour).getTime() / 1000;

/** Postings 1 to `count`, in turn of so many users; nothing is summed yet. */
function open(count: number, users = 1) {
  const postings = Array.from({ length: count }, (_, i): SummedPosting => {
    const id = i + 1;
    const amount = 1 as SummedPosting['amount'];
    const createdAt = at(2026, 10, 5, 0);
    return { id, userId: 1 + (i % users), kind: 'top_up', amount, balanceAfter: amount, createdAt };
  });
  const progress = new Map<number, { lastId: number; balance: number; month: number }>();
  const reads: [number, number][] = [];
  const gathered: number[] = [];
  const summed: number[][] = [];
  const alone: unknown[] = [];
  const progressOf = (userId: number) =>
    progress.get(userId) ?? { lastId: 0, balance: 0, month: 0 };
  const statements = {
    newestPosting: async () => postings.at(-1)?.id ?? 0,
    progress: async (userId: number) => progressOf(userId),
    progressOf: async (userIds: readonly number[], upTo: number) => {
      gathered.push(upTo);
      summed.push([...userIds]);
      return new Map(
        userIds.map((userId) => {
          const own = progressOf(userId);
          const isWaiting = (one: SummedPosting) =>
            one.userId === userId && one.id > own.lastId && one.id <= upTo;
          return [userId, { ...own, waiting: postings.filter(isWaiting).length }];
        }),
      );
    },
    postingsAfter: async (userId: number) => {
      alone.push(userId);
      return [];
    },
    postingsBetween: async (after: number, upTo: number, limit: number) => {
      const found = postings.filter(({ id }) => id > after && id <= upTo).slice(0, limit);
      reads.push([after, found.length]);
      return found;
    },
    advance: async (userId: number, _: object, to: { lastId: number; month: number }) => {
      progress.set(userId, { balance: 0, ...to });
      return true;
    },
    advanceAll: async (steps: readonly { userId: number; to: { lastId: number } }[]) => {
      for (const { userId, to } of steps)
        progress.set(userId, { balance: 0, month: 202610, ...to });
      return [];
    },
  };
  const run = async (...now: [number, number, number, number]) => {
    reads.length = 0;
    const storage = { statements } as unknown as Pick<Storage, 'statements'>;
    const clock = { now: () => at(...now) * 1000, sleep: async () => {} };
    await sumEverybody(storage, clock, new AbortController().signal);
    return progressOf(0);
  };
  return { progress, reads, gathered, summed, alone, run };
}

describe('a month', () => {
  it.each([0, 1])('is closed a day after its end, with %i postings since', async (more) => {
    const { progress, run } = open(3 + more);
    progress.set(0, { lastId: 3, balance: 0, month: 202609 });
    expect((await run(2026, 11, 1, 23)).month).toBe(202609);
    expect((await run(2026, 11, 2, 1)).month).toBe(202610);
    expect((await run(2026, 11, 3, 1)).month).toBe(202610);
  });

  it('is not closed where nothing was ever posted', async () => {
    const { run } = open(0);
    expect(await run(2026, 11, 3, 0)).toEqual({ lastId: 0, balance: 0, month: 0 });
  });
});

describe('what is read', () => {
  it('is nothing while nothing was posted and no month is due', async () => {
    const { reads, run } = open(3);
    await run(2026, 11, 3, 0);
    expect(reads).toEqual([[0, 3]]);
    await run(2026, 11, 4, 0);
    expect(reads).toEqual([]);
  });

  it('begins a thousand postings before the last one that was seen', async () => {
    const { progress, reads, run } = open(3100);
    progress.set(0, { lastId: 3000, balance: 0, month: 202610 });
    progress.set(1, { lastId: 3000, balance: 0, month: 202610 });
    await run(2026, 11, 3, 0);
    expect(reads).toEqual(Array.from({ length: 6 }, (_, i) => [2000 + i * 200, i < 5 ? 200 : 100]));
  });

  it('is summed after every 5000 postings, and for 200 users at once', async () => {
    const { gathered, summed, alone, run } = open(5100, 250);
    await run(2026, 11, 3, 0);
    expect(gathered).toEqual([5000, 5000, 5100]);
    expect(summed.map(({ length }) => length)).toEqual([200, 50, 100]);
    expect(new Set(summed.slice(0, 2).flat()).size).toBe(250);
    expect(alone).toEqual([]);
  });
});
