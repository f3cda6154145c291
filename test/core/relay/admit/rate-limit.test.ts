import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { createMemoryCluster } from '../../../../src/core/cluster/memory-cluster.ts';
import { createInFlight } from '../../../../src/core/relay/admit/in-flight.ts';
import { createRateLimiter } from '../../../../src/core/relay/admit/rate-limit.ts';
import { codeOf, createTestClock } from '../../../support/app.ts';
import { type CallBench, startCallBench, startQuota } from '../../../support/calls.ts';
import { chatReply } from '../../../support/upstream.ts';

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

describe('what is left of a limit', () => {
  let bench: CallBench;
  beforeAll(async () => {
    bench = await startCallBench('gpt-4o');
    await bench.gateway.addChannel({
      type: 1,
      baseUrl: bench.upstream.url,
      models: 'gpt-4o-mini',
      setting: '{"forward_rate_limits":true,"use_responses":false}',
    });
    await bench.gateway.set('ModelRequestRateLimitCount', 2);
    await bench.gateway.set('ModelRequestRateLimitSuccessCount', 9);
    await bench.gateway.set('ModelRequestRateLimitEnabled', true);
  });
  afterAll(() => bench.close());

  const question = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hi' }] };
  const calls = [
    ['/v1/chat/completions', question, 'x-ratelimit'],
    ['/v1/responses', { model: 'gpt-4o-mini', input: 'hi' }, 'x-ratelimit'],
    ['/v1/messages', { ...question, max_tokens: 9 }, 'anthropic-ratelimit'],
    ['/v2/chat', question, 'x-ratelimit'],
    [
      '/v1beta/models/gpt-4o-mini:generateContent',
      { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
      'x-ratelimit',
    ],
  ] as const;

  it.each(calls)('%s says so in the headers of its format', async (path, body, start) => {
    const { key } = await bench.gateway.addCustomer(startQuota);
    bench.upstream.answer(chatReply());
    const seen = [];
    for (let turn = 0; turn < 3; turn += 1) {
      const { status, headers } = await bench.post(path, key, JSON.stringify(body));
      const [limit, left, reset] =
        start === 'x-ratelimit'
          ? ['limit-requests', 'remaining-requests', 'reset-requests']
          : ['requests-limit', 'requests-remaining', 'requests-reset'];
      const of = (name: string | undefined) => headers.get(`${start}-${name}`);
      seen.push([status, of(limit), of(left)]);
      if (start === 'x-ratelimit') expect(of(reset)).toMatch(/^\d+(\.\d+)?s$/);
      else expect(Date.parse(of(reset) ?? '')).toBeGreaterThan(Date.now() - 1000);
      expect(headers.get('retry-after') !== null).toBe(status === 429);
    }
    expect(seen).toEqual([
      [200, '2', '1'],
      [200, '2', '0'],
      [429, '2', '0'],
    ]);
  });

  it.each([false, true])(
    'a channel with one customer shows its vendor’s instead, streamed: %s',
    async (stream) => {
      const { key } = await bench.gateway.addCustomer(startQuota);
      bench.upstream.answer((response, request) => {
        response.setHeader('x-ratelimit-remaining-tokens', '4711');
        response.setHeader('x-ratelimit-remaining-requests', '47');
        return chatReply()(response, request);
      });
      const body = JSON.stringify({ ...question, stream });
      for (const path of ['/v1/chat/completions', '/v2/chat']) {
        const reply = await bench.post(path, key, body);
        expect(reply.status).toBe(200);
        expect(reply.headers.get('x-ratelimit-remaining-tokens')).toBe('4711');
        expect(reply.headers.get('x-ratelimit-remaining-requests')).toBe('47');
        await reply.text();
      }
    },
  );

  it.each([
    ['/v1/messages', 'anthropic-ratelimit-requests-remaining', 'anthropic-ratelimit-tokens-reset'],
    ['/v2/chat', 'x-ratelimit-remaining-requests', 'x-ratelimit-reset-tokens'],
  ])('and %s reads them in the headers of its format', async (path, left, reset) => {
    const ofOpenAi = { limit: '5000', remaining: '4711', reset: '1m0.5s' };
    const inAMinute = new Date(Date.now() + 60_500).toISOString();
    const ofClaude = { ...ofOpenAi, reset: inAMinute };
    for (const [vendor, headers] of Object.entries({ ofOpenAi, ofClaude })) {
      const { key } = await bench.gateway.addCustomer(startQuota);
      bench.upstream.answer((response, request) => {
        for (const unit of ['requests', 'tokens'])
          for (const [what, value] of Object.entries(headers))
            response.setHeader(
              vendor === 'ofClaude'
                ? `anthropic-ratelimit-${unit}-${what}`
                : `x-ratelimit-${what}-${unit}`,
              value,
            );
        return chatReply()(response, request);
      });
      const reply = await bench.post(path, key, JSON.stringify({ ...question, max_tokens: 9 }));
      expect(reply.status).toBe(200);
      expect(reply.headers.get(left), vendor).toBe('4711');
      const text = reply.headers.get(reset) ?? '';
      // `1m0.5s`, `60.5s` or the time.
      const seconds = text.includes('T') ? (Date.parse(text) - Date.now()) / 1000 : 60;
      expect(Math.abs(seconds - 60), text).toBeLessThan(10);
      if (!text.includes('T')) expect(text).toMatch(/^(1m0\.5s|\d+(\.\d+)?s)$/);
      await reply.text();
    }
  });

  it.each([
    ['many', 'many', 'soon'],
    ['9', '9', '9'.repeat(40)],
    ['9', '9', '1.2.3s'],
    ['9'.repeat(400), '9', '1s'],
  ])('headers that say nothing readable are passed on as they are (%s)', async (...told) => {
    const { key } = await bench.gateway.addCustomer(startQuota);
    bench.upstream.answer((response, request) => {
      for (const [index, what] of ['limit', 'remaining', 'reset'].entries())
        response.setHeader(`x-ratelimit-${what}-requests`, told[index] ?? '');
      return chatReply()(response, request);
    });
    const body = JSON.stringify({ ...question, max_tokens: 9 });
    const { headers } = await bench.post('/v1/messages', key, body);
    expect(headers.get('x-ratelimit-limit-requests')).toBe(told[0]);
    // Ours.
    expect(headers.get('anthropic-ratelimit-requests-limit')).toBe('2');
  });

  it('a channel without the setting does not', async () => {
    const { key } = await bench.gateway.addCustomer(startQuota);
    bench.upstream.answer((response, request) => {
      response.setHeader('x-ratelimit-remaining-tokens', '4711');
      return chatReply()(response, request);
    });
    const body = JSON.stringify({ ...question, model: 'gpt-4o' });
    const reply = await bench.post('/v1/chat/completions', key, body);
    expect(reply.headers.get('x-ratelimit-remaining-tokens')).toBeNull();
  });
});
