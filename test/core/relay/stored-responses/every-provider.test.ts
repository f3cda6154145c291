/**
 * Responses of their kept sort on channels of every vendor that chats at its own address: in the
 * background with polling and its events again, in a conversation, compacted and counted
 * (docs/rules/responses.md).
 */
import OpenAI from 'openai';
import type { ResponseStreamEvent } from 'openai/resources/responses/responses';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import {
  type ChannelTypeSlug,
  channelTypes,
} from '../../../../src/core/vocabulary/channel-types.ts';
import { eventFrame } from '../../../support/aws-frames.ts';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { sse } from '../../../support/half-answers.ts';
import {
  type Answer,
  sendJson,
  startUpstream,
  type TestUpstream,
} from '../../../support/upstream.ts';
import { vendorReply } from '../../../support/vendor-replies.ts';

/**
 * No chats, ended, behind servers of their own for tokens and sockets; `custom` is the address of
 * one wire, whatever is asked.
 */
const without: ReadonlySet<ChannelTypeSlug> = new Set([
  ...(['jina', 'moka', 'midjourney', 'midjourney-plus', 'suno', 'palm', 'ai-proxy'] as const),
  ...(['vertex', 'baidu', 'xunfei', 'tencent', 'zhipu', 'dify', 'fastgpt', 'custom'] as const),
]);
const fields: Readonly<Partial<Record<ChannelTypeSlug, object>>> = {
  aws: { key: 'AKIDEXAMPLE|secret|us-east-1' },
  cloudflare: { other: 'account-id' },
  azure: { other: '2024-10-21' },
};
/** Names that the vendor's own rules know. */
const models: Readonly<Partial<Record<ChannelTypeSlug, string>>> = {
  anthropic: 'claude-haiku-4-5',
  aws: 'claude-opus-4-5',
  gemini: 'gemini-2.5-flash',
  cohere: 'command-a-03-2025',
};

const opening = {
  type: 'message_start',
  message: { id: 'm', role: 'assistant', content: [], usage: { input_tokens: 9 } },
};
const claude = [
  opening,
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'ok' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 4 } },
  { type: 'message_stop' },
];
const tokens = { tokens: { input_tokens: 9, output_tokens: 4 } };
const cohere = [
  { type: 'message-start', id: 'm', delta: { message: { role: 'assistant', content: [] } } },
  { type: 'content-start', index: 0, delta: { message: { content: { type: 'text', text: '' } } } },
  { type: 'content-delta', index: 0, delta: { message: { content: { text: 'ok' } } } },
  { type: 'content-end', index: 0 },
  { type: 'message-end', delta: { finish_reason: 'COMPLETE', usage: tokens } },
];
const said = vendorReply({ prompt: 9, output: 4 });

/** By the wire of the path: Bedrock's frames, Cohere's own, and those of all others. */
const answer: Answer = (response, request) => {
  const { path, json } = request;
  if (path.endsWith('/invoke-with-response-stream')) {
    response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' });
    return void response.end(Buffer.concat(claude.map((event) => eventFrame(event))));
  }
  if (path.endsWith('/invoke')) {
    const message = { ...opening.message, type: 'message', stop_reason: 'end_turn' };
    const usage = { input_tokens: 9, output_tokens: 4 };
    return sendJson(response, 200, { ...message, content: [{ type: 'text', text: 'ok' }], usage });
  }
  if (path.includes('enerateContent')) {
    const candidate = { index: 0, content: { role: 'model', parts: [{ text: 'ok' }] } };
    const usageMetadata = { promptTokenCount: 9, candidatesTokenCount: 4, totalTokenCount: 13 };
    const value = { candidates: [{ ...candidate, finishReason: 'STOP' }], usageMetadata };
    if (!path.includes(':stream')) return sendJson(response, 200, value);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    return void response.end(sse(value));
  }
  if (path.endsWith('/api/chat')) {
    const message = { role: 'assistant', content: 'ok' };
    const counts = { prompt_eval_count: 9, eval_count: 4 };
    const value = { model: 'm', message, done: true, done_reason: 'stop', ...counts };
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    return void response.end(`${JSON.stringify(value)}\n`);
  }
  if (!path.endsWith('/v2/chat')) return said(response, request);
  if (json['stream'] === true) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    return void response.end(sse(...cohere));
  }
  const message = { role: 'assistant', content: [{ type: 'text', text: 'ok' }] };
  sendJson(response, 200, { id: 'm', finish_reason: 'COMPLETE', message, usage: tokens });
};

let gateway: TestGateway;
let upstream: TestUpstream;
beforeAll(async () => {
  gateway = await startTestGateway();
  upstream = await startUpstream();
  upstream.answer(answer);
  await gateway.set('SelfUseModeEnabled', true);
  await gateway.set('RetryTimes', 0);
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

it.each(channelTypes.filter(({ slug }) => !without.has(slug)))(
  'on a channel of $name',
  async ({ type, slug }) => {
    const name = models[slug] ?? 'gpt-4o-mini';
    const model = `kept-${slug}`;
    await gateway.addChannel({
      type,
      baseUrl: upstream.url,
      models: model,
      model_mapping: JSON.stringify({ [model]: name }),
      ...fields[slug],
    });
    const { key } = await gateway.addCustomer(1_000_000_000);
    const sdk = new OpenAI({ apiKey: key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
    const sent = () => upstream.requests.at(-1)?.text ?? '';

    const conversation = await sdk.conversations.create({
      items: [{ type: 'message', role: 'user', content: 'My name is Ann' }],
    });
    const first: ResponseStreamEvent[] = [];
    const stream = await sdk.responses.create({
      model,
      input: 'Who am I?',
      conversation: conversation.id,
      background: true as const,
      stream: true as const,
    });
    for await (const event of stream) first.push(event);
    expect(sent()).toContain('My name is Ann');
    const id = first.flatMap((event) => ('response' in event ? [event.response.id] : []))[0] ?? '';
    expect(await sdk.responses.retrieve(id)).toMatchObject({
      status: 'completed',
      output_text: 'ok',
      conversation: { id: conversation.id },
    });
    // Cancelling what has ended changes nothing.
    expect((await sdk.responses.cancel(id)).status).toBe('completed');
    const again: ResponseStreamEvent[] = [];
    for await (const event of await sdk.responses.retrieve(id, { stream: true, starting_after: 1 }))
      again.push(event);
    expect(again).toEqual(first.slice(2));

    const items = await sdk.conversations.items.list(conversation.id, { order: 'asc' });
    expect(items.data.map((item) => ('role' in item ? item.role : item.type))).toEqual([
      'user',
      'user',
      'assistant',
    ]);
    const next = await sdk.responses.create({ model, input: 'So?', previous_response_id: id });
    expect(next.output_text).toBe('ok');
    expect(sent()).toContain('My name is Ann');

    const counted = await sdk.responses.inputTokens.count({ model, previous_response_id: next.id });
    expect(counted.input_tokens).toBeGreaterThan(10);
    const compacted = await sdk.responses.compact({ model: model as 'gpt-5', input: 'Hello' });
    // OpenAI's own compaction is passed through.
    expect(compacted.object).toBe(slug === 'openai' ? 'response' : 'response.compaction');
    await vi.waitFor(async () =>
      expect((await gateway.client.log.list({ model_name: model, type: 2 })).total).toBe(3),
    );
  },
);
