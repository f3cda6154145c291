/** What every implementation of the port for shared state keeps. Another implementation joins the list. */
import { describe, expect, test } from 'vitest';
import type { Cluster } from '../../../src/core/cluster/cluster.ts';
import { createMemoryCluster } from '../../../src/core/cluster/memory-cluster.ts';
import { createStoredLeases } from '../../../src/core/cluster/stored-leases.ts';
import { openStorage } from '../../../src/core/storage/open.ts';
import { createTestClock, type TestClock } from '../../support/app.ts';

const implementations: Readonly<Record<string, (clock: TestClock) => Promise<Cluster>>> = {
  memory: async (clock) => createMemoryCluster(clock),
  'memory with leases in the database': async (clock) => {
    const storage = await openStorage({ url: 'sqlite::memory:', masterKey: Buffer.alloc(32) });
    return createMemoryCluster(clock, createStoredLeases(storage.locks, clock));
  },
};

describe.each(Object.entries(implementations))('shared state: %s', (_, create) => {
  const setUp = async () => {
    const clock = createTestClock();
    return { clock, cluster: await create(clock) };
  };

  test('an announcement waits for every listener', async () => {
    const { cluster } = await setUp();
    const heard: string[] = [];
    cluster.changes.listen(async ({ kind, id }) => {
      await Promise.resolve();
      heard.push(`${kind} ${id}`);
    });
    const stop = cluster.changes.listen(({ kind }) => void heard.push(kind));
    await cluster.changes.announce('token', 7);
    stop();
    await cluster.changes.announce('options');
    expect(heard).toEqual(['token', 'token 7', 'options 0']);
  });

  test('a lease has one owner until it is released or ends', async () => {
    const { clock, cluster } = await setUp();
    expect(await cluster.leases.acquire('job', 'a', 60_000)).toBe(true);
    expect(await cluster.leases.acquire('job', 'b', 60_000)).toBe(false);
    expect(await cluster.leases.acquire('other', 'b', 60_000)).toBe(true);
    clock.move(30_000);
    expect(await cluster.leases.acquire('job', 'a', 60_000)).toBe(true);
    clock.move(45_000);
    expect(await cluster.leases.acquire('job', 'b', 60_000)).toBe(false);
    expect(await cluster.leases.release('job', 'b')).toBe(false);
    expect(await cluster.leases.release('job', 'a')).toBe(true);
    expect(await cluster.leases.acquire('job', 'b', 60_000)).toBe(true);
    clock.move(60_000);
    expect(await cluster.leases.acquire('job', 'a', 60_000)).toBe(true);
    expect(await cluster.leases.release('job', 'b')).toBe(false);
  });

  test('a counter counts per name and key, from the first count to the end of the window', async () => {
    const { clock, cluster } = await setUp();
    const counter = cluster.counter('sign-in');
    expect(await counter.increment('ann', 60_000)).toEqual({ count: 1, remainingMs: 60_000 });
    clock.move(20_000);
    expect(await counter.increment('ann', 60_000)).toEqual({ count: 2, remainingMs: 40_000 });
    expect(await counter.increment('bob', 60_000)).toEqual({ count: 1, remainingMs: 60_000 });
    expect(await cluster.counter('requests').increment('ann', 60_000)).toMatchObject({ count: 1 });
    expect(await cluster.counter('sign-in').increment('ann', 60_000)).toMatchObject({ count: 3 });
    clock.move(40_000);
    expect(await counter.increment('ann', 60_000)).toEqual({ count: 1, remainingMs: 60_000 });
  });

  test('a window can be extended and reset', async () => {
    const { clock, cluster } = await setUp();
    const counter = cluster.counter('sign-in');
    await counter.increment('ann', 60_000);
    clock.move(50_000);
    await counter.extend('ann', 60_000);
    await counter.extend('nobody', 60_000);
    clock.move(50_000);
    expect(await counter.increment('ann', 60_000)).toEqual({ count: 2, remainingMs: 10_000 });
    await counter.reset('ann');
    expect(await counter.increment('ann', 60_000)).toMatchObject({ count: 1 });
  });

  test('a sliding log knows when fewer than so many events lie in any window', async () => {
    const { clock, cluster } = await setUp();
    const log = cluster.slidingLog('relay');
    for (const pause of [0, 10_000, 10_000]) {
      clock.move(pause);
      expect(await log.take('1', 60_000, 3)).toBe(0);
    }
    expect(await log.wait('1', 60_000, 3)).toBe(40_000);
    expect(await log.take('1', 60_000, 3)).toBe(40_000);
    expect(await log.wait('1', 60_000, 2)).toBe(50_000);
    expect(await log.wait('1', 60_000, 4)).toBe(0);
    expect(await log.wait('2', 60_000, 1)).toBe(0);
    await log.add('1', 60_000);
    expect(await log.wait('1', 60_000, 3)).toBe(50_000);
    clock.move(50_000);
    expect(await log.wait('1', 60_000, 3)).toBe(0);
  });

  test('a value is kept for its time; the oldest makes room', async () => {
    const { clock, cluster } = await setUp();
    const values = cluster.values<{ channel: number }>('affinity', () => 2);
    await values.set('a', { channel: 1 }, 60_000);
    await values.set('b', { channel: 2 }, 30_000);
    expect(await values.get('a')).toEqual({ channel: 1 });
    clock.move(30_000);
    expect(await values.get('b')).toBeUndefined();
    await values.set('a', { channel: 3 }, 60_000);
    await values.set('c', { channel: 4 }, 60_000);
    await values.set('d', { channel: 5 }, 60_000);
    expect([await values.get('a'), await values.get('c'), await values.get('d')]).toEqual([
      undefined,
      { channel: 4 },
      { channel: 5 },
    ]);
    await values.delete('c');
    expect(await values.get('c')).toBeUndefined();
  });
});
