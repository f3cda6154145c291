/**
 * Thinking goes on in the second turn of a tool loop, whatever the formats of caller and upstream
 * (docs/rules/formats.md#thinking-kept).
 */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { foreignSignature as mark } from '../../../src/core/canonical/kit/foreign-signature.ts';
import { readEvents } from '../../../src/core/relay/formats/shared/events.ts';
import { startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { sse } from '../../support/half-answers.ts';
import {
  type Answer,
  errorReply,
  sendJson,
  startUpstream,
  type TestUpstream,
} from '../../support/upstream.ts';
import { type CallerName, thinkingCallers } from './thinking-callers.ts';

type Loose = Record<string, unknown>;
const listOf = (value: unknown) => (Array.isArray(value) ? (value as Loose[]) : []);
const thought = 'Let me look up.';
const args = '{"at":"sky"}';
const response = { id: 'resp_1', object: 'response', status: 'completed' };
const items = [
  {
    id: 'rs_1',
    type: 'reasoning',
    encrypted_content: 'enc-openai',
    summary: [{ type: 'summary_text', text: thought }],
  },
  { id: 'fc_1', type: 'function_call', call_id: 'call_1', name: 'look', arguments: args },
];
const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm' };
const blocks = [
  { type: 'thinking', thinking: thought, signature: 'sig-claude' },
  { type: 'tool_use', id: 'toolu_1', name: 'look', input: JSON.parse(args) as object },
];
const chatCall = { id: 'call_d', type: 'function', function: { name: 'look', arguments: args } };
const chatTurn = { role: 'assistant', reasoning_content: thought, tool_calls: [chatCall] };
const chatChunk = (delta: object, finish_reason: string | null = null) => ({
  id: 'c',
  choices: [{ index: 0, delta, finish_reason }],
});
const usage = { input_tokens: 9, output_tokens: 9 };

interface Vendor {
  readonly channel: Record<string, unknown>;
  readonly model: string;
  readonly whole: object;
  readonly events: readonly object[];
  /** What the second request holds of the first turn's thinking. */
  returned(body: Loose): unknown;
  readonly thinking: unknown;
}

const vendors: Readonly<Record<string, Vendor>> = {
  Claude: {
    channel: { type: 14 },
    model: 'claude-sonnet-4-5',
    whole: { ...message, content: blocks, stop_reason: 'tool_use', usage },
    events: [
      { type: 'message_start', message: { ...message, content: [], usage } },
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
      ...[thought.slice(0, 6), thought.slice(6)].map((text) => ({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'thinking_delta', thinking: text },
      })),
      {
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'signature_delta', signature: 'sig-claude' },
      },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { ...blocks[1], input: {} } },
      {
        type: 'content_block_delta',
        index: 1,
        delta: { type: 'input_json_delta', partial_json: args },
      },
      { type: 'content_block_stop', index: 1 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage },
      { type: 'message_stop' },
    ],
    returned: ({ messages, thinking }) => [
      (thinking as Loose | undefined)?.['type'],
      listOf(listOf(messages)[1]?.['content'])[0],
    ],
    thinking: ['enabled', blocks[0]],
  },
  OpenAI: {
    channel: { type: 1, setting: JSON.stringify({ use_responses: true }) },
    model: 'gpt-5',
    whole: { ...response, output: items, usage },
    events: [
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item: { ...items[0], summary: [] } },
      {
        type: 'response.reasoning_summary_text.delta',
        item_id: 'rs_1',
        output_index: 0,
        summary_index: 0,
        delta: thought,
      },
      { type: 'response.output_item.done', output_index: 0, item: items[0] },
      { type: 'response.output_item.added', output_index: 1, item: { ...items[1], arguments: '' } },
      { type: 'response.output_item.done', output_index: 1, item: items[1] },
      { type: 'response.completed', response: { ...response, output: items, usage } },
    ],
    returned: ({ input, include }) => [
      include,
      listOf(input)
        .filter(({ type }) => type === 'reasoning')
        .map((item) => [item['id'], item['encrypted_content']]),
    ],
    thinking: [['reasoning.encrypted_content'], [['rs_1', 'enc-openai']]],
  },
};

const geminiParts = [
  { text: thought, thought: true },
  {
    functionCall: { name: 'look', args: JSON.parse(args) as object },
    thoughtSignature: 'c2lnLWdlbWluaQ==',
  },
];
const geminiReply = (parts: readonly object[], finishReason?: string) => ({
  candidates: [{ index: 0, content: { role: 'model', parts }, finishReason }],
  usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 9 },
  responseId: 'gemini-1',
});

/** Whose clients have no place for what they need back. */
const forgetful: Readonly<Record<string, Vendor>> = {
  ...vendors,
  Gemini: {
    channel: { type: 24 },
    model: 'gemini-3.1-pro-preview',
    whole: geminiReply(geminiParts, 'STOP'),
    events: [geminiReply(geminiParts.slice(0, 1)), geminiReply(geminiParts.slice(1), 'STOP')],
    returned: ({ contents }) =>
      listOf(listOf(contents)[1]?.['parts'])
        .filter((part) => part['functionCall'] !== undefined)
        .map((part) => part['thoughtSignature']),
    thinking: ['c2lnLWdlbWluaQ=='],
  },
  DeepSeek: {
    channel: { type: 43 },
    model: 'deepseek-v4-pro',
    whole: {
      id: 'c',
      choices: [{ index: 0, message: chatTurn, finish_reason: 'tool_calls' }],
    },
    events: [
      chatChunk({ role: 'assistant', reasoning_content: thought }),
      chatChunk({ tool_calls: [{ index: 0, ...chatCall }] }),
      chatChunk({}, 'tool_calls'),
    ],
    returned: ({ messages }) => listOf(messages)[1]?.['reasoning_content'],
    thinking: thought,
  },
};

let gateway: TestGateway;
let upstream: TestUpstream;

beforeAll(async () => {
  gateway = await startTestGateway();
  upstream = await startUpstream();
  await gateway.set('SelfUseModeEnabled', true);
  for (const { channel, model } of Object.values(forgetful))
    await gateway.addChannel({ type: 1, baseUrl: upstream.url, models: model, ...channel });
  await gateway.addChannel({ type: 24, baseUrl: upstream.url, models: 'gemini-2.5-flash' });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});
beforeEach(() => {
  upstream.requests.length = 0;
});

/** As some servers do, although a reply in one piece was requested. */
const streamingUnasked =
  ({ events }: Vendor): Answer =>
  (reply) => {
    reply.writeHead(200, { 'content-type': 'text/event-stream' });
    reply.end(sse(...events));
  };

const answering =
  ({ whole, events }: Vendor): Answer =>
  (reply, { json, path }) => {
    if (json['stream'] !== true && !path.includes('stream')) return sendJson(reply, 200, whole);
    reply.writeHead(200, { 'content-type': 'text/event-stream' });
    reply.end(sse(...events));
  };

async function post(key: string, { path, body }: { path: string; body: Loose }): Promise<string> {
  const reply = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await reply.text();
  expect(reply.status, text).toBe(200);
  return text;
}

async function secondTurn(name: CallerName, vendor: Vendor, stream: boolean, keeps: boolean) {
  const caller = thinkingCallers[name];
  upstream.answer(answering(vendor));
  const { key } = await gateway.addCustomer(100_000_000);
  const text = await post(key, caller.request(vendor.model, stream));
  const answer = stream
    ? caller.streamed(
        readEvents(Buffer.from(text)).flatMap(({ data }) =>
          data === '[DONE]' ? [] : [JSON.parse(data) as Loose],
        ),
      )
    : caller.whole(JSON.parse(text) as Loose);
  await post(key, caller.request(vendor.model, stream, keeps ? answer : caller.plain(answer)));
  return vendor.returned(upstream.requests[1]?.json ?? {});
}

const places: readonly CallerName[] = ['chat', 'responses', 'messages', 'gemini'];
const cases = Object.keys(vendors).flatMap((vendor) =>
  places
    .filter((caller) => caller !== 'responses' || vendor !== 'OpenAI')
    .flatMap((caller) => [true, false].map((stream) => [caller, vendor, stream] as const)),
);

it.each(cases)(
  'a caller of %s returns the thinking of %s in a place of its format (streamed: %s)',
  async (caller, name, stream) => {
    const vendor = vendors[name] as Vendor;
    expect(await secondTurn(caller, vendor, stream, true)).toEqual(vendor.thinking);
  },
);

const callers: readonly CallerName[] = [...places, 'cohere'];
/** A caller of the upstream's own wire gets all of it, and returns it or not. */
const isOwn = (caller: CallerName, vendor: string) =>
  [
    'responses OpenAI',
    'messages Claude',
    'gemini Gemini',
    'chat DeepSeek',
    'messages DeepSeek',
  ].includes(`${caller} ${vendor}`);
const plainCases = Object.keys(forgetful).flatMap((vendor) =>
  callers
    .filter((caller) => !isOwn(caller, vendor))
    .flatMap((caller) => [true, false].map((stream) => [caller, vendor, stream] as const)),
);

it.each(plainCases)(
  'a plain caller of %s, who returns nothing, keeps the thinking of %s (streamed: %s)',
  async (caller, name, stream) => {
    const vendor = forgetful[name] as Vendor;
    expect(await secondTurn(caller, vendor, stream, false)).toEqual(vendor.thinking);
  },
);

it('a stream that nobody asked for is remembered like others', async () => {
  const vendor = vendors['Claude'] as Vendor;
  const caller = thinkingCallers.chat;
  upstream.answer(streamingUnasked(vendor));
  const { key } = await gateway.addCustomer(100_000_000);
  const text = await post(key, caller.request(vendor.model, false));
  const answer = caller.streamed(
    readEvents(Buffer.from(text)).flatMap(({ data }) =>
      data === '[DONE]' ? [] : [JSON.parse(data) as Loose],
    ),
  );
  await post(key, caller.request(vendor.model, false, caller.plain(answer)));
  expect(vendor.returned(upstream.requests[1]?.json ?? {})).toEqual(vendor.thinking);
});

it.each(places)(
  'Claude behind the ARN of a profile of Bedrock thinks on for a plain caller of %s',
  async (caller) => {
    const model = 'claude-opus-4-5';
    const arn = 'arn:aws:bedrock:us-east-1:1:application-inference-profile/x1';
    const id = await gateway.addChannel({
      type: 33,
      baseUrl: upstream.url,
      models: model,
      model_mapping: JSON.stringify({ [model]: arn }),
      key: 'AKIDEXAMPLE|secret|us-east-1',
    });
    const reasoningContent = { reasoningText: { text: thought, signature: 'sig-claude' } };
    const toolUse = { toolUseId: 'tooluse_1', name: 'look', input: JSON.parse(args) as object };
    const bedrock: Vendor = {
      channel: {},
      model,
      whole: {
        output: { message: { role: 'assistant', content: [{ reasoningContent }, { toolUse }] } },
        stopReason: 'tool_use',
        usage: { inputTokens: 9, outputTokens: 9 },
      },
      events: [],
      returned: ({ messages, additionalModelRequestFields: fields }) => [
        ((fields as Loose | undefined)?.['thinking'] as Loose | undefined)?.['type'],
        listOf(listOf(messages)[1]?.['content'])[0],
      ],
      thinking: ['enabled', { reasoningContent }],
    };
    expect(await secondTurn(caller, bedrock, false, false)).toEqual(bedrock.thinking);
    // Where the thinking is lost, it is off rather than refused.
    await gateway.set('global.thinking_minutes', 0);
    upstream.requests.length = 0;
    const [type, first] = (await secondTurn(caller, bedrock, false, false)) as [string, Loose];
    expect([type, Object.keys(first)]).toEqual([undefined, ['toolUse']]);
    await gateway.set('global.thinking_minutes', 60);
    await gateway.client.channel.remove({ id });
  },
);

it('is not remembered where the site says so', async () => {
  await gateway.set('global.thinking_minutes', 0);
  const { Claude } = vendors as { Claude: Vendor };
  const [type, first] = (await secondTurn('chat', Claude, true, false)) as [string, Loose];
  expect([type, first['type']]).toEqual([undefined, 'tool_use']);
  await gateway.set('global.thinking_minutes', 60);
});

it('is not another user’s', async () => {
  const { Claude } = vendors as { Claude: Vendor };
  const caller = thinkingCallers.chat;
  upstream.answer(answering(Claude));
  const [one, other] = [
    await gateway.addCustomer(100_000_000),
    await gateway.addCustomer(100_000_000),
  ];
  const text = await post(one.key, caller.request(Claude.model, false));
  const answer = caller.plain(caller.whole(JSON.parse(text) as Loose));
  await post(other.key, caller.request(Claude.model, false, answer));
  expect(upstream.requests[1]?.text).not.toContain('sig-claude');
  await post(one.key, caller.request(Claude.model, false, answer));
  expect(upstream.requests[2]?.text).toContain('sig-claude');
});

it('goes to every account where its maker says it is valid, else only to its own', async () => {
  await gateway.set('RetryTimes', 1);
  const { OpenAI, Claude } = vendors as { OpenAI: Vendor; Claude: Vendor };
  for (const [vendor, travels] of [
    [Claude, true],
    [OpenAI, false],
  ] as const) {
    const caller = thinkingCallers.chat;
    const other = await startUpstream();
    other.answer(answering(vendor));
    await gateway.addChannel({
      type: 1,
      baseUrl: other.url,
      models: vendor.model,
      key: 'another-key',
      priority: -1,
      ...vendor.channel,
    });
    upstream.answer(answering(vendor));
    const { key } = await gateway.addCustomer(100_000_000);
    const first = await post(key, caller.request(vendor.model, true));
    const answer = caller.streamed(
      readEvents(Buffer.from(first)).flatMap(({ data }) =>
        data === '[DONE]' ? [] : [JSON.parse(data) as Loose],
      ),
    );
    upstream.answer(errorReply(429, { message: 'busy' }));
    await post(key, caller.request(vendor.model, true, answer));
    expect(other.requests).toHaveLength(1);
    expect(other.requests[0]?.text.includes(travels ? 'sig-claude' : 'enc-openai')).toBe(travels);
    await other.close();
  }
});

it.each([
  [
    'messages',
    '/v1/messages',
    {
      model: 'claude-sonnet-4-5',
      max_tokens: 99,
      messages: [
        { role: 'user', content: 'hi' },
        {
          role: 'assistant',
          content: [
            {
              type: 'thinking',
              thinking: 'hm',
              signature: `${mark}:openai-responses:signature::s`,
            },
            { type: 'redacted_thinking', data: `${mark}:openai-responses:redacted::s` },
            { type: 'text', text: 'Hello' },
          ],
        },
        { role: 'user', content: 'go on' },
      ],
    },
  ],
  [
    'Responses',
    '/v1/responses',
    {
      model: 'gpt-5',
      input: [
        {
          type: 'reasoning',
          summary: [],
          encrypted_content: `${mark}:anthropic-messages:redacted::s`,
        },
        { role: 'user', content: 'hi' },
      ],
    },
  ],
  [
    'Gemini',
    '/v1beta/models/gemini-2.5-flash:generateContent',
    {
      contents: [
        { role: 'user', parts: [{ text: 'hi' }] },
        {
          role: 'model',
          parts: [
            {
              text: 'hm',
              thought: true,
              thoughtSignature: Buffer.from(`${mark}:anthropic-messages:signature::s`).toString(
                'base64',
              ),
            },
            { text: 'Hello' },
          ],
        },
      ],
    },
  ],
] as const)('%s gets no thinking of other vendors from its own callers', async (_, path, body) => {
  upstream.answer(errorReply(400, { message: 'seen' }));
  const { key } = await gateway.addCustomer(100_000_000);
  await fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const { text = '' } = upstream.requests[0] ?? {};
  expect(text).toContain('hi');
  expect(text).not.toContain('hm');
  expect(text).not.toContain(mark);
  expect(text).not.toContain('thoughtSignature');
});
