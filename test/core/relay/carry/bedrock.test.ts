/**
 * Claude's own SDK on a Bedrock channel: frames reach it as its own events, complete or broken off.
 */
import type { ServerResponse } from 'node:http';
import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { eventFrame, exceptionFrame, framesReply } from '../../../support/aws-frames.ts';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import {
  type Answer,
  sendJson,
  startUpstream,
  type TestUpstream,
} from '../../../support/upstream.ts';

const model = 'claude-sonnet-4-20250514';
const question = { model, max_tokens: 50, messages: [{ role: 'user' as const, content: 'Hello' }] };

let gateway: TestGateway;
let bedrock: TestUpstream;
let username: string;
let sdk: Anthropic;

beforeAll(async () => {
  gateway = await startTestGateway();
  bedrock = await startUpstream();
  await gateway.addChannel({
    type: 33,
    baseUrl: bedrock.url,
    models: model,
    key: 'AKIDEXAMPLE|secret|us-east-1',
  });
  const customer = await gateway.addCustomer(1_000_000);
  username = customer.username;
  sdk = new Anthropic({ apiKey: customer.key, baseURL: gateway.url, maxRetries: 0 });
});
afterAll(async () => {
  await gateway.close();
  await bedrock.close();
});
beforeEach(() => {
  bedrock.requests.length = 0;
});

const usage = {
  input_tokens: 20,
  cache_read_input_tokens: 30,
  cache_creation_input_tokens: 0,
  output_tokens: 1,
};
const message = {
  id: 'msg_bdrk_1',
  type: 'message',
  role: 'assistant',
  model,
  content: [],
  stop_reason: null,
};
const opening = [
  { type: 'message_start', message: { ...message, stop_sequence: null, usage } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello ' } },
].map((event) => eventFrame(event));
const closing = [
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'there' } },
  { type: 'content_block_stop', index: 0 },
  {
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage: { output_tokens: 10 },
  },
  {
    type: 'message_stop',
    'amazon-bedrock-invocationMetrics': { inputTokenCount: 20, outputTokenCount: 10 },
  },
].map((event) => eventFrame(event));

async function lastRow() {
  const { items } = await gateway.client.log.list({ username, type: 2 });
  return items[0];
}

it('streams', async () => {
  bedrock.answer(framesReply(...opening, ...closing));
  const answer = await sdk.messages.stream(question).finalMessage();
  expect(answer).toMatchObject({
    id: 'msg_bdrk_1',
    content: [{ type: 'text', text: 'Hello there' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 20, cache_read_input_tokens: 30, output_tokens: 10 },
  });
  expect(await lastRow()).toMatchObject({
    prompt_tokens: 20,
    completion_tokens: 10,
    is_stream: true,
  });
});

it('counts tokens', async () => {
  bedrock.answer((response) => sendJson(response, 200, { inputTokens: 42 }));
  expect(await sdk.messages.countTokens({ model, messages: question.messages })).toEqual({
    input_tokens: 42,
  });
});

type Rest = (response: ServerResponse) => unknown;

/** Sends the opening, and the remaining data after the client has received some of it. */
function inTwoPieces(seen: Promise<void>, rest: Rest): Answer {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' });
    response.write(Buffer.concat(opening));
    await seen;
    rest(response);
  };
}

const damaged = Buffer.from(closing[0] ?? '');
damaged.writeUInt8(damaged.readUInt8(damaged.length - 1) ^ 1, damaged.length - 1);

it.each<[string, Rest, RegExp]>([
  [
    'an exception',
    (response) => response.end(exceptionFrame('modelStreamErrorException', 'The model stopped.')),
    /The model stopped/,
  ],
  ['a damaged frame', (response) => response.end(damaged), /api_error/],
  ['half a frame', (response) => response.end(damaged.subarray(0, 20)), /api_error/],
  ['a lost connection', (response) => response.destroy(), /api_error/],
])(
  'reports %s in the middle of a reply, and charges the delivered part',
  async (_, rest, words) => {
    let saw = (): void => undefined;
    bedrock.answer(inTwoPieces(new Promise((resolve) => (saw = resolve)), rest));
    let text = '';
    const read = async () => {
      for await (const event of await sdk.messages.create({ ...question, stream: true })) {
        if (event.type !== 'content_block_delta' || event.delta.type !== 'text_delta') continue;
        text += event.delta.text;
        saw();
      }
    };
    await expect(read()).rejects.toThrow(words);
    expect(text).toBe('Hello ');
    expect(await lastRow()).toMatchObject({ prompt_tokens: 20, is_stream: true });
  },
);
