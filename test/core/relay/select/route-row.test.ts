/** What a log row stores about the selection of a channel, and who may read it. */
import { expect, test } from 'vitest';
import { sendJson } from '../../../support/upstream.ts';
import { startRelay, upstream } from './relay-support.ts';

const embeddings = {
  data: [{ embedding: [0.5], index: 0 }],
  usage: { prompt_tokens: 3, total_tokens: 3 },
};

test('a single channel is recorded alone', async () => {
  const relay = await startRelay();
  const id = await relay.addChannel(await upstream(), { weight: 3 });
  await relay.chat({ prompt_cache_key: 'a' });
  await relay.chat({ prompt_cache_key: 'a' });
  const [step, ...more] = await relay.route();
  expect(step).toMatchObject({
    channel: id,
    reason: 'priority',
    priority: 0,
    weight: 3,
    status: 200,
  });
  expect([more, Object.keys(step ?? {}).sort()]).toEqual([
    [],
    ['channel', 'ms', 'name', 'priority', 'reason', 'status', 'type', 'weight'],
  ]);
});

test('candidates by priority, and channels that do not support the request', async () => {
  const at = await upstream();
  at.answer((response) => sendJson(response, 200, embeddings));
  const relay = await startRelay();
  const models = 'text-embedding-3-small';
  const low = await relay.addChannel(at, { models });
  const unable = await relay.addChannel(at, { models, type: 14, priority: 9 });
  const high = await relay.addChannel(at, { models, priority: 5 });
  expect((await relay.post('/v1/embeddings', { model: models, input: 'x' })).status).toBe(200);
  expect(await relay.route()).toMatchObject([
    {
      channel: high,
      reason: 'priority',
      candidates: [high, low],
      skipped: [{ channel: unable, reason: 'capability' }],
    },
  ]);
});

test('a site of many channels does not make long rows', async () => {
  const at = await upstream();
  const relay = await startRelay();
  await relay.addChannel(at, {
    key: Array.from({ length: 60 }, (_, index) => `key-${index}`).join('\n'),
  });
  await relay.chat();
  expect((await relay.route())[0]?.candidates).toHaveLength(16);
});

test('only administrators read it', async () => {
  const relay = await startRelay();
  await relay.addChannel(await upstream());
  await relay.addChannel(await upstream());
  await relay.chat();
  expect((await relay.route())[0]?.candidates).toHaveLength(2);
  const customer = await relay.as(2);
  const { items } = await customer.log.listSelf({ type: 2 });
  expect(items).toHaveLength(1);
  expect(JSON.stringify(items)).not.toMatch(/admin_info|candidates/);
});

test('a pinned channel is used regardless of its health, and no other', async () => {
  const [first, second] = [await upstream(), await upstream()];
  const relay = await startRelay({ RetryTimes: 2 });
  const id = await relay.addChannel(first);
  await relay.addChannel(second, { priority: 5 });
  first.answer((response) =>
    sendJson(response, 429, { error: { message: 'slow down' } }, { 'retry-after': '30' }),
  );
  const { key } = await relay.operator.userTokens.create({ name: 'root', unlimited_quota: true });
  const ask = () => relay.chat({}, { authorization: `Bearer sk-${key}-${id}` });
  expect([(await ask()).status, (await ask()).status]).toEqual([429, 429]);
  expect([first.requests.length, second.requests.length]).toEqual([2, 0]);
});
