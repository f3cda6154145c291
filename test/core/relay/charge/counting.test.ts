/** Upstreams that report no usage: input and output are counted by structure, in all formats. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type CallBench, startCallBench, startQuota } from '../../../support/calls.ts';
import { messageItem, responseObject } from '../../../support/responses-upstream.ts';
import {
  type Answer,
  chatReply,
  messagesReply,
  sendJson,
  startUpstream,
  type TestUpstream,
} from '../../../support/upstream.ts';

let bench: CallBench;
let claude: TestUpstream;
let gemini: TestUpstream;

// Names with a tokenizer, so that counts are known to the token, whichever vendor's wire they are
// served on.
beforeAll(async () => {
  bench = await startCallBench(
    'gpt-4o,gpt-4,gpt-4o-mini,text-embedding-3-small,gpt-3.5-turbo-instruct,gpt-5-nano',
  );
  claude = await startUpstream();
  gemini = await startUpstream();
  await bench.gateway.addChannel({
    type: 14,
    baseUrl: claude.url,
    models: 'gpt-4.1,claude-3-5-sonnet-20241022',
  });
  await bench.gateway.addChannel({ type: 24, baseUrl: gemini.url, models: 'gpt-4.1-mini' });
});
afterEach(() => {
  for (const upstream of [bench.upstream, claude, gemini]) upstream.requests.length = 0;
});
afterAll(async () => {
  await bench.close();
  await claude.close();
  await gemini.close();
});

/** Sends one request and returns what it was charged as. */
async function charged(path: string, body: object) {
  const customer = await bench.gateway.addCustomer(startQuota);
  const reply = await bench.post(path, customer.key, JSON.stringify(body));
  expect([reply.status, await reply.text()]).toEqual([200, expect.any(String)]);
  const { row, other } = await bench.newestLog(customer.username);
  expect(other.usage_source).toBe('counted');
  expect(await bench.spent(customer.userId)).toBe(row['quota']);
  return [row['prompt_tokens'], row['completion_tokens']];
}

const system = 'You are helpful.'; // 4 tokens
const question = 'What is the weather in Paris?'; // 7 tokens
const parameters = { type: 'object', properties: { place: { type: 'string' } } }; // 14 tokens
const tools = [
  { name: 'get_weather', description: 'Weather of a place', parameters }, // 2 + 4 + 14 tokens
  { name: 'get_time', description: 'Time of a place', parameters }, // 2 + 4 + 14 tokens
];
const messages = [
  { role: 'system', content: system },
  { role: 'user', content: question },
];
const chatTools = tools.map((tool) => ({ type: 'function', function: tool }));
/** Each message 3 and its role, the reply's beginning 3. */
const chatPrompt = 4 + 4 + (4 + 7) + 3;
const toolsPrompt = 2 * (8 + 20);
/** Two calls of `…{"place":"Paris"}`: 14 tokens, and 7 for each. */
const callsTold = 14 + 2 * 7;
const place = '{"place":"Paris"}';

const chatCalls = tools.map(({ name }, index) => ({
  index,
  id: `call_${index}`,
  type: 'function',
  function: { name, arguments: place },
}));

/** Two parallel tool calls, without usage. */
const callsReply: Answer = (response, request) => {
  const head = { id: 'chatcmpl-test', created: 1_700_000_000, model: request.json['model'] };
  if (request.json['stream'] !== true) {
    const message = {
      role: 'assistant',
      content: null,
      tool_calls: chatCalls.map(({ index: _, ...call }) => call),
    };
    return sendJson(response, 200, {
      ...head,
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
    });
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (delta: object, finish_reason: string | null) =>
    response.write(
      `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })}\n\n`,
    );
  for (const call of chatCalls) {
    const { name } = call.function;
    send({ tool_calls: [{ ...call, function: { name, arguments: '' } }] }, null);
    send({ tool_calls: [{ index: call.index, function: { arguments: place } }] }, null);
  }
  send({}, 'tool_calls');
  response.end('data: [DONE]\n\n');
};

describe('chat', () => {
  it.each([false, true])('texts, streamed %s', async (stream) => {
    bench.upstream.answer(chatReply('Hello from upstream', null));
    expect(await charged('/v1/chat/completions', { model: 'gpt-4o', messages, stream })).toEqual([
      chatPrompt,
      3,
    ]);
  });

  it.each([false, true])('all tools, and calls, streamed %s', async (stream) => {
    bench.upstream.answer(callsReply);
    const body = { model: 'gpt-4o', messages, tools: chatTools, stream };
    expect(await charged('/v1/chat/completions', body)).toEqual([
      chatPrompt + toolsPrompt,
      callsTold,
    ]);
  });

  it('names, thinking, and results of tools', async () => {
    bench.upstream.answer((response) =>
      sendJson(response, 200, {
        choices: [
          {
            index: 0,
            message: {
              role: 'assistant',
              content: 'Hello from upstream',
              reasoning_content: 'Think.',
            },
          },
        ],
      }),
    );
    const conversation = [
      { role: 'user', name: 'Look', content: question }, // 4 + 1 + 1 + 7
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: chatCalls[0]?.function }],
      }, // 4 + 2 + 5
      { role: 'tool', tool_call_id: 'c', content: 'It is sunny in Paris.' }, // 4 + 6
    ];
    const prompt = 13 + 11 + 10 + 3;
    const [asked, answered] = await charged('/v1/chat/completions', {
      model: 'gpt-4o',
      messages: conversation,
    });
    expect([asked, answered]).toEqual([prompt, 5]);
  });

  it('the response format and a tool’s grammar as texts', async () => {
    bench.upstream.answer(chatReply('Hello from upstream', null));
    const book = 'a whole chapter '.repeat(200);
    const schema = { type: 'object', description: book, properties: {} };
    const response_format = { type: 'json_schema', json_schema: { name: 'answer', schema } };
    const [asForm = 0] = await charged('/v1/chat/completions', {
      model: 'gpt-4o',
      messages,
      response_format,
    });
    expect(asForm).toBeGreaterThan(600);
    const format = { type: 'grammar', grammar: { syntax: 'lark', definition: book } };
    const tools = [{ type: 'custom', custom: { name: 'write', format } }];
    const [asGrammar = 0] = await charged('/v1/chat/completions', {
      model: 'gpt-4o',
      messages,
      tools,
    });
    expect(asGrammar).toBeGreaterThan(600);
  });

  it('counts nothing where the upstream reports usage', async () => {
    bench.upstream.answer(chatReply());
    const { key, username } = await bench.gateway.addCustomer(startQuota);
    await bench.post('/v1/chat/completions', key, JSON.stringify({ model: 'gpt-4o', messages }));
    const { row, other } = await bench.newestLog(username);
    expect([row['prompt_tokens'], other.usage_source]).toEqual([1000, 'upstream']);
  });

  it('only the delivered part of a reply that breaks off', async () => {
    bench.upstream.answer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(
        `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'Hello from upstream' } }] })}\n\n`,
        () => response.destroy(),
      );
    });
    expect(
      await charged('/v1/chat/completions', { model: 'gpt-4o', messages, stream: true }),
    ).toEqual([chatPrompt, 3]);
  });
});

/** A PNG as far as its size. */
function image(width: number, height: number): string {
  const bytes = Buffer.alloc(33);
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(bytes);
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return `data:image/png;base64,${bytes.toString('base64')}`;
}

describe('images', () => {
  const prompt = 4 + 7 + 3;
  const body = (model: string, url: string, detail?: string) => ({
    model,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: question },
          { type: 'image_url', image_url: { url, ...(detail === undefined ? {} : { detail }) } },
        ],
      },
    ],
  });
  it.each([
    ['gpt-4o', image(1024, 1024), undefined, 765],
    ['gpt-4o', image(1024, 1024), 'low', 85],
    ['gpt-4o-mini', image(512, 512), undefined, 2833 + 4 * 5667],
    ['gpt-5-nano', image(64, 64), undefined, Math.ceil(4 * 2.46)],
    ['gpt-4o', 'data:image/png;base64,AAAA', undefined, 255],
  ])('of %s', async (model, url, detail, tokens) => {
    bench.upstream.answer(chatReply('Hello from upstream', null));
    expect(await charged('/v1/chat/completions', body(model, url, detail))).toEqual([
      prompt + tokens,
      3,
    ]);
  });

  it('by an address are not fetched', async () => {
    bench.upstream.answer(chatReply('Hello from upstream', null));
    const url = `${claude.url}/cat.png`;
    expect(await charged('/v1/chat/completions', body('gpt-4o', url))).toEqual([prompt + 255, 3]);
    expect(claude.requests).toHaveLength(0);
  });

  it('audio files and files count flat', async () => {
    bench.upstream.answer(chatReply('Hello from upstream', null));
    const content = [
      { type: 'text', text: question },
      { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
      {
        type: 'file',
        file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' },
      },
    ];
    const request = { model: 'gpt-4o', messages: [{ role: 'user', content }] };
    expect(await charged('/v1/chat/completions', request)).toEqual([prompt + 256 + 4096, 3]);
  });
});

describe('messages', () => {
  const claudeTools = tools.map(({ name, description, parameters: input_schema }) => ({
    name,
    description,
    input_schema,
  }));
  const claudeBody = { max_tokens: 100, system, messages: [{ role: 'user', content: question }] };
  const claudePrompt = 4 + (3 + 7);

  it.each([false, true])('of its own upstream, streamed %s', async (stream) => {
    claude.answer(messagesReply('Hello from upstream', {}));
    expect(await charged('/v1/messages', { ...claudeBody, model: 'gpt-4.1', stream })).toEqual([
      claudePrompt,
      3,
    ]);
  });

  it.each([false, true])('of an upstream that chats, with tools, streamed %s', async (stream) => {
    bench.upstream.answer(callsReply);
    const body = { ...claudeBody, model: 'gpt-4o', tools: claudeTools, stream };
    expect(await charged('/v1/messages', body)).toEqual([claudePrompt + 2 * (3 + 20), callsTold]);
  });

  it.each(['/v1/messages', '/v1/chat/completions'])(
    'a stream to %s that breaks off: the delivered output, not the count at its start',
    async (path) => {
      claude.answer((response) => {
        const send = (event: Record<string, unknown>) =>
          `event: ${event['type']}\ndata: ${JSON.stringify(event)}\n\n`;
        const message = {
          id: 'm',
          type: 'message',
          role: 'assistant',
          content: [],
          usage: { input_tokens: 100, output_tokens: 1 },
        };
        const text = { type: 'text_delta', text: 'Hello from upstream' };
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(
          send({ type: 'message_start', message }) +
            send({
              type: 'content_block_start',
              index: 0,
              content_block: { type: 'text', text: '' },
            }) +
            send({ type: 'content_block_delta', index: 0, delta: text }),
          () => response.destroy(),
        );
      });
      const body = {
        model: 'gpt-4.1',
        max_tokens: 100,
        stream: true,
        messages: [{ role: 'user', content: question }],
      };
      expect(await charged(path, body)).toEqual([100, 3]);
    },
  );

  it('calls in its own wire', async () => {
    claude.answer((response) => {
      const content = tools.map(({ name }, index) => ({
        type: 'tool_use',
        id: `t${index}`,
        name,
        input: { place: 'Paris' },
      }));
      sendJson(response, 200, {
        type: 'message',
        role: 'assistant',
        content,
        stop_reason: 'tool_use',
      });
    });
    expect(await charged('/v1/messages', { ...claudeBody, model: 'gpt-4.1' })).toEqual([
      claudePrompt,
      callsTold,
    ]);
  });

  it('of a Claude are estimated, images 1000 each', async () => {
    claude.answer(messagesReply('Hello from upstream', {}));
    const source = { type: 'base64', media_type: 'image/png', data: 'AAAA' };
    const content = [
      { type: 'text', text: 'Look' },
      { type: 'image', source },
    ];
    const body = {
      model: 'claude-3-5-sonnet-20241022',
      max_tokens: 100,
      messages: [{ role: 'user', content }],
    };
    // One word 1.13; three words and two blanks 3 × 1.13 + 2 × 0.39; each rounded up.
    expect(await charged('/v1/messages', body)).toEqual([3 + 1000 + 2, 5]);
  });
});

describe('Gemini', () => {
  it.each(['generateContent', 'streamGenerateContent?alt=sse'])('%s', async (action) => {
    gemini.answer((response) => {
      const parts = tools.map(({ name }) => ({ functionCall: { name, args: { place: 'Paris' } } }));
      const candidate = {
        candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
      };
      if (action === 'generateContent') return sendJson(response, 200, candidate);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`data: ${JSON.stringify(candidate)}\r\n\r\n`);
    });
    const body = {
      systemInstruction: { parts: [{ text: system }] },
      contents: [{ role: 'user', parts: [{ text: question }] }],
      tools: [{ functionDeclarations: tools }],
    };
    expect(await charged(`/v1beta/models/gpt-4.1-mini:${action}`, body)).toEqual([
      chatPrompt + toolsPrompt,
      callsTold,
    ]);
  });
});

describe('Responses', () => {
  it('a reply that repeats the request', async () => {
    bench.upstream.answer((response, request) => {
      const changes = { usage: undefined, instructions: system, tools: request.json['tools'] };
      sendJson(
        response,
        200,
        responseObject(request.json['model'], [messageItem('Hello from upstream')], changes),
      );
    });
    const functions = tools.map((tool) => ({ type: 'function', ...tool }));
    const body = { model: 'gpt-4o', instructions: system, input: question, tools: functions };
    expect(await charged('/v1/responses', body)).toEqual([chatPrompt + toolsPrompt, 3]);
  });

  it('a stream with calls', async () => {
    bench.upstream.answer((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const send = (event: Record<string, unknown>) =>
        response.write(`event: ${event['type']}\ndata: ${JSON.stringify(event)}\n\n`);
      for (const [output_index, { name }] of tools.entries()) {
        send({
          type: 'response.output_item.added',
          output_index,
          item: { type: 'function_call', name, arguments: '' },
        });
        send({ type: 'response.function_call_arguments.delta', output_index, delta: place });
      }
      send({ type: 'response.completed', response: { object: 'response', output: [] } });
      response.end();
    });
    const body = { model: 'gpt-4o', instructions: system, input: question, stream: true };
    expect(await charged('/v1/responses', body)).toEqual([chatPrompt, callsTold]);
  });
});

describe('plain texts', () => {
  const vectors: Answer = (response) =>
    sendJson(response, 200, {
      object: 'list',
      data: [{ object: 'embedding', index: 0, embedding: [0.5] }],
    });

  it.each([
    ['one text', question, 7],
    ['texts, written together', ['What is the weather', ' in Paris?'], 7],
    ['tokens', [1, 2, 3], 3],
    ['lists of tokens', [[1, 2], [3]], 3],
  ])('embeddings of %s', async (_name, input, tokens) => {
    bench.upstream.answer(vectors);
    expect(await charged('/v1/embeddings', { model: 'text-embedding-3-small', input })).toEqual([
      tokens,
      0,
    ]);
  });

  it.each([[question], [[question]]])(
    'completions %j have no marks around them',
    async (prompt) => {
      bench.upstream.answer((response) =>
        sendJson(response, 200, {
          object: 'text_completion',
          choices: [{ index: 0, text: 'Hello from upstream' }],
        }),
      );
      expect(await charged('/v1/completions', { model: 'gpt-3.5-turbo-instruct', prompt })).toEqual(
        [7, 3],
      );
      expect(
        await charged('/v1/completions', {
          model: 'gpt-3.5-turbo-instruct',
          prompt,
          suffix: question,
        }),
      ).toEqual([14, 3]);
    },
  );
});

describe('callers receive the usage that they are charged for', () => {
  const told = { prompt_tokens: chatPrompt, completion_tokens: 3, total_tokens: chatPrompt + 3 };
  const chat = { model: 'gpt-4o', messages, stream: true, stream_options: { include_usage: true } };

  it.each([
    ['gpt-4o', () => bench.upstream.answer(chatReply('Hello from upstream', null))],
    ['gpt-4.1', () => claude.answer(messagesReply('Hello from upstream', {}))],
  ])('a chunk of usage that the upstream of %s owed', async (model, script) => {
    script();
    const { key } = await bench.gateway.addCustomer(startQuota);
    const reply = await bench.post('/v1/chat/completions', key, JSON.stringify({ ...chat, model }));
    const chunks = (await reply.text()).split('\n\n').filter((line) => line.startsWith('data: {'));
    expect(JSON.parse(chunks.at(-1)?.slice('data: '.length) ?? '')).toMatchObject({
      choices: [],
      usage: told,
    });
  });

  it('a whole reply that is translated', async () => {
    claude.answer(messagesReply('Hello from upstream', {}));
    const { key } = await bench.gateway.addCustomer(startQuota);
    const reply = await bench.post(
      '/v1/chat/completions',
      key,
      JSON.stringify({ model: 'gpt-4.1', messages }),
    );
    expect(await reply.json()).toMatchObject({ usage: told });
  });
});

describe('free token counts', () => {
  it('counts tokens of messages as it would charge them', async () => {
    const { key } = await bench.gateway.addCustomer(startQuota);
    const count = async (path: string, body: object) =>
      (await bench.post(path, key, JSON.stringify(body))).json();
    const conversation = {
      model: 'gpt-4o',
      system,
      messages: [{ role: 'user', content: question }],
    };
    expect(await count('/v1/messages/count_tokens', conversation)).toEqual({
      input_tokens: 4 + 10,
    });
    const contents = [{ role: 'user', parts: [{ text: question }] }];
    const path = '/v1beta/models/gpt-4.1-mini:countTokens';
    expect(await count(path, { contents })).toEqual({ totalTokens: 14 });
    expect(await count(path, { generateContentRequest: { contents } })).toEqual({
      totalTokens: 14,
    });
  });
});

it('a hostile prompt neither stops the gateway nor escapes its charge', async () => {
  bench.upstream.answer(chatReply('Hello from upstream', null));
  const hostile = [{ role: 'user', content: 'a'.repeat(300_000) }];
  const [asked] = await charged('/v1/chat/completions', { model: 'gpt-4', messages: hostile });
  expect(asked).toBeGreaterThan(300_000 / 16);
});
