/**
 * `sk-KEY-CHANNEL`: an administrator's request uses that channel only
 * (docs/rules/relay.md#channel-pin).
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import {
  errorReply,
  messagesReply,
  sendJson,
  startUpstream,
  type TestUpstream,
} from '../../../support/upstream.ts';

const model = 'claude-3-5-sonnet-20241022';
let gateway: TestGateway;
let upstream: TestUpstream;
let other: TestUpstream;
let pinned: number;
let disabled: number;
let key: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  upstream = await startUpstream();
  other = await startUpstream();
  // The pinned one is of a group that the key does not use, and of the lowest priority.
  pinned = await gateway.addChannel({
    type: 14,
    baseUrl: upstream.url,
    models: model,
    group: 'vip',
    priority: -1,
  });
  await gateway.addChannel({ type: 14, baseUrl: other.url, models: model });
  disabled = await gateway.addChannel({ type: 14, baseUrl: other.url, models: model });
  await gateway.client.channel.update({ id: disabled, status: 2 });
  await gateway.set('RetryTimes', 3);
  const token = {
    name: 'pin',
    unlimited_quota: true,
    user: 'root',
    model_limits_enabled: true,
    model_limits: 'gpt-4o',
  };
  key = `sk-${(await gateway.client.userTokens.create(token)).key}`;
});
afterAll(async () => {
  await gateway.close();
  await Promise.all([upstream.close(), other.close()]);
});
beforeEach(() => {
  upstream.requests.length = 0;
  other.requests.length = 0;
  upstream.answer(messagesReply());
  other.answer(messagesReply());
});

const ask = async (pin: string | number, path = '/v1/messages') => {
  const reply = await fetch(gateway.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}-${pin}`,
      'content-type': 'application/json',
      'accept-language': 'en',
    },
    body: JSON.stringify({ model, max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] }),
  });
  return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
};

describe('a pinned channel', () => {
  it('serves for any group and models of the key', async () => {
    expect((await ask(pinned)).status).toBe(200);
    expect([upstream.requests.length, other.requests.length]).toEqual([1, 0]);
  });

  it('is the only one that is requested', async () => {
    upstream.answer(errorReply(500, { message: 'broken' }));
    expect((await ask(pinned)).status).toBe(500);
    expect([upstream.requests.length, other.requests.length]).toEqual([1, 0]);
  });

  it('counts the tokens, too', async () => {
    upstream.answer((response) => sendJson(response, 200, { input_tokens: 77 }));
    expect((await ask(pinned, '/v1/messages/count_tokens')).body).toEqual({ input_tokens: 77 });
    expect([upstream.requests.length, other.requests.length]).toEqual([1, 0]);
  });
});

it.each([
  ['switched off', () => disabled, 403, 'is disabled'],
  ['not there', () => 999_999, 400, 'is invalid'],
  ['no number', () => 'first', 400, 'is invalid'],
  ['zero', () => 0, 400, 'is invalid'],
])('one that is %s is rejected without an upstream request', async (_name, pin, status, words) => {
  expect(await ask(pin())).toMatchObject({
    status,
    body: { error: { message: expect.stringContaining(words) } },
  });
  expect([upstream.requests.length, other.requests.length]).toEqual([0, 0]);
});
