import { expect, test } from 'vitest';
import { createMemoryCluster } from '../../../../src/core/cluster/memory-cluster.ts';
import { createInFlight } from '../../../../src/core/relay/admit/in-flight.ts';
import { createRateLimiter } from '../../../../src/core/relay/admit/rate-limit.ts';
import { codeOf, createTestClock } from '../../../support/app.ts';
import { startCallBench, startQuota } from '../../../support/calls.ts';

const minute = { windowMs: 60_000, total: 2, success: 10 };

test('a clock that is set back causes no lockout', async () => {
  const clock = createTestClock();
  const limiter = createRateLimiter(createMemoryCluster(clock));
  await limiter.enter(1, minute);
  await limiter.enter(1, minute);
  expect(await codeOf(limiter.enter(1, minute))).toBe('rate_limited');
  clock.move(-3_600_000);
  await limiter.enter(1, minute);
  await limiter.enter(1, minute);
  expect(await codeOf(limiter.enter(1, minute))).toBe('rate_limited');
});

test('so much is done for one user at the same time, whether it succeeds or not', async () => {
  const inFlight = createInFlight(2);
  const work = Promise.withResolvers<void>();
  const first = [inFlight.run(1, () => work.promise), inFlight.run(1, () => work.promise)];
  await expect(inFlight.run(1, () => Promise.resolve())).rejects.toMatchObject({
    code: 'rate_limited',
  });
  await inFlight.run(2, () => Promise.resolve());
  work.reject(new Error('failed'));
  await Promise.allSettled(first);
  await inFlight.run(1, () => Promise.resolve());
});

test('counting tokens is one of the requests that are counted', async () => {
  const bench = await startCallBench('gpt-4o-mini');
  try {
    await bench.gateway.set('ModelRequestRateLimitCount', 2);
    await bench.gateway.set('ModelRequestRateLimitEnabled', true);
    const { key } = await bench.gateway.addCustomer(startQuota);
    const body = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hi' }] };
    const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];
    const statuses = [
      (await bench.post('/v1/messages/count_tokens', key, JSON.stringify(body))).status,
      (
        await bench.post(
          '/v1beta/models/gpt-4o-mini:countTokens',
          key,
          JSON.stringify({ contents }),
        )
      ).status,
      (await bench.post('/v1/messages/count_tokens', key, JSON.stringify(body))).status,
    ];
    expect(statuses).toEqual([200, 200, 429]);
  } finally {
    await bench.close();
  }
});
