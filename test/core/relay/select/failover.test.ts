/** Circuit breakers, cool-downs and slow first bytes, seen from outside. */
import { describe, expect, test } from 'vitest';
import { breakerRules } from '../../../../src/core/relay/select/breakers.ts';
import { coolDownRules } from '../../../../src/core/relay/select/cool-downs.ts';
import { chatStream, errorReply } from '../../../support/upstream.ts';
import { fine, startRelay, type TestRelay, upstream } from './relay-support.ts';

const broken = errorReply(500, { message: 'boom', type: 'server_error' });
const busy = (seconds?: number) =>
  errorReply(
    429,
    { message: 'slow down', type: 'rate_limit_error' },
    seconds === undefined ? {} : { 'retry-after': String(seconds) },
  );

/** Two channels, the first preferred; one retry. */
async function twoChannels(environment: Record<string, string> = {}) {
  const [first, second] = [await upstream(), await upstream()];
  const relay = await startRelay({ RetryTimes: 1 }, environment);
  const ids = [
    await relay.addChannel(first, { priority: 10 }),
    await relay.addChannel(second),
  ] as const;
  return { relay, first, second, ids };
}

const isTripped = async (relay: TestRelay, id: number) =>
  (await relay.operator.overview.get({})).channels.find((channel) => channel.id === id)?.tripped;
const explained = async (relay: TestRelay, id: number) =>
  (await relay.operator.routes.explain({ model: 'gpt-4o' })).tiers
    .flatMap(({ channels }) => channels)
    .find((channel) => channel.id === id);

async function chats(relay: TestRelay, count: number) {
  for (let index = 0; index < count; index++) expect((await relay.chat()).status).toBe(200);
}

describe('a channel that keeps failing', () => {
  test('is passed over, probed by one request, and taken back', async () => {
    const { relay, first, second, ids } = await twoChannels();
    first.answer(broken);
    await chats(relay, breakerRules.inRow);
    expect(first.requests).toHaveLength(breakerRules.inRow);
    expect(await isTripped(relay, ids[0])).toBe(true);
    const { tripped, circuit } = await relay.operator.channel.get({ id: ids[0] });
    expect([tripped, circuit?.cause]).toEqual([true, '500 boom']);
    expect(circuit?.retry_in).toBeGreaterThan(0);
    expect((await relay.operator.channel.get({ id: ids[1] })).circuit).toBeUndefined();
    expect(await explained(relay, ids[0])).toMatchObject({
      state: 'open',
      retry_in: breakerRules.firstPause / 1000,
      share: 0,
      skipped: 'breaker',
    });

    await chats(relay, 3);
    expect(first.requests).toHaveLength(breakerRules.inRow);
    expect(await relay.route()).toMatchObject([
      { channel: ids[1], reason: 'priority', skipped: [{ channel: ids[0], reason: 'breaker' }] },
    ]);

    // The pause is over: one probe, which fails and doubles the pause.
    relay.clock.move(breakerRules.firstPause);
    expect(await explained(relay, ids[0])).toMatchObject({
      state: 'half_open',
      skipped: '',
      share: 1,
    });
    await chats(relay, 2);
    expect(first.requests).toHaveLength(breakerRules.inRow + 1);
    relay.clock.move(breakerRules.firstPause);
    await chats(relay, 1);
    expect(first.requests).toHaveLength(breakerRules.inRow + 1);

    first.answer(fine);
    relay.clock.move(breakerRules.firstPause);
    await chats(relay, 1);
    expect(await relay.route()).toMatchObject([{ channel: ids[0], reason: 'probe', status: 200 }]);
    expect(await isTripped(relay, ids[0])).toBe(false);
    const before = second.requests.length;
    await chats(relay, 2);
    expect(second.requests).toHaveLength(before);
  });

  test('is probed by one request at a time, and a failed probe costs no retry', async () => {
    const { relay, first, second, ids } = await twoChannels();
    first.answer(broken);
    await chats(relay, breakerRules.inRow);
    await relay.operator.option.set({ key: 'RetryTimes', value: 0 });
    relay.clock.move(breakerRules.firstPause);
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    first.answer(async (response, request) => {
      await held;
      await broken(response, request);
    });
    const probing = relay.chat();
    await expect.poll(() => first.requests.length).toBe(breakerRules.inRow + 1);
    await chats(relay, 3);
    expect(first.requests).toHaveLength(breakerRules.inRow + 1);
    release();
    // The probe request is served by the other channel even though retries are off.
    expect((await probing).status).toBe(200);
    expect(await relay.route()).toMatchObject([
      { channel: ids[0], reason: 'probe', status: 500 },
      { channel: ids[1], status: 200 },
    ]);
    expect(second.requests).toHaveLength(breakerRules.inRow + 4);
  });

  test('is not kept waiting by a probe that lasts, as a stream does', async () => {
    const { relay, first, ids } = await twoChannels();
    first.answer(broken);
    await chats(relay, breakerRules.inRow);
    relay.clock.move(breakerRules.firstPause);
    first.answer(chatStream(['One ', 'two '], undefined, { end: 'hang' }), fine);
    const leaving = new AbortController();
    const probing = relay.chat({ stream: true }, {}, leaving.signal).catch(() => undefined);
    await expect.poll(() => first.requests.length).toBe(breakerRules.inRow + 1);
    relay.clock.move(breakerRules.longestProbe - 1);
    await chats(relay, 1);
    expect(first.requests).toHaveLength(breakerRules.inRow + 1);
    relay.clock.move(1);
    await chats(relay, 1);
    expect(await relay.route()).toMatchObject([{ channel: ids[0], reason: 'probe', status: 200 }]);
    expect(await isTripped(relay, ids[0])).toBe(false);
    leaving.abort();
    await probing;
  });

  test('is not passed over for what callers did wrong', async () => {
    const { relay, first, ids } = await twoChannels();
    first.answer(errorReply(400, { message: 'no', type: 'invalid_request_error' }));
    for (let index = 0; index < 2 * breakerRules.inRow; index++)
      expect((await relay.chat()).status).toBe(400);
    expect(await isTripped(relay, ids[0])).toBe(false);
  });

  test('is tried all the same when no other is better', async () => {
    const { relay, first, second, ids } = await twoChannels();
    for (const one of [first, second]) one.answer(broken);
    for (let index = 0; index < breakerRules.inRow; index++)
      expect((await relay.chat()).status).toBe(500);
    expect([await isTripped(relay, ids[0]), await isTripped(relay, ids[1])]).toEqual([true, true]);
    first.answer(fine);
    await chats(relay, 1);
    expect(await relay.route()).toMatchObject([{ channel: ids[0], reason: 'last_resort' }]);
    expect(await isTripped(relay, ids[0])).toBe(false);
  });

  test('counts when it cuts its streams', async () => {
    const { relay, first, ids } = await twoChannels();
    first.answer(chatStream(['one '], null, { end: 'cut' }));
    for (let index = 0; index < breakerRules.inRow; index++) await relay.chat({ stream: true });
    expect(await isTripped(relay, ids[0])).toBe(true);
  });

  test('starts afresh when its address is changed, or when a test finds it well', async () => {
    const { relay, first, ids } = await twoChannels();
    first.answer(broken);
    await chats(relay, breakerRules.inRow);
    first.answer(fine);
    expect((await relay.operator.channel.test({ id: ids[0] })).success).toBe(true);
    expect(await isTripped(relay, ids[0])).toBe(false);
    first.answer(broken);
    await chats(relay, breakerRules.inRow);
    await relay.operator.channel.update({ id: ids[0], weight: 5 });
    expect(await isTripped(relay, ids[0])).toBe(true);
    await relay.operator.channel.update({ id: ids[0], base_url: `${first.url}/other` });
    expect(await isTripped(relay, ids[0])).toBe(false);
  });
});

describe('an upstream with too many requests', () => {
  test('has the requested cool-down for the model while another channel serves', async () => {
    const { relay, first, ids } = await twoChannels();
    first.answer(busy(20));
    await chats(relay, 3);
    expect(first.requests).toHaveLength(1);
    expect(await relay.route()).toMatchObject([
      { channel: ids[1], skipped: [{ channel: ids[0], reason: 'cool_down' }] },
    ]);
    expect(await explained(relay, ids[0])).toMatchObject({
      state: 'closed',
      cooling_for: 20,
      skipped: 'cool_down',
      share: 0,
    });
    expect((await relay.operator.channel.get({ id: ids[0] })).cooling).toEqual([
      { model: 'gpt-4o', seconds: 20 },
    ]);
    // Another model of the same channel is not concerned.
    expect((await relay.chat({ model: 'gpt-4o-mini' })).status).toBe(200);
    expect(first.requests).toHaveLength(2);
    relay.clock.move(20_000);
    first.answer(fine);
    await chats(relay, 1);
    expect(await relay.route()).toMatchObject([{ channel: ids[0], status: 200 }]);
  });

  test('gets no request during the cool-down even as the only channel: 429 with the earliest time, in the caller’s format', async () => {
    const { relay, first, second } = await twoChannels();
    first.answer(busy(20));
    second.answer(busy(8));
    const failed = await relay.chat();
    expect([failed.status, failed.headers.get('retry-after')]).toEqual([429, '8']);
    relay.clock.move(3000);
    const refused = await relay.chat({}, { 'accept-language': 'en' });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    expect(refused.json).toMatchObject({
      error: { type: 'new_api_error', code: 'upstream_saturated' },
    });
    const claude = await relay.post('/v1/messages', {
      model: 'gpt-4o',
      max_tokens: 9,
      messages: [{ role: 'user', content: 'Hello' }],
    });
    expect([claude.status, claude.headers.get('retry-after')]).toEqual([429, '5']);
    expect(claude.json).toMatchObject({ type: 'error', error: { type: 'rate_limit_error' } });
    expect([first.requests.length, second.requests.length]).toEqual([1, 1]);
    second.answer(fine);
    relay.clock.move(5000);
    await chats(relay, 1);
  });

  test('that names no time is avoided for a short while, not refused', async () => {
    const { relay, first, second } = await twoChannels();
    first.answer(busy());
    await chats(relay, 2);
    expect(first.requests).toHaveLength(1);
    second.answer(busy());
    const failed = await relay.chat();
    expect([failed.status, failed.headers.get('retry-after')]).toEqual([429, '1']);
    first.answer(fine);
    await chats(relay, 1);
    relay.clock.move(coolDownRules.guess);
    first.answer(busy());
    expect((await relay.chat()).status).toBe(429);
  });

  test('an excessive cool-down is limited but reported to the caller', async () => {
    const only = await upstream();
    only.answer(busy(3600));
    const relay = await startRelay();
    await relay.addChannel(only);
    expect((await relay.chat()).headers.get('retry-after')).toBe('3600');
    expect((await relay.chat()).headers.get('retry-after')).toBe(
      String(coolDownRules.longest / 1000),
    );
    relay.clock.move(coolDownRules.longest);
    await relay.chat();
    expect(only.requests).toHaveLength(2);
  });

  test('503 with a time counts like 429', async () => {
    const { relay, first } = await twoChannels();
    first.answer(errorReply(503, { message: 'overloaded' }, { 'retry-after': '7' }));
    await chats(relay, 2);
    expect(first.requests).toHaveLength(1);
    relay.clock.move(7000);
    await chats(relay, 1);
    expect(first.requests).toHaveLength(2);
  });
});

describe('time-outs', () => {
  test('a stream that does not begin in time fails over to another channel', async () => {
    const { relay, first, ids } = await twoChannels({ FIRST_BYTE_TIMEOUT: '1' });
    first.answer(() => undefined);
    const answer = await relay.chat({ stream: true });
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('Hello ')]);
    expect(await relay.route()).toMatchObject([
      { channel: ids[0], status: 0, error: 'upstream_timeout' },
      { channel: ids[1], status: 200 },
    ]);
    await expect.poll(() => first.aborted).toBe(1);
  });

  test('no further channel is tried after the retry window', async () => {
    const { relay, first, second } = await twoChannels({ RETRY_WINDOW: '30' });
    first.answer((response, request) => {
      relay.clock.move(30_001);
      return broken(response, request);
    });
    expect((await relay.chat()).status).toBe(500);
    expect(second.requests).toHaveLength(0);
  });
});

test('one dead channel of two: the first eight requests all succeed without any setting', async () => {
  const relay = await startRelay();
  const dead = await upstream();
  dead.answer(broken);
  await relay.addChannel(dead);
  await relay.addChannel(await upstream());
  await chats(relay, 8);
});
