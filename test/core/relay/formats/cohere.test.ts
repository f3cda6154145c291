// Covers src/core/relay/formats/cohere-chat.
/** Cohere's own client on chat and reranking, with upstreams of Cohere's kind and of others. */
import { CohereClientV2, CohereError } from 'cohere-ai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fixtureBytes, fixtureJson } from '../../../contract/providers/support/decode.ts';
import { type CallBench, startCallBench, startQuota } from '../../../support/calls.ts';
import {
  chatReply,
  chatStream,
  errorReply,
  sendJson,
  startUpstream,
  type TestUpstream,
} from '../../../support/upstream.ts';

const models = { openAi: 'gpt-4o', cohere: 'command-a-03-2025', claude: 'claude-sonnet-4-5' };
let bench: CallBench;
let cohere: TestUpstream;
let claude: TestUpstream;

beforeAll(async () => {
  bench = await startCallBench(`${models.openAi},ranker`);
  cohere = await startUpstream();
  claude = await startUpstream();
  await bench.gateway.addChannel({
    type: 34,
    baseUrl: cohere.url,
    models: `${models.cohere},rerank-v3.5`,
  });
  await bench.gateway.addChannel({ type: 14, baseUrl: claude.url, models: models.claude });
  await bench.gateway.set('ModelRatio', {
    ...Object.fromEntries(Object.values(models).map((name) => [name, 1])),
    ranker: 2,
    'rerank-v3.5': 2,
  });
  await bench.gateway.set(
    'CompletionRatio',
    Object.fromEntries(Object.values(models).map((name) => [name, 1])),
  );
});
afterAll(async () => {
  await bench.close();
  await cohere.close();
  await claude.close();
});
beforeEach(() => {
  for (const { requests } of [bench.upstream, cohere, claude]) requests.length = 0;
});

async function open() {
  const customer = await bench.gateway.addCustomer(startQuota);
  return {
    customer,
    client: new CohereClientV2({
      token: customer.key,
      environment: bench.gateway.url,
      maxRetries: 0,
    }),
  };
}

const question = [{ role: 'user' as const, content: 'Hello' }];
const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const weather = {
  type: 'function' as const,
  function: { name: 'weather', description: 'Tells it.', parameters },
};
const call = {
  id: 'call_1',
  type: 'function',
  function: { name: 'weather', arguments: '{"city":"Oslo"}' },
};

/** All that a stream of the client holds. */
async function collect(events: Awaited<ReturnType<CohereClientV2['chatStream']>>) {
  const types: string[] = [];
  const calls: { id?: string; name?: string; arguments: string }[] = [];
  let text = '';
  let thinking = '';
  let end: { finishReason?: string; error?: string; usage?: unknown } | undefined;
  for await (const event of events) {
    types.push(event.type);
    if (event.type === 'content-delta') {
      text += event.delta?.message?.content?.text ?? '';
      thinking += event.delta?.message?.content?.thinking ?? '';
    } else if (event.type === 'tool-call-start') {
      const opened = event.delta?.message?.toolCalls;
      calls.push({
        id: opened?.id ?? '',
        name: opened?.function?.name ?? '',
        arguments: opened?.function?.arguments ?? '',
      });
    } else if (event.type === 'tool-call-delta') {
      const last = calls.at(-1);
      if (last !== undefined)
        last.arguments += event.delta?.message?.toolCalls?.function?.arguments ?? '';
    } else if (event.type === 'message-end') end = event.delta;
  }
  return { types, text, thinking, calls, end };
}

describe('chat with a model of another vendor', () => {
  it('is answered in whole, with usage, and charged', async () => {
    bench.upstream.answer(
      chatReply('Hello', { prompt_tokens: 30, completion_tokens: 12, total_tokens: 42 }),
    );
    const { client, customer } = await open();
    const reply = await client.chat({
      model: models.openAi,
      messages: [{ role: 'system', content: 'S' }, ...question],
      documents: ['a fact', { id: 'd2', data: { title: 'T' } }],
      maxTokens: 50,
      stopSequences: ['END'],
      p: 0.5,
      responseFormat: { type: 'json_object', jsonSchema: parameters },
    });
    expect(reply.finishReason).toBe('COMPLETE');
    expect(reply.message).toMatchObject({
      role: 'assistant',
      content: [{ type: 'text', text: 'Hello' }],
    });
    expect(reply.usage).toMatchObject({
      billedUnits: { inputTokens: 30, outputTokens: 12 },
      tokens: { inputTokens: 30 },
    });
    expect(bench.upstream.requests[0]).toMatchObject({
      path: '/v1/chat/completions',
      json: {
        messages: [
          { role: 'system', content: expect.stringMatching(/doc:0.*a fact.*d2.*"title":"T"/s) },
          { role: 'system', content: 'S' },
          { role: 'user', content: 'Hello' },
        ],
        stop: ['END'],
        top_p: 0.5,
        response_format: { type: 'json_schema', json_schema: { schema: parameters } },
      },
    });
    expect(await bench.spent(customer.userId)).toBe(42);
  });

  it('calls tools, and takes their results', async () => {
    const message = { role: 'assistant', content: 'I will look.', tool_calls: [call] };
    const choices = [{ index: 0, message, finish_reason: 'tool_calls' }];
    bench.upstream.answer((response) =>
      sendJson(response, 200, { id: 'c', object: 'chat.completion', choices }),
    );
    const { client } = await open();
    const first = await client.chat({
      model: models.openAi,
      messages: question,
      tools: [weather],
      toolChoice: 'REQUIRED',
    });
    expect(first).toMatchObject({
      finishReason: 'TOOL_CALL',
      message: { toolPlan: 'I will look.', toolCalls: [call] },
    });
    expect(bench.upstream.requests[0]?.json).toMatchObject({
      tool_choice: 'required',
      tools: [weather],
    });
    bench.upstream.answer(chatReply('Rain'));
    const { toolCalls = [], toolPlan = '' } = first.message;
    const content = [{ type: 'document' as const, document: { data: { sky: 'grey' } } }];
    await client.chat({
      model: models.openAi,
      messages: [
        ...question,
        { role: 'assistant', toolCalls, toolPlan },
        { role: 'tool', toolCallId: 'call_1', content },
      ],
      tools: [weather],
    });
    expect(bench.upstream.requests[1]?.json['messages']).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: 'I will look.', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: '{"sky":"grey"}' },
    ]);
  });

  it('is streamed in Cohere’s events', async () => {
    bench.upstream.answer(
      chatStream(['Hel', 'lo'], { prompt_tokens: 30, completion_tokens: 12, total_tokens: 42 }),
    );
    const { client, customer } = await open();
    const { types, text, end } = await collect(
      await client.chatStream({ model: models.openAi, messages: question }),
    );
    expect(text).toBe('Hello');
    expect(types).toEqual([
      'message-start',
      'content-start',
      'content-delta',
      'content-delta',
      'content-end',
      'message-end',
    ]);
    expect(end).toMatchObject({
      finishReason: 'COMPLETE',
      usage: { tokens: { inputTokens: 30, outputTokens: 12 } },
    });
    expect(await bench.spent(customer.userId)).toBe(42);
  });

  it('streams thinking and parallel calls', async () => {
    const delta = (fields: object, finish: string | null = null) =>
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta: fields, finish_reason: finish }] })}\n\n`;
    const start = (index: number, name: string) =>
      delta({
        tool_calls: [
          { index, id: `call_${index}`, type: 'function', function: { name, arguments: '' } },
        ],
      });
    const more = (index: number, text: string) =>
      delta({ tool_calls: [{ index, function: { arguments: text } }] });
    bench.upstream.answer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(
        [
          delta({ role: 'assistant', reasoning_content: 'Hm' }),
          start(0, 'weather'),
          more(0, '{"city":'),
          more(0, '"Oslo"}'),
          start(1, 'time'),
          more(1, '{}'),
          delta({}, 'tool_calls'),
          'data: [DONE]\n\n',
        ].join(''),
      );
    });
    const { client } = await open();
    const { types, thinking, calls, end } = await collect(
      await client.chatStream({ model: models.openAi, messages: question, tools: [weather] }),
    );
    expect(thinking).toBe('Hm');
    expect(calls).toEqual([
      { id: 'call_0', name: 'weather', arguments: '{"city":"Oslo"}' },
      { id: 'call_1', name: 'time', arguments: '{}' },
    ]);
    expect(end?.finishReason).toBe('TOOL_CALL');
    const callEvents = ['tool-call-start', 'tool-call-delta'];
    expect(types.filter((type) => type.startsWith('tool'))).toEqual([
      ...callEvents,
      'tool-call-delta',
      'tool-call-end',
      ...callEvents,
      'tool-call-end',
    ]);
  });

  it('reaches Claude with its image and its thinking budget', async () => {
    const content = [{ type: 'text', text: 'A cat' }];
    const usage = { input_tokens: 9, output_tokens: 3 };
    claude.answer((response) =>
      sendJson(response, 200, {
        id: 'm',
        type: 'message',
        role: 'assistant',
        content,
        stop_reason: 'max_tokens',
        usage,
      }),
    );
    const { client } = await open();
    const url = 'data:image/png;base64,iVBORw0KGgo=';
    const reply = await client.chat({
      model: models.claude,
      messages: [{ role: 'user', content: [{ type: 'image_url', imageUrl: { url } }] }],
      thinking: { type: 'enabled', tokenBudget: 2000 },
    });
    expect(reply).toMatchObject({
      finishReason: 'MAX_TOKENS',
      usage: { tokens: { inputTokens: 9, outputTokens: 3 } },
    });
    expect(claude.requests[0]?.json).toMatchObject({
      thinking: { type: 'enabled', budget_tokens: 2000 },
      messages: [
        {
          role: 'user',
          content: [{ type: 'image', source: { type: 'base64', data: 'iVBORw0KGgo=' } }],
        },
      ],
    });
  });
});

it('a quiet stream is kept open by what the client ignores', async () => {
  await bench.gateway.set('general_setting.ping_interval_seconds', 1);
  bench.upstream.answer(chatStream(['Hel', 'lo'], null, { gap: 1500 }));
  const { client } = await open();
  const { types, text } = await collect(
    await client.chatStream({ model: models.openAi, messages: question }),
  );
  expect(text).toBe('Hello');
  expect(types).toEqual([
    'message-start',
    'content-start',
    'content-delta',
    'content-delta',
    'content-end',
    'message-end',
  ]);
  await bench.gateway.set('general_setting.ping_interval_seconds', 30);
});

describe('chat with a model of Cohere’s', () => {
  it('is passed through with what only Cohere knows', async () => {
    cohere.answer((response) => sendJson(response, 200, fixtureJson('cohere', 'reply-tools.json')));
    const { client, customer } = await open();
    const documents = [{ id: 'd', data: { text: 'fact' } }];
    const reply = await client.chat({
      model: models.cohere,
      messages: question,
      documents,
      citationOptions: { mode: 'FAST' },
    });
    expect(reply.message.toolCalls).toHaveLength(2);
    expect(cohere.requests[0]).toMatchObject({
      path: '/v2/chat',
      json: { model: models.cohere, documents, citation_options: { mode: 'FAST' } },
    });
    expect(await bench.spent(customer.userId)).toBe(913 + 62);
  });

  it('is streamed unchanged, with its citations and usage', async () => {
    cohere.answer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(fixtureBytes('cohere', 'stream-text.sse'));
    });
    const { client, customer } = await open();
    const { types, text, end } = await collect(
      await client.chatStream({ model: models.cohere, messages: question }),
    );
    expect(text).toBe('The tallest penguins are Emperor – 企鹅');
    expect(types).toContain('citation-start');
    expect(end?.finishReason).toBe('COMPLETE');
    expect(await bench.spent(customer.userId)).toBe(215 + 12);
  });
});

describe('an error', () => {
  it.each([
    ['of another vendor', models.openAi],
    ['of Cohere', models.cohere],
  ])('%s has Cohere’s shape', async (_, model) => {
    for (const server of [bench.upstream, cohere])
      server.answer(errorReply(422, { message: 'too long' }));
    const { client, customer } = await open();
    const error: unknown = await client
      .chat({ model, messages: question })
      .catch((thrown: unknown) => thrown);
    if (!(error instanceof CohereError)) throw error;
    expect(error.statusCode).toBe(422);
    expect(error.body).toEqual({ message: expect.stringContaining('too long') });
    expect(await bench.spent(customer.userId)).toBe(0);
  });

  it('of the gateway has it too, also on a path that is not there', async () => {
    const missing = await bench.post('/v2/chat', 'sk-nobody', '{}');
    expect([missing.status, await missing.json()]).toEqual([401, { message: expect.any(String) }]);
    const unknown = await bench.post('/v2/nothing', 'sk-nobody', '{}');
    expect([unknown.status, await unknown.json()]).toEqual([404, { message: expect.any(String) }]);
  });

  it.each([
    ['{"model":"gpt-4o"}', 'messages'],
    ['{"model":"gpt-4o","messages":[]}', 'messages'],
    ['{"model":"gpt-4o","messages":[{"role":"robot","content":""}]}', 'role robot'],
    ['{"model":"gpt-4o","messages":[{"role":"user","content":[{"type":"sound"}]}]}', 'type sound'],
    [
      '{"model":"gpt-4o","messages":[{"role":"user","content":"a"}],"tool_choice":"weather"}',
      'tool_choice',
    ],
    ['{"model":"gpt-4o","messages":[{"role":"user","content":"a"}],"documents":"b"}', 'documents'],
  ])('%s names the wrong field', async (body, field) => {
    const { customer } = await open();
    const reply = await bench.post('/v2/chat', customer.key, body);
    expect([reply.status, await reply.json()]).toEqual([
      400,
      { message: expect.stringContaining(field) },
    ]);
    expect(bench.upstream.requests).toHaveLength(0);
  });

  it('inside a stream ends it with ERROR and no other finish', async () => {
    const chunk = {
      id: 'c',
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta: { content: 'Hel' } }],
    };
    bench.upstream.answer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify(chunk)}\n\n`);
      response.end('data: {"error":{"message":"overloaded","type":"server_error"}}\n\n');
    });
    const { client } = await open();
    const events: unknown[] = [];
    const read = async () => {
      for await (const event of await client.chatStream({
        model: models.openAi,
        messages: question,
      }))
        events.push(event);
    };
    await expect(read()).rejects.toThrow();
    expect(events).toContainEqual(
      expect.objectContaining({ delta: { message: { content: { text: 'Hel' } } } }),
    );
    expect(events.at(-1)).toMatchObject({
      type: 'message-end',
      delta: { finishReason: 'ERROR', error: expect.stringContaining('overloaded') },
    });
  });
});

describe('reranking', () => {
  const results = [
    { index: 1, relevance_score: 0.9 },
    { index: 0, relevance_score: 0.1 },
  ];
  const ranked = [
    { index: 1, relevanceScore: 0.9 },
    { index: 0, relevanceScore: 0.1 },
  ];

  it('by another vendor is translated and charged', async () => {
    bench.upstream.answer((response) =>
      sendJson(response, 200, { results, usage: { total_tokens: 70 } }),
    );
    const { client, customer } = await open();
    const reply = await client.rerank({
      model: 'ranker',
      query: 'fruit',
      documents: ['car', 'pear'],
      topN: 2,
    });
    expect(reply.results).toEqual(ranked);
    expect(reply.meta?.billedUnits?.inputTokens).toBe(70);
    expect(bench.upstream.requests[0]).toMatchObject({
      path: '/v1/rerank',
      json: { documents: ['car', 'pear'], top_n: 2 },
    });
    expect(await bench.spent(customer.userId)).toBe(140);
  });

  it('by Cohere is passed through', async () => {
    cohere.answer((response) =>
      sendJson(response, 200, { id: 'r', results, meta: { billed_units: { search_units: 1 } } }),
    );
    const { client } = await open();
    const reply = await client.rerank({
      model: 'rerank-v3.5',
      query: 'fruit',
      documents: ['car', 'pear'],
      maxTokensPerDoc: 9,
    });
    expect(reply).toMatchObject({
      id: 'r',
      results: ranked,
      meta: { billedUnits: { searchUnits: 1 } },
    });
    expect(cohere.requests[0]).toMatchObject({
      path: '/v2/rerank',
      json: { max_tokens_per_doc: 9 },
    });
  });

  it('refuses a list without documents in Cohere’s shape', async () => {
    const { customer } = await open();
    const reply = await bench.post(
      '/v2/rerank',
      customer.key,
      '{"model":"ranker","query":"q","documents":[]}',
    );
    expect([reply.status, await reply.json()]).toEqual([
      400,
      { message: expect.stringContaining('documents is empty') },
    ]);
  });
});
