// Covers src/core/cluster/redis.
/**
 * Several processes with a real Redis between them, and what they do without it
 * (docs/rules/process.md#shared-state).
 */
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Cluster } from '../../../src/core/cluster/cluster.ts';
import { createMemoryCluster } from '../../../src/core/cluster/memory-cluster.ts';
import { openRedisCluster } from '../../../src/core/cluster/redis/redis-cluster.ts';
import { systemClock } from '../../../src/core/kernel/clock.ts';
import { silentLogger } from '../../../src/core/kernel/logger.ts';
import { hasRedis, type RedisServer, startRedis } from '../../support/redis-server.ts';

describe.skipIf(!hasRedis())('processes that share Redis', () => {
  let redis: RedisServer;
  let gateways = 0;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis?.stop());

  /** The ports of two processes of one gateway. */
  async function twoProcesses(clock = systemClock): Promise<[Cluster, Cluster]> {
    const prefix = `gateway ${++gateways}:`;
    const join = async () => {
      const { leases } = createMemoryCluster(clock);
      const self = crypto.randomUUID();
      const cluster = await openRedisCluster({
        url: redis.url,
        prefix,
        self,
        leases,
        clock,
        logger: silentLogger,
      });
      onTestFinished(() => cluster.close());
      return cluster;
    };
    return [await join(), await join()];
  }

  test('an announcement resolves once the other process has applied it', async () => {
    const [a, b] = await twoProcesses();
    const applied: string[] = [];
    b.changes.listen(async ({ kind, ids }) => {
      await systemClock.sleep(100);
      applied.push(`${kind} ${ids}`);
    });
    await a.changes.announce('token', 7);
    expect(applied).toEqual(['token 7']);
    await a.changes.announce('token', [7, 8]);
    expect(applied.at(-1)).toBe('token 7,8');
    await b.changes.announce('options');
    expect(applied.at(-1)).toBe('options ');
  });

  test('a process that fails to apply a change does not hold up the others', async () => {
    const [a, b] = await twoProcesses();
    b.changes.listen(() => {
      throw new Error('cannot');
    });
    // No time limit runs out.
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    await a.changes.announce('options');
  });

  test('what another program writes to the channels is passed over', async () => {
    const [a, b] = await twoProcesses();
    const other = new Redis(redis.url);
    onTestFinished(() => other.disconnect());
    for (const text of [
      '',
      'null',
      '[]',
      '{"from":1}',
      '{"from":"x"}',
      '\u0000{',
      '{"reply":"x"}',
      '{"from":"x","topic":7}',
    ])
      await other.publish(`gateway ${gateways}:bus`, text);
    const applied: string[] = [];
    b.changes.listen(({ kind }) => void applied.push(kind));
    await a.changes.announce('options');
    expect(applied).toEqual(['options']);
  });

  test('a message that its listener cannot read, as of another release, ends no process', async () => {
    const [a, b] = await twoProcesses();
    const heard: string[] = [];
    const topic = (cluster: Cluster) => cluster.topic<{ name: string }>('names');
    topic(b).subscribe(({ name }) => heard.push(name));
    const other = new Redis(redis.url);
    onTestFinished(() => other.disconnect());
    await other.publish(`gateway ${gateways}:bus`, '{"from":"x","topic":"names"}');
    topic(a).publish({ name: 'next' });
    await vi.waitFor(() => expect(heard).toEqual(['next']));
    // What the listener threw would be an exception that nobody catches, which vitest reports.
    await a.changes.announce('options');
  });

  test('a process that hangs is not waited for longer than two seconds', async () => {
    const [a, b] = await twoProcesses();
    b.changes.listen(() => new Promise<void>(() => undefined));
    const started = Date.now();
    await a.changes.announce('options');
    expect(Date.now() - started).toBeGreaterThan(1900);
  });

  test('messages come once and in order, and only to processes of the same gateway', async () => {
    const [a, b] = await twoProcesses();
    const [stranger] = await twoProcesses();
    const received: string[] = [];
    b.topic<number>('health').subscribe((value) => received.push(`b ${value}`));
    a.topic<number>('health').subscribe((value) => received.push(`a ${value}`));
    stranger.topic<number>('health').subscribe((value) => received.push(`stranger ${value}`));
    for (let value = 1; value <= 200; value++) a.topic<number>('health').publish(value);
    await vi.waitFor(() =>
      expect(received.filter((text) => text.startsWith('b'))).toHaveLength(200),
    );
    expect(received.filter((text) => text.startsWith('b'))).toEqual(
      Array.from({ length: 200 }, (_, index) => `b ${index + 1}`),
    );
    expect(received).toHaveLength(400);
  });

  test('counters, logs and values are the same for both, also under concurrent calls', async () => {
    const [a, b] = await twoProcesses();
    const counts = await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        (index % 2 === 0 ? a : b).counter('sign-in').increment('ann', 60_000),
      ),
    );
    expect(counts.map(({ count }) => count).sort((x, y) => x - y)).toEqual(
      Array.from({ length: 100 }, (_, index) => index + 1),
    );
    const taken = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 === 0 ? a : b).slidingLog('relay').take('1', 60_000, 10),
      ),
    );
    const waits = taken.map(({ waitMs }) => waitMs);
    expect(waits.filter((wait) => wait === 0)).toHaveLength(10);
    expect(Math.min(...waits.filter((wait) => wait > 0))).toBeGreaterThan(50_000);
    expect(Math.max(...taken.map(({ left }) => left))).toBe(9);
    await a.values<{ channel: number }>('affinity', () => 10).set('ключ|1', { channel: 3 }, 60_000);
    expect(await b.values('affinity', () => 10).get('ключ|1')).toEqual({ channel: 3 });
  });

  test('without Redis each process goes on alone; afterwards they reach each other again', async () => {
    const [a, b] = await twoProcesses();
    const applied: string[] = [];
    b.changes.listen(({ kind, ids }) => void applied.push(`${kind} ${ids}`));
    await a.counter('n').increment('k', 60_000);
    await redis.stop();
    onTestFinished(() => redis.start());
    await vi.waitFor(async () =>
      expect(await a.counter('n').increment('k', 60_000)).toMatchObject({ count: 1 }),
    );
    expect(await a.counter('n').increment('k', 60_000)).toMatchObject({ count: 2 });
    expect(await a.slidingLog('l').take('k', 60_000, 1)).toEqual({ waitMs: 0, left: 0 });
    expect((await a.slidingLog('l').take('k', 60_000, 1)).waitMs).toBeGreaterThan(0);
    await a.values<number>('v', () => 10).set('k', 1, 60_000);
    expect(await a.values<number>('v', () => 10).get('k')).toBe(1);
    a.topic<number>('health').publish(1);
    await a.changes.announce('token', 9);
    expect(applied).not.toContain('token 9');
    await redis.start();
    const isBack = async () => {
      await a.changes.announce('token', 10);
      expect(applied).toContain('token 10');
    };
    await vi.waitFor(isBack, { interval: 200 });
    expect(await a.counter('n').increment('k', 60_000)).toMatchObject({ count: 1 });
    expect(await b.counter('n').increment('k', 60_000)).toMatchObject({ count: 2 });
  });

  test('values outlast Redis: each process goes on with what it wrote and read, and gives it back', async () => {
    let ahead = 0;
    const [a, b] = await twoProcesses({ ...systemClock, now: () => systemClock.now() + ahead });
    const of = (cluster: Cluster) => cluster.values<string>('affinity', () => 10);
    await of(a).set('read by both', 'first', 60_000);
    expect(await of(b).get('read by both')).toBe('first');
    await of(a).set('written by one', 'x', 60_000);
    await of(a).set('over', 'soon', 50);
    await redis.stop();
    onTestFinished(() => redis.start());
    await vi.waitFor(async () => expect(await of(b).get('read by both')).toBe('first'));
    expect(await of(b).get('written by one')).toBeUndefined();
    // Each process knows the store's time to half a round trip, so a little later proves nothing.
    ahead = -10_000;
    await of(a).set('read by both', 'older', 60_000);
    ahead = 0;
    await of(b).set('read by both', 'newest', 60_000);
    expect(await of(a).get('read by both')).toBe('older');
    await redis.start();
    await vi.waitFor(
      async () => {
        expect(await of(b).get('written by one')).toBe('x');
        expect(await of(a).get('read by both')).toBe('newest');
        expect(await of(b).get('read by both')).toBe('newest');
      },
      { interval: 50 },
    );
    // What a third one reads is in Redis, and no copy.
    await of(a).set('read by both', 'last', 60_000);
    expect(await of(b).get('read by both')).toBe('last');
    expect(await of(b).get('over')).toBeUndefined();
  });

  test('a server that hangs delays a call by a second at most, and is left alone until it answers', async () => {
    const [a] = await twoProcesses();
    redis.freeze();
    onTestFinished(() => redis.thaw());
    const started = Date.now();
    expect(await a.counter('n').increment('k', 60_000)).toEqual({ count: 1, remainingMs: 60_000 });
    await a.changes.announce('token', 4);
    expect(Date.now() - started).toBeLessThan(60_000);
  });
});

test('the start fails with a clear error where Redis cannot be reached', async () => {
  const clock = systemClock;
  const { leases } = createMemoryCluster(clock);
  const opening = openRedisCluster({
    url: 'redis://127.0.0.1:1',
    prefix: 'x:',
    self: 'x',
    leases,
    clock,
    logger: silentLogger,
  });
  await expect(opening).rejects.toMatchObject({
    code: 'redis_unavailable',
    params: { reason: 'connect ECONNREFUSED 127.0.0.1:1' },
  });
});
