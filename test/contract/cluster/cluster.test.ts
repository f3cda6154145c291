// Covers src/core/cluster.
/**
 * What every implementation of the port for shared state keeps. Another implementation joins the
 * list.
 */
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Cluster } from '../../../src/core/cluster/cluster.ts';
import { createMemoryCluster } from '../../../src/core/cluster/memory-cluster.ts';
import { openRedisCluster } from '../../../src/core/cluster/redis/redis-cluster.ts';
import { createStoredLeases } from '../../../src/core/cluster/stored-leases.ts';
import { silentLogger } from '../../../src/core/kernel/logger.ts';
import { openStorage } from '../../../src/core/storage/open.ts';
import { createTestClock, type TestClock } from '../../support/app.ts';
import { hasRedis, startRedis } from '../../support/redis-server.ts';
import { createSharedStore } from '../../support/shared-store.ts';

const redis = hasRedis() ? await startRedis() : undefined;
afterAll(() => redis?.stop());

let gateways = 0;
const joinRedis = async (clock: TestClock, url: string, gateway = ++gateways) => {
  const { leases } = createMemoryCluster(clock);
  const cluster = await openRedisCluster({
    url,
    clock,
    leases,
    logger: silentLogger,
    prefix: `test:${gateway}:`,
    self: crypto.randomUUID(),
  });
  onTestFinished(() => cluster.close());
  return cluster;
};

const implementations: Readonly<Record<string, (clock: TestClock) => Promise<Cluster>>> = {
  memory: async (clock) => createMemoryCluster(clock),
  'memory with leases in the database': async (clock) => {
    const storage = await openStorage({ url: 'sqlite::memory:', masterKey: Buffer.alloc(32) });
    return createMemoryCluster(clock, createStoredLeases(storage.locks, clock, silentLogger));
  },
  'several processes': async (clock) => createSharedStore(clock).join(),
  ...(redis === undefined ? {} : { Redis: (clock) => joinRedis(clock, redis.url) }),
};

describe.each(Object.entries(implementations))('shared state: %s', (_, create) => {
  const setUp = async () => {
    const clock = createTestClock();
    return { clock, cluster: await create(clock) };
  };

  test('an announcement waits for every listener', async () => {
    const { cluster } = await setUp();
    const heard: string[] = [];
    cluster.changes.listen(async ({ kind, ids }) => {
      await Promise.resolve();
      heard.push(`${kind} ${ids}`);
    });
    const stop = cluster.changes.listen(({ kind }) => void heard.push(kind));
    await cluster.changes.announce('token', 7);
    stop();
    await cluster.changes.announce('options');
    expect(heard).toEqual(['token', 'token 7', 'options ']);
  });

  test('an announcement names one row, several or none', async () => {
    const { cluster } = await setUp();
    const changes: unknown[] = [];
    cluster.changes.listen((change) => void changes.push(change));
    await cluster.changes.announce('channels', 3);
    await cluster.changes.announce('channels', [3, 4]);
    await cluster.changes.announce('channels');
    expect(changes).toEqual([[3], [3, 4], []].map((ids) => ({ kind: 'channels', ids })));
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

  test('a lease that a clock which was ahead has taken does not last', async () => {
    const { clock, cluster } = await setUp();
    const day = 86_400_000;
    await cluster.leases.acquire('job', 'a', 60_000);
    await cluster.leases.acquire('daily', 'a', day);
    clock.move(-1800_000);
    // Clocks of processes differ, and this one is taken for a day now and then.
    expect(await cluster.leases.acquire('job', 'b', 60_000)).toBe(false);
    expect(await cluster.leases.acquire('daily', 'b', 60_000, day)).toBe(false);
    clock.move(-2 * 3600_000);
    expect(await cluster.leases.acquire('daily', 'b', 60_000, day)).toBe(true);
    expect(await cluster.leases.acquire('job', 'b', 60_000)).toBe(true);
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

  test('what was counted in the window can be taken back, never below nothing', async () => {
    const { clock, cluster } = await setUp();
    const counter = cluster.counter('sign-in');
    await counter.decrement('ann');
    await counter.increment('ann', 60_000);
    await counter.increment('ann', 60_000);
    await counter.decrement('ann');
    clock.move(10_000);
    expect(await counter.increment('ann', 60_000)).toEqual({ count: 2, remainingMs: 50_000 });
    for (let times = 0; times < 3; times += 1) await counter.decrement('ann');
    expect(await counter.increment('ann', 60_000)).toEqual({ count: 1, remainingMs: 50_000 });
    clock.move(60_000);
    await counter.decrement('ann');
    expect(await counter.increment('ann', 60_000)).toMatchObject({ count: 1 });
  });

  test('a sliding log knows when fewer than so many events lie in any window', async () => {
    const { clock, cluster } = await setUp();
    const log = cluster.slidingLog('relay');
    for (const [pause, left] of [
      [0, 2],
      [10_000, 1],
      [10_000, 0],
    ] as const) {
      clock.move(pause);
      expect(await log.take('1', 60_000, 3)).toEqual({ waitMs: 0, left });
    }
    expect(await log.wait('1', 60_000, 3)).toEqual({ waitMs: 40_000, left: 0 });
    expect(await log.take('1', 60_000, 3)).toEqual({ waitMs: 40_000, left: 0 });
    expect(await log.wait('1', 60_000, 2)).toEqual({ waitMs: 50_000, left: 0 });
    expect(await log.wait('1', 60_000, 4)).toEqual({ waitMs: 0, left: 1 });
    expect(await log.wait('2', 60_000, 1)).toEqual({ waitMs: 0, left: 1 });
    await log.add('1', 60_000);
    expect(await log.wait('1', 60_000, 3)).toEqual({ waitMs: 50_000, left: 0 });
    clock.move(50_000);
    expect(await log.wait('1', 60_000, 3)).toEqual({ waitMs: 0, left: 1 });
  });

  test('a topic delivers to the own process before publish returns, once and in order', async () => {
    const { cluster } = await setUp();
    const received: string[] = [];
    const unsubscribe = cluster
      .topic<{ text: string }>('health')
      .subscribe(({ text }) => void received.push(`1 ${text}`));
    cluster
      .topic<{ text: string }>('health')
      .subscribe(({ text }) => void received.push(`2 ${text}`));
    cluster
      .topic<{ text: string }>('other')
      .subscribe(({ text }) => void received.push(`3 ${text}`));
    cluster.topic('health').publish({ text: 'a' });
    expect(received).toEqual(['1 a', '2 a']);
    unsubscribe();
    cluster.topic('health').publish({ text: 'b' });
    expect(received).toEqual(['1 a', '2 a', '2 b']);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(received).toHaveLength(3);
  });

  test('a value is kept for its time; the least recently used makes room', async () => {
    const { clock, cluster } = await setUp();
    const values = cluster.values<{ channel: number }>('affinity', () => 2);
    await values.set('a', { channel: 1 }, 60_000);
    await values.set('b', { channel: 2 }, 30_000);
    expect(await values.get('a')).toEqual({ channel: 1 });
    clock.move(30_000);
    expect(await values.get('b')).toBeUndefined();
    await values.set('a', { channel: 3 }, 60_000);
    await values.set('c', { channel: 4 }, 60_000);
    await values.get('a');
    await values.set('d', { channel: 5 }, 60_000);
    expect([await values.get('a'), await values.get('c'), await values.get('d')]).toEqual([
      { channel: 3 },
      undefined,
      { channel: 5 },
    ]);
  });

  test('the limit of values may change', async () => {
    const { cluster } = await setUp();
    let limit = 3;
    const values = cluster.values<number>('affinity', () => limit);
    for (const key of ['a', 'b', 'c']) await values.set(key, 1, 60_000);
    limit = 1;
    await values.set('d', 2, 60_000);
    const kept = await Promise.all(['a', 'b', 'c', 'd'].map((key) => values.get(key)));
    expect(kept).toEqual([undefined, undefined, undefined, 2]);
  });
});

test('processes that share a store have one state, and get each other’s messages once and in order', async () => {
  const clock = createTestClock();
  const store = createSharedStore(clock);
  const [a, b] = [store.join(), store.join()];
  const received: string[] = [];
  a.topic<string>('health').subscribe((text) => void received.push(`a ${text}`));
  b.topic<string>('health').subscribe((text) => void received.push(`b ${text}`));
  for (const [name, { changes }] of Object.entries({ a, b })) {
    changes.listen(async ({ kind }) => {
      await Promise.resolve();
      received.push(`${name} ${kind}`);
    });
  }
  await a.changes.announce('options');
  expect(received.splice(0)).toEqual(['a options', 'b options']);
  a.topic<string>('health').publish('1');
  a.topic<string>('health').publish('2');
  expect(received).toEqual(['a 1', 'a 2']);
  await store.settled();
  expect(received).toEqual(['a 1', 'a 2', 'b 1', 'b 2']);
  await a.values<number>('affinity', () => 10).set('k', 7, 60_000);
  expect(await b.values<number>('affinity', () => 10).get('k')).toBe(7);
  await a.counter('n').increment('k', 60_000);
  expect(await b.counter('n').increment('k', 60_000)).toMatchObject({ count: 2 });
  expect([
    await a.leases.acquire('l', 'a', 60_000),
    await b.leases.acquire('l', 'b', 60_000),
  ]).toEqual([true, false]);
});
