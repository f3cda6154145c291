/** What options of the site do to the requests that it relays. */
import { expect, test } from 'vitest';
import { errorReply, messagesReply, sendJson } from '../../../support/upstream.ts';
import { fine, startRelay, upstream } from '../select/relay-support.ts';

async function relayTo(
  options: Record<string, string | number | boolean>,
  channel: Record<string, unknown> = {},
) {
  const server = await upstream();
  server.answer(fine);
  const relay = await startRelay({ RetryTimes: 0, SelfUseModeEnabled: true, ...options });
  const id = await relay.addChannel(server, channel);
  return { relay, server, id };
}

test('LogConsumeEnabled: off, requests are charged without a row in the usage log', async () => {
  const { relay } = await relayTo({ LogConsumeEnabled: false });
  expect((await relay.chat()).status).toBe(200);
  await relay.app.logs.outcomes.save();
  expect((await relay.operator.log.list({ type: 2 })).items).toEqual([]);
  expect((await relay.operator.ledger.list({})).items.map(({ kind }) => kind)).toContain('charge');
  await relay.operator.option.set({ key: 'LogConsumeEnabled', value: true });
  await relay.chat();
  expect((await relay.operator.log.list({ type: 2 })).items).toHaveLength(1);
});

test.each([
  [{ CheckSensitiveEnabled: true, CheckSensitiveOnPromptEnabled: true }, 400],
  [{ CheckSensitiveEnabled: true, CheckSensitiveOnPromptEnabled: false }, 200],
  [{ CheckSensitiveEnabled: false, CheckSensitiveOnPromptEnabled: true }, 200],
])('sensitive words with %j: %i', async (switches, status) => {
  const { relay } = await relayTo({ SensitiveWords: 'forbidden\nVERBOTEN', ...switches });
  const reply = await relay.chat(
    { messages: [{ role: 'user', content: 'something Verboten here' }] },
    { 'accept-language': 'en' },
  );
  expect(reply.status).toBe(status);
  // The console shows a sentence of its own for messages that contain these words.
  if (status === 400) expect(reply.text).toContain('illegal text');
  expect((await relay.chat()).status).toBe(200);
});

test('SensitiveWords: a new list is in effect for the next request', async () => {
  const { relay } = await relayTo({ SensitiveWords: 'forbidden' });
  const say = async (content: string) =>
    (await relay.chat({ messages: [{ role: 'user', content }] })).status;
  expect([await say('forbidden'), await say('apple pie')]).toEqual([400, 200]);
  await relay.operator.option.set({ key: 'SensitiveWords', value: 'apple\npear' });
  expect([await say('forbidden'), await say('apple pie')]).toEqual([200, 400]);
});

test('ModelRequestRateLimitDurationMinutes: the limits count over so many minutes', async () => {
  const { relay } = await relayTo({
    ModelRequestRateLimitEnabled: true,
    ModelRequestRateLimitCount: 2,
    ModelRequestRateLimitDurationMinutes: 3,
  });
  const statuses = async (count: number) => {
    const found: number[] = [];
    while (found.length < count) found.push((await relay.chat()).status);
    return found;
  };
  expect(await statuses(3)).toEqual([200, 200, 429]);
  relay.clock.move(2 * 60_000);
  const refused = await relay.chat();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
  relay.clock.move(60_000);
  expect(await statuses(1)).toEqual([200]);
});

test('ModelRequestRateLimitSuccessCount: failed requests do not count', async () => {
  const { relay, server } = await relayTo({
    ModelRequestRateLimitEnabled: true,
    ModelRequestRateLimitSuccessCount: 1,
  });
  server.answer(errorReply(400, { message: 'no' }));
  expect([(await relay.chat()).status, (await relay.chat()).status]).toEqual([400, 400]);
  server.answer(fine);
  expect([(await relay.chat()).status, (await relay.chat()).status]).toEqual([200, 429]);
});

test('AutomaticDisableKeywords: an error with one of them is a fault of the channel, in any case', async () => {
  const { relay, server, id } = await relayTo({
    AutomaticDisableChannelEnabled: true,
    AutomaticDisableKeywords: 'Out of Coffee\nanother phrase',
  });
  const statusAfter = async (message: string) => {
    server.answer(errorReply(400, { message, type: 'invalid_request_error' }));
    await relay.chat();
    await relay.chat();
    await new Promise((resolve) => setImmediate(resolve));
    return (await relay.operator.channel.get({ id })).status;
  };
  expect(await statusAfter('there is no tea')).toBe(1);
  expect(await statusAfter('We are OUT OF COFFEE today')).toBe(3);
});

test('global.stored_responses_mb: beyond it the contents of a response are not kept', async () => {
  const { relay, server } = await relayTo(
    { 'global.stored_responses_mb': 1 },
    { type: 14, models: 'claude-sonnet-4-5' },
  );
  server.answer(messagesReply('hello'));
  const { key } = await relay.operator.userTokens.create({
    name: 'reader',
    unlimited_quota: true,
    user: 'customer',
  });
  const ask = async (input: string) => {
    const { json } = await relay.post('/v1/responses', {
      model: 'claude-sonnet-4-5',
      input,
      store: true,
    });
    const read = await fetch(`${relay.url}/v1/responses/${String(json['id'])}`, {
      headers: { authorization: `Bearer sk-${key}` },
    });
    return read.status;
  };
  expect(await ask('short')).toBe(200);
  expect(await ask('word '.repeat(220_000))).toBe(404);
});

test('claude.default_max_tokens: by upstream model, then default; what callers ask for stays', async () => {
  const { relay, server } = await relayTo(
    { 'claude.default_max_tokens': '{"default":1111,"claude-haiku-4-5":2222}' },
    { type: 14, models: 'claude-sonnet-4-5,claude-haiku-4-5' },
  );
  server.answer(messagesReply('hello'));
  const sent = async (fields: object) => {
    await relay.chat({ ...fields });
    return server.requests.at(-1)?.json['max_tokens'];
  };
  expect(await sent({ model: 'claude-sonnet-4-5' })).toBe(1111);
  expect(await sent({ model: 'claude-haiku-4-5' })).toBe(2222);
  expect(await sent({ model: 'claude-haiku-4-5', max_tokens: 33 })).toBe(33);
});

test('gemini.version_settings and the budget share of -thinking reach the upstream', async () => {
  const { relay, server } = await relayTo(
    {
      'gemini.version_settings': '{"default":"v1","gemini-2.5-pro":"v1alpha"}',
      'gemini.thinking_adapter_enabled': true,
      'gemini.thinking_adapter_budget_tokens_percentage': 0.25,
    },
    { type: 24, models: 'gemini-2.5-flash-thinking,gemini-2.5-pro' },
  );
  server.answer((response) =>
    sendJson(response, 200, {
      candidates: [{ content: { role: 'model', parts: [{ text: 'hi' }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
    }),
  );
  expect((await relay.chat({ model: 'gemini-2.5-flash-thinking', max_tokens: 4000 })).status).toBe(
    200,
  );
  const thinking = server.requests.at(-1);
  expect(thinking?.path).toMatch(/^\/v1\/models\/gemini-2\.5-flash:/);
  expect(thinking?.json['generationConfig']).toMatchObject({
    thinkingConfig: { thinkingBudget: 1000 },
  });
  await relay.chat({ model: 'gemini-2.5-pro' });
  expect(server.requests.at(-1)?.path).toMatch(/^\/v1alpha\/models\/gemini-2\.5-pro:/);
});

test.each([
  [2, 'affinity'],
  [1, undefined],
])(
  'channel_affinity_setting.max_entries %i: the oldest conversations are forgotten',
  async (most, reason) => {
    const { relay } = await relayTo({ 'channel_affinity_setting.max_entries': most });
    const second = await upstream();
    second.answer(fine);
    await relay.addChannel(second);
    for (const conversation of ['a', 'b', 'a'])
      await relay.chat({ prompt_cache_key: conversation });
    expect((await relay.route())[0]?.reason === 'affinity').toBe(reason === 'affinity');
  },
);
