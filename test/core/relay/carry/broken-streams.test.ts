/**
 * A broken stream is never given a normal ending, whatever the caller's format and the upstream's.
 */

import type { ServerResponse } from 'node:http';
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { CohereClientV2 } from 'cohere-ai';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readLogOther } from '../../../../src/core/contract/log-other.ts';
import { startQuota } from '../../../support/calls.ts';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { chunk, half, sse } from '../../../support/half-answers.ts';
import { type Answer, startUpstream, type TestUpstream } from '../../../support/upstream.ts';

const wires = ['chat', 'messages', 'gemini', 'responses', 'cohere'] as const;
type Wire = (typeof wires)[number];

const error = { type: 'overloaded_error', message: 'the model fell over' };
const reported: Readonly<Record<Wire, string>> = {
  chat: `${sse({ error })}data: [DONE]\n\n`,
  messages: sse({ type: 'error', error }),
  gemini: sse({ error: { code: 503, message: error.message, status: 'UNAVAILABLE' } }),
  responses: sse({
    type: 'error',
    sequence_number: 4,
    code: 'server_error',
    message: error.message,
    param: null,
  }),
  cohere: sse({ message: error.message }),
};

/** The rest of an answer, up to its last event. */
const endings: Readonly<Record<Wire, string>> = {
  chat: sse({ ...chunk({}), choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
  messages: sse(
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 4 } },
  ),
  gemini: sse({ candidates: [{ index: 0, content: { parts: [] }, finishReason: 'STOP' }] }),
  responses: sse({
    type: 'response.completed',
    sequence_number: 4,
    response: {
      id: 'r',
      object: 'response',
      status: 'completed',
      output: [
        {
          id: 'i',
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'Half a sentence', annotations: [] }],
        },
      ],
    },
  }),
  cohere: sse(
    { type: 'content-end', index: 0 },
    { type: 'message-end', delta: { finish_reason: 'COMPLETE' } },
  ),
};

/** Each end, and the words that the caller is to read. */
const ends = {
  'an error event': {
    words: /fell over|upstream/,
    answer: (wire: Wire) => broken(half[wire], () => reported[wire]),
  },
  'a clean end without the terminator': {
    words: /broke off/,
    answer: (wire: Wire) => broken(half[wire]),
  },
  'a clean end inside an event': {
    words: /broke off/,
    answer: (wire: Wire) => broken(half[wire], () => endings[wire].slice(0, -12)),
  },
  'a reset': {
    words: /broke off/,
    answer: (wire: Wire) => broken(half[wire], (response) => response.destroy()),
  },
} as const;

/** `then`: what is still sent, or done to the connection. */
function broken(text: string, then: (response: ServerResponse) => unknown = () => ''): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(text);
    setTimeout(() => {
      const rest = then(response);
      response.end(typeof rest === 'string' ? rest : '');
    }, 20);
  };
}

let gateway: TestGateway;
let upstream: TestUpstream;
const models: Readonly<Record<Wire, string>> = {
  chat: 'gpt-4o-mini',
  messages: 'claude-3-5-haiku-20241022',
  gemini: 'gemini-2.0-flash',
  responses: 'gpt-4o',
  cohere: 'command-r',
};

beforeAll(async () => {
  gateway = await startTestGateway({ STREAMING_TIMEOUT: '5' });
  upstream = await startUpstream();
  const channels = { chat: 1, messages: 14, gemini: 24, responses: 1, cohere: 34 } as const;
  for (const wire of wires) {
    const setting = channels[wire] === 1 ? { use_responses: wire === 'responses' } : {};
    await gateway.addChannel({
      type: channels[wire],
      baseUrl: upstream.url,
      models: models[wire],
      setting: JSON.stringify(setting),
    });
  }
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

interface Caller {
  /** The request as it is sent without a client library. */
  request(model: string): { path: string; body: object };
  /** A normal ending in the caller's format. */
  readonly ending: RegExp;
  /** What the official client throws, where it is not the error's words. */
  readonly throws?: RegExp;
  /** Resolves where the official client takes the stream for a whole answer. */
  read(key: string, model: string): Promise<string>;
}

const messages = [{ role: 'user' as const, content: 'hi' }];
const english = { 'accept-language': 'en' };
const newOpenAi = (apiKey: string) =>
  new OpenAI({ apiKey, baseURL: `${gateway.url}/v1`, maxRetries: 0, defaultHeaders: english });

const callers: Readonly<Record<Wire, Caller>> = {
  chat: {
    request: (model) => ({ path: '/v1/chat/completions', body: { model, messages, stream: true } }),
    ending: /"finish_reason":"|\[DONE\]/,
    async read(key, model) {
      let text = '';
      const stream = await newOpenAi(key).chat.completions.create({
        model,
        messages,
        stream: true,
      });
      for await (const part of stream) text += part.choices[0]?.delta.content ?? '';
      return text;
    },
  },
  messages: {
    request: (model) => ({
      path: '/v1/messages',
      body: { model, messages, max_tokens: 100, stream: true },
    }),
    ending: /message_delta|message_stop/,
    async read(key, model) {
      const client = new Anthropic({
        apiKey: key,
        baseURL: gateway.url,
        maxRetries: 0,
        defaultHeaders: english,
      });
      let text = '';
      const stream = await client.messages.create({
        model,
        messages,
        max_tokens: 100,
        stream: true,
      });
      for await (const event of stream)
        if (event.type === 'content_block_delta' && event.delta.type === 'text_delta')
          text += event.delta.text;
      return text;
    },
  },
  gemini: {
    request: (model) => ({
      path: `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
      body: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
    }),
    ending: /finishReason|DONE/,
    async read(key, model) {
      const client = new GoogleGenAI({
        apiKey: key,
        httpOptions: { baseUrl: gateway.url, headers: english },
      });
      let text = '';
      for await (const part of await client.models.generateContentStream({ model, contents: 'hi' }))
        text += part.text ?? '';
      return text;
    },
  },
  responses: {
    request: (model) => ({ path: '/v1/responses', body: { model, input: 'hi', stream: true } }),
    ending: /response\.completed|response\.incomplete|\[DONE\]/,
    async read(key, model) {
      const stream = newOpenAi(key).responses.stream({ model, input: 'hi' });
      return (await stream.finalResponse()).output_text;
    },
  },
  cohere: {
    request: (model) => ({ path: '/v2/chat', body: { model, messages, stream: true } }),
    ending: /COMPLETE|\[DONE\]/,
    throws: /terminated/,
    async read(key, model) {
      const client = new CohereClientV2({ token: key, environment: gateway.url, maxRetries: 0 });
      let text = '';
      for await (const event of await client.chatStream({ model, messages }))
        if (event.type === 'content-delta') text += event.delta?.message?.content?.text ?? '';
      return text;
    },
  },
};

/** What came of a reply, also where its connection was cut after it. */
async function textOf(reply: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const bytes of reply.body ?? []) text += decoder.decode(bytes, { stream: true });
  } catch {}
  return text;
}

const cases = wires.flatMap((caller) =>
  wires.flatMap((wire) =>
    Object.keys(ends).map((end) => [caller, wire, end as keyof typeof ends] as const),
  ),
);

describe('a stream that its upstream broke', () => {
  it.each(cases)(
    'for a caller of %s, from an upstream of %s, by %s, ends with an error and no finish',
    async (name, wire, end) => {
      const caller = callers[name];
      const { words, answer } = ends[end];
      upstream.answer(answer(wire));
      const { key, username } = await gateway.addCustomer(startQuota);
      const { path, body } = caller.request(models[wire]);
      const reply = await fetch(gateway.url + path, {
        method: 'POST',
        headers: { ...english, authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const text = await textOf(reply);
      expect(reply.status).toBe(200);
      expect(text).toContain('sentence');
      expect(text).not.toMatch(caller.ending);
      expect(text).toMatch(words);
      expect(text).not.toContain('cannot be reached');
      await expect(caller.read(key, models[wire])).rejects.toThrow(caller.throws ?? words);
      const { items } = await gateway.client.log.list({ username, type: 2 });
      expect(items).toHaveLength(2);
      for (const { completion_tokens: tokens, other } of items) {
        expect(tokens).toBeGreaterThan(2);
        expect(readLogOther(other)).toMatchObject({
          ended: 'upstream_cut',
          usage_source: 'counted',
        });
      }
    },
  );

  it('in the array form of Gemini ends with the error as the last element', async () => {
    upstream.answer(broken(half.chat));
    const { key } = await gateway.addCustomer(startQuota);
    const reply = await fetch(`${gateway.url}/v1beta/models/${models.chat}:streamGenerateContent`, {
      method: 'POST',
      headers: { 'x-goog-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'hi' }] }] }),
    });
    const parts = (await reply.json()) as { error?: { code: number } }[];
    expect(parts.at(-1)?.error?.code).toBe(502);
    expect(JSON.stringify(parts)).not.toContain('finishReason');
  });
});

describe('an answer that is complete', () => {
  const pairs = wires.flatMap((caller) => wires.map((wire) => [caller, wire] as const));
  it.each(pairs)(
    'for a caller of %s, from an upstream of %s, stays so when the connection is reset',
    async (name, wire) => {
      upstream.answer(broken(half[wire] + endings[wire], (response) => response.destroy()));
      const { key, username } = await gateway.addCustomer(startQuota);
      expect(await callers[name].read(key, models[wire])).toBe('Half a sentence');
      const { items } = await gateway.client.log.list({ username, type: 2 });
      expect(items.map(({ other }) => readLogOther(other).ended)).toEqual([undefined]);
    },
  );

  it.each([
    [
      'chat without `[DONE]`',
      'chat',
      half.chat + sse({ ...chunk({}), choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
    ],
    ['chat with `[DONE]` alone', 'chat', `${half.chat}data: [DONE]\n\n`],
    [
      'messages without `message_stop`',
      'messages',
      half.messages +
        sse(
          { type: 'content_block_stop', index: 0 },
          {
            type: 'message_delta',
            delta: { stop_reason: 'end_turn' },
            usage: { output_tokens: 4 },
          },
        ),
    ],
    [
      'messages that came whole, with `message_stop` alone',
      'messages',
      sse(
        {
          type: 'message_start',
          message: {
            id: 'm',
            type: 'message',
            role: 'assistant',
            content: [{ type: 'text', text: 'a sentence' }],
            stop_reason: 'end_turn',
            usage: { input_tokens: 9, output_tokens: 4 },
          },
        },
        { type: 'message_stop' },
      ),
    ],
  ] as const)('keeps its normal ending: %s', async (_name, wire, text) => {
    upstream.answer(broken(text));
    const { key, username } = await gateway.addCustomer(startQuota);
    for (const caller of [callers.chat, callers.messages]) {
      const { path, body } = caller.request(models[wire]);
      const reply = await fetch(gateway.url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect(await reply.text()).toMatch(caller.ending);
    }
    const { items } = await gateway.client.log.list({ username, type: 2 });
    expect(items.map(({ other }) => readLogOther(other).ended)).toEqual([undefined, undefined]);
  });
});
