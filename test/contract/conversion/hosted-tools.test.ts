/**
 * Tools that a vendor runs or defines reach an upstream that has them, or the request is refused
 * before anything is sent: none is left out of a request that is answered
 * (docs/rules/formats.md#hosted-tools).
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import {
  chatReply,
  errorReply,
  messagesReply,
  startUpstream,
  type TestUpstream,
} from '../../support/upstream.ts';

type Caller = 'chat' | 'messages' | 'Gemini' | 'Responses';

interface HostedTool {
  readonly caller: Caller;
  readonly name: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** What of it is in a body that has it. */
  readonly mark: RegExp;
}

const search = /search/i;
const own = /4711/;
const tools: readonly HostedTool[] = [
  { caller: 'chat', name: 'search', fields: { web_search_options: {} }, mark: search },
  {
    caller: 'chat',
    name: 'free text',
    fields: { tools: [{ type: 'custom', custom: { name: 'shell-4711' } }] },
    mark: own,
  },
  {
    caller: 'messages',
    name: 'search',
    fields: { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
    mark: search,
  },
  {
    caller: 'messages',
    name: 'computer',
    fields: { tools: [{ type: 'computer_20250124', name: 'computer', display_width_px: 4711 }] },
    mark: own,
  },
  {
    caller: 'messages',
    name: 'MCP',
    fields: { mcp_servers: [{ type: 'url', name: 'n', url: 'https://mcp.example/4711' }] },
    mark: own,
  },
  { caller: 'Gemini', name: 'search', fields: { tools: [{ googleSearch: {} }] }, mark: search },
  {
    caller: 'Gemini',
    name: 'search beside functions',
    fields: {
      tools: [{ googleSearch: {} }, { functionDeclarations: [{ name: 'look' }] }],
    },
    mark: search,
  },
  {
    caller: 'Gemini',
    name: 'a browser beside functions, in one tool',
    fields: {
      tools: [{ functionDeclarations: [{ name: 'look' }], computerUse: { environment: '4711' } }],
    },
    mark: own,
  },
  {
    caller: 'Gemini',
    name: 'code',
    fields: { tools: [{ codeExecution: {} }] },
    mark: /codeExecution/,
  },
  {
    caller: 'Gemini',
    name: 'files',
    fields: { tools: [{ fileSearch: { fileSearchStoreNames: ['4711'] } }] },
    mark: own,
  },
  {
    caller: 'Responses',
    name: 'search',
    fields: { tools: [{ type: 'web_search' }] },
    mark: search,
  },
  {
    caller: 'Responses',
    name: 'search beside functions',
    fields: {
      tools: [
        { type: 'web_search' },
        { type: 'function', name: 'look', parameters: { type: 'object', properties: {} } },
      ],
    },
    mark: search,
  },
  {
    caller: 'Responses',
    name: 'MCP',
    fields: { tools: [{ type: 'mcp', server_label: '4711', server_url: 'https://mcp.example' }] },
    mark: own,
  },
  {
    caller: 'Responses',
    name: 'free text',
    fields: { tools: [{ type: 'custom', name: 'patch_4711' }] },
    mark: own,
  },
];

const channels: readonly (readonly [
  name: string,
  model: string,
  fields: Record<string, unknown>,
])[] = [
  ['OpenAI', 'gpt-4o', { type: 1 }],
  ['OpenAI by chat', 'gpt-4.1', { type: 1, setting: '{"use_responses":false}' }],
  ['Azure', 'gpt-4o-mini', { type: 3, other: '2024-10-21' }],
  ['Claude', 'claude-sonnet-4-5', { type: 14 }],
  ['Gemini', 'gemini-2.5-flash', { type: 24 }],
  ['Bedrock', 'claude-sonnet-4-20250514', { type: 33, key: 'AKIDEXAMPLE|secret|us-east-1' }],
  ['Converse', 'nova-pro-v1:0', { type: 33, key: 'AKIDEXAMPLE|secret|us-east-1' }],
  ['Cohere', 'command-a-03-2025', { type: 34 }],
  ['DeepSeek', 'deepseek-chat', { type: 43 }],
  ['Mistral', 'mistral-large-latest', { type: 42 }],
  ['Moonshot', 'kimi-k2.5', { type: 25 }],
  ['Ali', 'qwen-plus', { type: 17 }],
  ['Zhipu', 'glm-4.6', { type: 26 }],
  ['MiniMax', 'MiniMax-M2', { type: 35 }],
  ['Volcano Ark', 'doubao-seed-1-6', { type: 45 }],
  ['xAI', 'grok-4', { type: 48 }],
  ['OpenRouter', 'openai/gpt-4o', { type: 20 }],
  ['Ollama', 'llama3.1', { type: 4 }],
  ['Dify', 'app', { type: 37 }],
  ['FastGPT', 'fast', { type: 22 }],
  ['SiliconCloud', 'Qwen/Qwen3-32B', { type: 40 }],
  ['Cloudflare', '@cf/meta/llama-3.1-8b-instruct', { type: 39, other: 'account' }],
];

function ask(caller: Caller, model: string, fields: object): readonly [string, object] {
  switch (caller) {
    case 'chat':
      return [
        '/v1/chat/completions',
        { model, messages: [{ role: 'user', content: 'Hi' }], ...fields },
      ];
    case 'messages':
      return [
        '/v1/messages',
        { model, max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }], ...fields },
      ];
    case 'Gemini':
      return [
        `/v1beta/models/${model}:generateContent`,
        { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }], ...fields },
      ];
    case 'Responses':
      return ['/v1/responses', { model, input: 'Hi', ...fields }];
  }
}

let gateway: TestGateway;
let upstream: TestUpstream;
let key: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  upstream = await startUpstream();
  await gateway.set('SelfUseModeEnabled', true);
  await gateway.set('RetryTimes', 0);
  await gateway.set('AutomaticDisableChannelEnabled', false);
  key = (await gateway.addCustomer(1_000_000_000)).key;
  for (const [, models, fields] of channels)
    await gateway.addChannel({ type: 1, baseUrl: upstream.url, models, ...fields });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});
beforeEach(() => {
  upstream.requests.length = 0;
  // Whatever was sent is looked at; what it is answered with does not matter.
  upstream.answer(errorReply(404, { message: 'seen' }));
});

async function send(caller: Caller, model: string, fields: object) {
  const [path, body] = ask(caller, model, fields);
  const reply = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { reply, text: await reply.text() };
}

describe.each(tools)('$caller: $name', ({ caller, name, fields, mark }) => {
  // An application of Dify has tools of its own, and takes no functions, which free text becomes.
  const asked = channels.filter(([vendor]) => vendor !== 'Dify' || name !== 'free text');
  it.each(asked)('→ %s', async (_, model) => {
    const { reply, text } = await send(caller, model, fields);
    const [sent] = upstream.requests;
    if (sent !== undefined) return expect(sent.text).toMatch(mark);
    expect(reply.status, text).toBe(400);
    expect(reply.headers.get('x-should-retry')).toBe('false');
    expect(text).toMatch(/unsupported|does not support|不支持/);
  });
});

describe('where one channel has no search', () => {
  const model = 'two-channels';
  const fields = { tools: [{ type: 'web_search_20250305', name: 'web_search' }] };

  it('another serves the request, and that costs no retry', async () => {
    const ids = [
      await gateway.addChannel({ type: 34, baseUrl: upstream.url, models: model, priority: 9 }),
      await gateway.addChannel({ type: 14, baseUrl: upstream.url, models: model }),
    ];
    upstream.answer(messagesReply('found'));
    const { reply, text } = await send('messages', model, fields);
    expect(reply.status, text).toBe(200);
    expect(upstream.requests.map(({ path }) => path)).toEqual(['/v1/messages']);
    for (const id of ids) await gateway.client.channel.remove({ id });
  });

  it('a channel may leave it out (leave_out_tools)', async () => {
    const id = await gateway.addChannel({
      type: 42,
      baseUrl: upstream.url,
      models: model,
      setting: '{"leave_out_tools":true}',
    });
    upstream.answer(chatReply('no search'));
    const look = { name: 'look', input_schema: { type: 'object', properties: {} } };
    const { reply, text } = await send('messages', model, { tools: [...fields.tools, look] });
    expect(reply.status, text).toBe(200);
    const [sent] = upstream.requests;
    expect(sent?.json).toMatchObject({ tools: [{ function: { name: 'look' } }] });
    expect(sent?.text).not.toMatch(search);
    await gateway.client.channel.remove({ id });
  });
});
