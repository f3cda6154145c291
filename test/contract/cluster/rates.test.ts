/** Rates in memory and in Redis, shared by processes (docs/rules/budgets.md#rates). */
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { RateAsk, RateMeter } from '../../../src/core/cluster/cluster.ts';
import { createMemoryCluster } from '../../../src/core/cluster/memory-cluster.ts';
import { connectRedis } from '../../../src/core/cluster/redis/connection.ts';
import { openRedisCluster } from '../../../src/core/cluster/redis/redis-cluster.ts';
import {
  createRedisRates,
  type RedisRatesDeps,
} from '../../../src/core/cluster/redis/redis-rates.ts';
import type { Clock } from '../../../src/core/kernel/clock.ts';
import { silentLogger } from '../../../src/core/kernel/logger.ts';
import { fc, runs } from '../../support/property.ts';
import { hasRedis, type RedisServer, startRedis } from '../../support/redis-server.ts';

const ask = (fields: Partial<RateAsk> = {}): RateAsk => ({
  key: 'k',
  requests: 0,
  tokens: 0,
  parallel: 0,
  refuses: true,
  ...fields,
});

/** Moves only by hand; what sleeps is woken by hand. In the middle of a second of real time. */
function handClock() {
  let now = Math.floor(Date.now() / 1000) * 1000 + 500;
  let wake: (() => void)[] = [];
  const clock: Clock = {
    now: () => now,
    sleep: (_, signal) =>
      new Promise((resolve, reject) => {
        wake.push(resolve);
        signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      }),
  };
  return {
    clock,
    move: (seconds: number) => {
      now += seconds * 1000;
    },
    wakeAll: () => {
      const woken = wake;
      wake = [];
      for (const resolve of woken) resolve();
    },
  };
}

type HandClock = ReturnType<typeof handClock>;
let redis: RedisServer | undefined;
let sites = 0;
beforeAll(async () => {
  if (hasRedis()) redis = await startRedis();
});
afterAll(() => redis?.stop());

async function join(clock: Clock, prefix: string) {
  const { leases } = createMemoryCluster(clock);
  const url = redis?.url ?? '';
  const self = crypto.randomUUID();
  const cluster = await openRedisCluster({
    url,
    prefix,
    self,
    leases,
    clock,
    logger: silentLogger,
  });
  onTestFinished(() => cluster.close());
  return cluster;
}

const kinds: readonly (readonly [string, (hand: HandClock) => Promise<RateMeter>])[] = [
  ['memory', async ({ clock }) => createMemoryCluster(clock).rates('r')],
  ...(hasRedis()
    ? [
        [
          'Redis',
          async ({ clock }: HandClock) => (await join(clock, `one ${++sites}:`)).rates('r'),
        ] as const,
      ]
    : []),
];

describe.each(kinds)('in %s', (_, create) => {
  test('so many requests fit into any minute, and the wait is as long as it says', async () => {
    const limit = 5;
    const asks = [ask({ requests: limit })];
    const step = fc.record({ pause: fc.nat({ max: 12 }), waits: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 80 }), async (steps) => {
        const hand = handClock();
        const meter = await create(hand);
        const admitted: number[] = [];
        let slots = 0;
        const enter = async () => {
          slots += 1;
          const { refused } = await meter.enter(`s${slots}`, 0, asks);
          await meter.leave(`s${slots}`, 0);
          if (refused === undefined) admitted.push(hand.clock.now());
          return refused;
        };
        for (const { pause, waits } of steps) {
          hand.move(pause);
          const refused = await enter();
          if (refused === undefined || !waits) continue;
          hand.move(Math.ceil(refused.waitMs / 1000));
          expect(await enter()).toBeUndefined();
        }
        const inMinute = (from: number) =>
          admitted.filter((at) => at >= from && at < from + 60_000).length;
        for (const from of admitted) expect(inMinute(from)).toBeLessThanOrEqual(limit);
        expect(admitted.length).toBeGreaterThanOrEqual(limit);
      }),
      runs(10),
    );
  });

  test('tokens are estimated before and right afterwards', async () => {
    const hand = handClock();
    const meter = await create(hand);
    const asks = [ask({ tokens: 1000 })];
    const tokens = async () => (await meter.read(['k']))[0]?.tokens;
    await meter.enter('a', 600, asks);
    expect((await meter.enter('b', 600, asks)).refused).toMatchObject({ index: 0, by: 'tokens' });
    await meter.leave('a', 100);
    expect(await tokens()).toBe(100);
    expect((await meter.enter('b', 600, asks)).refused).toBeUndefined();
    // A long answer counts when it was finished, not when it began.
    hand.move(70);
    await meter.leave('b', 900);
    expect(await tokens()).toBe(300);
    hand.move(61);
    expect(await tokens()).toBe(0);
    // More than a minute allows: alone, and then nothing until it is over.
    expect((await meter.enter('c', 5000, asks)).refused).toBeUndefined();
    const { refused } = await meter.enter('d', 1, asks);
    expect(refused?.by).toBe('tokens');
    hand.move(61);
    expect((await meter.enter('d', 1, asks)).refused).toBeUndefined();
  });

  test('so many are under way at once, and each ends once', async () => {
    const hand = handClock();
    const meter = await create(hand);
    const asks = [ask({ parallel: 2 })];
    await meter.enter('a', 0, asks);
    await meter.enter('b', 0, asks);
    expect((await meter.enter('c', 0, asks)).refused).toMatchObject({ by: 'parallel' });
    await meter.leave('a', 0);
    await meter.leave('a', 0);
    await meter.leave('unknown', 0);
    expect((await meter.enter('c', 0, asks)).refused).toBeUndefined();
    expect((await meter.enter('d', 0, asks)).refused?.by).toBe('parallel');
  });

  test('of several rates the one without room counts nothing in the others', async () => {
    const meter = await create(handClock());
    const open = ask({ key: 'open', requests: 9, parallel: 9, tokens: 900 });
    const full = ask({ key: 'full', requests: 1 });
    const shadow = ask({ key: 'shadow', requests: 1, refuses: false });
    await meter.enter('a', 5, [open, full, shadow]);
    expect((await meter.enter('b', 5, [open, full, shadow])).refused).toMatchObject({ index: 1 });
    expect(await meter.read(['open', 'full', 'shadow'])).toEqual(
      Array.from({ length: 3 }, () => ({ requests: 1, tokens: 5, parallel: 1 })),
    );
    const { refused, used } = await meter.enter('c', 5, [open, shadow]);
    expect(refused).toBeUndefined();
    expect(used).toEqual([
      { requests: 2, tokens: 10, parallel: 2 },
      { requests: 2, tokens: 10, parallel: 2 },
    ]);
  });
});

describe.skipIf(!hasRedis())('processes that share Redis', () => {
  async function twoProcesses(hand: HandClock) {
    const prefix = `two ${++sites}:`;
    return [await join(hand.clock, prefix), await join(hand.clock, prefix)] as const;
  }

  test('admit together as much as one would', async () => {
    const [a, b] = await twoProcesses(handClock());
    const enter = (index: number) =>
      (index % 2 === 0 ? a : b)
        .rates('r')
        .enter(`s${index}`, 10, [ask({ requests: 10, tokens: 1000, parallel: 20 })]);
    const replies = await Promise.all(Array.from({ length: 60 }, (_, index) => enter(index)));
    expect(replies.filter(({ refused }) => refused === undefined)).toHaveLength(10);
    expect(await b.rates('r').read(['k'])).toEqual([{ requests: 10, tokens: 100, parallel: 10 }]);
  });

  test('what a process that died had under way ends; what another has stays', async () => {
    const hand = handClock();
    const [dying, living] = await twoProcesses(hand);
    const asks = [ask({ parallel: 2 })];
    await dying.rates('r').enter('dead', 0, asks);
    await living.rates('r').enter('alive', 0, asks);
    expect((await living.rates('r').enter('x', 0, asks)).refused?.by).toBe('parallel');
    dying.close();
    hand.move(20);
    hand.wakeAll();
    const renewed = async () => (await living.rates('r').read(['k']))[0]?.parallel;
    expect(await renewed()).toBe(2);
    hand.move(11);
    expect(await renewed()).toBe(1);
    expect((await living.rates('r').enter('y', 0, asks)).refused).toBeUndefined();
    expect((await living.rates('r').enter('z', 0, asks)).refused?.by).toBe('parallel');
  });

  /** A meter whose connection is cut and mended by hand: Redis keeps what it counted. */
  async function cuttable({ clock }: HandClock, prefix: string) {
    const real = await connectRedis({ url: redis?.url ?? '', prefix, clock, logger: silentLogger });
    let isCut = false;
    let returned: () => void = () => undefined;
    const connection: RedisRatesDeps['connection'] = {
      get takesCommands() {
        return !isCut;
      },
      now: real.now,
      run: (...call) => (isCut ? Promise.reject(new Error('cut')) : real.run(...call)),
      onReturn: (listener) => {
        returned = listener;
      },
    };
    const meter = createRedisRates('rates:r:', { connection, clock, logger: silentLogger });
    onTestFinished(() => {
      meter.close();
      real.close();
    });
    const cut = (value: boolean) => {
      isCut = value;
      if (!value) returned();
    };
    return { meter, cut };
  }

  test('what begins and ends while the connection is cut is told as soon as it is back', async () => {
    const hand = handClock();
    const prefix = `cut ${++sites}:`;
    const { meter, cut } = await cuttable(hand, prefix);
    const other = (await join(hand.clock, prefix)).rates('r');
    const asks = [ask({ parallel: 3, tokens: 1000 })];
    await meter.enter('ends', 400, asks);
    await meter.enter('stays', 400, asks);
    cut(true);
    await meter.leave('ends', 100);
    await meter.enter('begins', 0, asks);
    await meter.enter('short', 0, asks);
    await meter.leave('short', 30);
    expect(await other.read(['k'])).toEqual([{ requests: 2, tokens: 800, parallel: 2 }]);
    cut(false);
    const told = [{ requests: 2, tokens: 530, parallel: 2 }];
    await vi.waitFor(async () => expect(await other.read(['k'])).toEqual(told));
    // Once.
    cut(false);
    await meter.leave('begins', 0);
    await vi.waitFor(async () =>
      expect(await other.read(['k'])).toEqual([{ ...told[0], parallel: 1 }]),
    );
    expect((await other.enter('next', 0, asks)).refused).toBeUndefined();
  });

  test('without Redis each goes on with what it knows; it is told again by itself', async () => {
    const hand = handClock();
    const [a, b] = await twoProcesses(hand);
    const asks = [ask({ parallel: 2, requests: 3 })];
    await a.rates('r').enter('long', 0, asks);
    await redis?.stop();
    const whileAway = await a.rates('r').enter('second', 0, asks);
    expect(whileAway.refused).toBeUndefined();
    expect(whileAway.used).toEqual([{ requests: 2, tokens: 0, parallel: 2 }]);
    expect((await a.rates('r').enter('third', 0, asks)).refused?.by).toBe('parallel');
    // The other knows nothing of it: limits are wider meanwhile.
    expect((await b.rates('r').enter('other', 0, asks)).refused).toBeUndefined();
    await b.rates('r').leave('other', 0);
    await redis?.start();
    await vi.waitFor(
      async () => {
        hand.wakeAll();
        expect((await b.rates('r').read(['k']))[0]?.parallel).toBe(2);
      },
      { interval: 100 },
    );
    expect((await b.rates('r').enter('late', 0, asks)).refused?.by).toBe('parallel');
    await a.rates('r').leave('second', 0);
    await a.rates('r').leave('long', 0);
    expect((await b.rates('r').read(['k']))[0]?.parallel).toBe(0);
    expect((await b.rates('r').enter('late', 0, asks)).refused).toBeUndefined();
  });
});
