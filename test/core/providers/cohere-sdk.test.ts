/**
 * Compared with Cohere's own SDK: our requests equal its requests, and recorded replies decode to
 * the same values.
 */
import { CohereClientV2 } from 'cohere-ai';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/kernel/json.ts';
import { cohere } from '../../../src/core/providers/cohere/index.ts';
import { openAiChat } from '../../../src/core/relay/formats/openai-chat/index.ts';
import { testCall } from '../../contract/providers/support/call.ts';
import {
  collect,
  decodeChunks,
  fixtureBytes,
  fixtureJson,
} from '../../contract/providers/support/decode.ts';
import { sendJson, startUpstream, type TestUpstream } from '../../support/upstream.ts';

let upstream: TestUpstream;
let sdk: CohereClientV2;

beforeAll(async () => {
  upstream = await startUpstream();
  sdk = new CohereClientV2({ token: 'the-key', environment: upstream.url });
});
afterAll(() => upstream.close());
beforeEach(() => {
  upstream.requests.length = 0;
});

const { chat, embedding, rerank } = cohere.operations;
const call = testCall({ model: 'command-a-reasoning-08-2025' });
const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const target = { name: 'weather', arguments: '{"city":"Oslo"}' };
const weather = { name: 'weather', description: 'Tells it.', parameters };

it('is sent the same chat', async () => {
  upstream.answer((response) => sendJson(response, 200, fixtureJson('cohere', 'reply-text.json')));
  await sdk.chat({
    model: call.model,
    messages: [
      { role: 'system', content: 'S' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          { type: 'image_url', imageUrl: { url: 'https://x.test/a.png', detail: 'low' } },
        ],
      },
      {
        role: 'assistant',
        toolPlan: 'plan',
        toolCalls: [{ id: 'c1', type: 'function', function: target }],
      },
      { role: 'tool', toolCallId: 'c1', content: 'rain' },
    ],
    tools: [{ type: 'function', function: weather }],
    toolChoice: 'REQUIRED',
    thinking: { type: 'enabled', tokenBudget: 2000 },
    maxTokens: 100,
    stopSequences: ['END'],
    temperature: 0.5,
    frequencyPenalty: 0.5,
    presencePenalty: 0.25,
    seed: 7,
    p: 0.9,
  });
  const request = openAiChat.readRequest({
    model: 'm',
    messages: [
      { role: 'system', content: 'S' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          { type: 'image_url', image_url: { url: 'https://x.test/a.png', detail: 'low' } },
        ],
      },
      {
        role: 'assistant',
        content: 'plan',
        tool_calls: [{ id: 'c1', type: 'function', function: target }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'rain' },
    ],
    tools: [{ type: 'function', function: weather }],
    tool_choice: 'required',
    thinking: { type: 'enabled', budget_tokens: 2000 },
    max_tokens: 100,
    stop: 'END',
    temperature: 0.5,
    frequency_penalty: 0.5,
    presence_penalty: 0.25,
    seed: 7,
    top_p: 0.9,
  } as JsonObject);
  const encoded = chat?.encode(request, testCall({ ...call, baseUrl: upstream.url }));
  const [sent] = upstream.requests;
  expect(encoded?.url).toBe(upstream.url + (sent?.path ?? ''));
  expect(encoded?.headers.authorization).toBe(sent?.headers.authorization);
  expect(encoded?.body).toEqual(sent?.json);
});

it('requests JSON the same way', async () => {
  upstream.answer((response) => sendJson(response, 200, fixtureJson('cohere', 'reply-text.json')));
  const messages = [{ role: 'user' as const, content: 'look' }];
  await sdk.chat({
    model: call.model,
    messages,
    responseFormat: { type: 'json_object', jsonSchema: parameters },
  });
  const response_format = { type: 'json_schema', json_schema: { name: 'r', schema: parameters } };
  const request = openAiChat.readRequest({ model: 'm', messages, response_format });
  expect(chat?.encode(request, testCall({ ...call, baseUrl: upstream.url })).body).toEqual(
    upstream.requests[0]?.json,
  );
});

it.each(['stream-text.sse', 'stream-tools.sse', 'stream-thinking.sse'])(
  'reads the same in %s',
  async (name) => {
    upstream.answer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(fixtureBytes('cohere', name));
    });
    let text = '';
    let reasoning = '';
    const calls: { id: string | undefined; name: string | undefined; arguments: string }[] = [];
    for await (const event of await sdk.chatStream({
      model: 'm',
      messages: [{ role: 'user', content: 'hi' }],
    })) {
      if (event.type === 'content-start' || event.type === 'content-delta') {
        text += event.delta?.message?.content?.text ?? '';
        reasoning += event.delta?.message?.content?.thinking ?? '';
      } else if (event.type === 'tool-plan-delta')
        reasoning += event.delta?.message?.toolPlan ?? '';
      else if (event.type === 'tool-call-start') {
        const opened = event.delta?.message?.toolCalls;
        calls.push({
          id: opened?.id,
          name: opened?.function?.name,
          arguments: opened?.function?.arguments ?? '',
        });
      } else if (event.type === 'tool-call-delta') {
        const last = calls.at(-1);
        if (last !== undefined)
          last.arguments += event.delta?.message?.toolCalls?.function?.arguments ?? '';
      }
    }
    const decoder = chat?.createStreamDecoder?.(call);
    if (decoder === undefined) throw new Error('no decoder');
    const ours = collect(decodeChunks([fixtureBytes('cohere', name)], 'sse', decoder));
    expect({ text: ours.text, reasoning: ours.reasoning }).toEqual({ text, reasoning });
    // For a call without arguments the SDK returns `null` or nothing; we return an empty object.
    const filled = calls.map((one) => ({
      ...one,
      arguments: ['', 'null'].includes(one.arguments) ? '{}' : one.arguments,
    }));
    expect(ours.calls).toEqual(filled);
  },
);

it('is sent the same texts to embed and documents to rank', async () => {
  upstream.answer((response, { path }) =>
    sendJson(
      response,
      200,
      path === '/v2/embed'
        ? { id: 'e', embeddings: { float: [[1]] }, texts: ['a'] }
        : { id: 'r', results: [] },
    ),
  );
  await sdk.embed({
    model: 'e',
    texts: ['a'],
    inputType: 'search_query',
    embeddingTypes: ['float'],
    outputDimension: 256,
  });
  await sdk.rerank({ model: 'r', query: 'q', documents: ['a', 'b'], topN: 1, maxTokensPerDoc: 9 });
  const embed = embedding?.encode(
    { model: 'm', input: ['a'], dimensions: 256, extra: {} },
    testCall({ model: 'e' }),
  );
  const ranked = {
    model: 'm',
    query: 'q',
    documents: ['a', 'b'],
    topCount: 1,
    extra: { max_tokens_per_doc: 9 },
  };
  expect(upstream.requests.map(({ path, json }) => [path, json])).toEqual([
    ['/v2/embed', embed?.body],
    ['/v2/rerank', rerank?.encode(ranked, testCall({ model: 'r' })).body],
  ]);
});
