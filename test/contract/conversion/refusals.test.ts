/** Upstream refusals in each caller's format: message, when to retry, and when not to. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { type Answer, startUpstream, type TestUpstream } from '../../support/upstream.ts';
import { upstreamFormats } from './upstream-formats.ts';

type Name = (typeof upstreamFormats)[number]['name'];
const callers = ['chat', 'messages', 'Gemini', 'Responses'] as const;
const words = 'slow down, please';

/** A refusal as each upstream reports it. */
const refusals: Readonly<Record<Name, (status: number) => object>> = {
  chat: () => ({
    error: { message: words, type: 'invalid_request_error', param: null, code: 'refused' },
  }),
  messages: (status) => ({
    type: 'error',
    error: { type: status === 429 ? 'rate_limit_error' : 'not_found_error', message: words },
  }),
  Gemini: (status) => ({
    error: {
      code: status,
      message: words,
      status: status === 429 ? 'RESOURCE_EXHAUSTED' : 'NOT_FOUND',
    },
  }),
  Responses: () => ({
    error: { message: words, type: 'invalid_request_error', param: null, code: 'refused' },
  }),
};

const refuse =
  (name: Name, status: number): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '7' });
    response.end(JSON.stringify(refusals[name](status)));
  };

/** The shape of an error, all of it; `message` is checked apart. */
function shapeFor(caller: Name, status: number): object {
  const message = expect.any(String);
  switch (caller) {
    case 'messages':
      return {
        type: 'error',
        error: { type: status === 429 ? 'rate_limit_error' : 'not_found_error', message },
      };
    case 'Gemini': {
      if (status !== 429) return { error: { code: status, message, status: 'NOT_FOUND' } };
      const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '7s' }];
      return { error: { code: 429, message, status: 'RESOURCE_EXHAUSTED', details } };
    }
    default:
      return {
        error: {
          message,
          type: expect.any(String),
          param: expect.any(String),
          code: expect.any(String),
        },
      };
  }
}

function ask(caller: Name, model: string, stream: boolean): readonly [path: string, body: object] {
  const messages = [{ role: 'user', content: 'Hi' }];
  switch (caller) {
    case 'chat':
      return ['/v1/chat/completions', { model, messages, stream }];
    case 'messages':
      return ['/v1/messages?beta=true', { model, max_tokens: 100, messages, stream }];
    case 'Gemini': {
      const action = stream ? 'streamGenerateContent?alt=sse' : 'generateContent';
      return [`/v1beta/models/${model}:${action}`, { contents: [{ parts: [{ text: 'Hi' }] }] }];
    }
    case 'Responses':
      return ['/v1/responses', { model, input: 'Hi', stream }];
  }
}

let gateway: TestGateway;
let key: string;
const upstreams = new Map<string, TestUpstream>();

beforeAll(async () => {
  gateway = await startTestGateway();
  await gateway.set('SelfUseModeEnabled', true);
  await gateway.set('RetryTimes', 0);
  for (const { name } of upstreamFormats) upstreams.set(name, await startUpstream());
  key = (await gateway.addCustomer(1_000_000_000)).key;
});
afterAll(async () => {
  await gateway.close();
  for (const upstream of upstreams.values()) await upstream.close();
});

for (const { name: provider, channel, model } of upstreamFormats) {
  for (const caller of callers) {
    describe(`${provider} refuses ${caller}`, () => {
      it.each([
        [404, false],
        [404, true],
        [429, false],
        [429, true],
      ])('with %d, streamed %s', async (status, stream) => {
        const upstream = upstreams.get(provider) as TestUpstream;
        upstream.answer(refuse(provider, status));
        // A channel of its own: one that refused is in a cool-down.
        const id = await gateway.addChannel({ ...channel, baseUrl: upstream.url, models: model });
        const [path, body] = ask(caller, model, stream);
        const reply = await fetch(gateway.url + path, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${key}`,
            'content-type': 'application/json',
            'accept-language': 'en',
          },
          body: JSON.stringify(body),
        });
        await gateway.client.channel.remove({ id });
        const got = (await reply.json()) as { error: { message: string } };
        expect(reply.status, JSON.stringify(got)).toBe(status);
        expect(got).toEqual(shapeFor(caller, status));
        expect(got.error.message).toMatch(/\(request id: \w+\)$/);
        if (status === 429) expect(reply.headers.get('retry-after')).toBe('7');
        else expect(got.error.message).toContain(words);
      });
    });
  }
}
