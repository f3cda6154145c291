/**
 * Vendors that want earlier thinking back in conversations that are forwarded
 * (docs/rules/formats.md#remembered-thinking).
 */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { sse } from '../../../support/half-answers.ts';
import { sendJson, startUpstream, type TestUpstream } from '../../../support/upstream.ts';

type Loose = Record<string, unknown>;
const recordsOf = (value: unknown) => (Array.isArray(value) ? (value as Loose[]) : []);

const usage = { prompt_tokens: 9, completion_tokens: 9, total_tokens: 18 };
const call = {
  id: 'call_1',
  type: 'function',
  function: { name: 'look', arguments: '{"at":"sky"}' },
};
const toolUse = { type: 'tool_use', id: 'toolu_1', name: 'look', input: { at: 'sky' } };

interface Wire {
  readonly path: string;
  /** What a vendor answers that thinks this. */
  whole(thought: string): Loose;
  events(thought: string): readonly object[];
  /** The next turn, by a client that returns nothing but the call. */
  readonly plain: readonly Loose[];
  /** The same turn with its thinking. */
  with(thought: string): Loose;
  readonly body: Loose;
}

const chunk = (delta: object, finish: string | null = null) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm' };
const messageUsage = { input_tokens: 9, output_tokens: 9 };
const inPieces = (thought: string) => thought.match(/.{1,4000}/gs) ?? [];

const chat: Wire = {
  path: '/v1/chat/completions',
  whole: (thought) => ({
    id: 'c',
    object: 'chat.completion',
    usage,
    choices: [
      {
        index: 0,
        finish_reason: 'tool_calls',
        message: { role: 'assistant', content: '', reasoning_content: thought, tool_calls: [call] },
      },
    ],
  }),
  events: (thought) => [
    chunk({ role: 'assistant', content: null }),
    ...inPieces(thought).map((piece) => chunk({ reasoning_content: piece })),
    chunk({ tool_calls: [{ index: 0, ...call, function: { name: 'look', arguments: '' } }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: '{"at":"sky"}' } }] }),
    { ...chunk({}, 'tool_calls'), usage },
  ],
  plain: [
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'call_1', content: 'blue' },
  ],
  with: (thought) => ({
    role: 'assistant',
    content: null,
    tool_calls: [call],
    reasoning_content: thought,
  }),
  body: {},
};

const messages: Wire = {
  path: '/v1/messages',
  whole: (thought) => ({
    ...message,
    stop_reason: 'tool_use',
    usage: messageUsage,
    content: [{ type: 'thinking', thinking: thought, signature: 'sig' }, toolUse],
  }),
  events: (thought) => [
    { type: 'message_start', message: { ...message, content: [], usage: messageUsage } },
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
    ...inPieces(thought).map((thinking) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'thinking_delta', thinking },
    })),
    {
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'signature_delta', signature: 'sig' },
    },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: { ...toolUse, input: {} } },
    {
      type: 'content_block_delta',
      index: 1,
      delta: { type: 'input_json_delta', partial_json: '{"at":"sky"}' },
    },
    { type: 'content_block_stop', index: 1 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: messageUsage },
    { type: 'message_stop' },
  ],
  plain: [
    { role: 'assistant', content: [toolUse] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'blue' }],
    },
  ],
  with: (thought) => ({
    role: 'assistant',
    content: [{ type: 'thinking', thinking: thought, signature: 'sig' }, toolUse],
  }),
  body: { max_tokens: 1000 },
};

let gateway: TestGateway;
let upstream: TestUpstream;

beforeAll(async () => {
  gateway = await startTestGateway();
  upstream = await startUpstream();
  await gateway.set('SelfUseModeEnabled', true);
  const baseUrl = upstream.url;
  const keys = { key: 'key-1\nkey-2\nkey-3', channel_info: { is_multi_key: true } };
  await gateway.addChannel({ type: 43, baseUrl, models: 'deepseek-v4-pro', key: keys.key });
  await gateway.addChannel({ type: 25, baseUrl, models: 'kimi-k3' });
  await gateway.addChannel({ type: 1, baseUrl, models: 'gpt-5.1' });
  const unchanged = JSON.stringify({ pass_through_body_enabled: true });
  await gateway.addChannel({ type: 43, baseUrl, models: 'deepseek-v4-flash', setting: unchanged });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});
beforeEach(() => {
  upstream.requests.length = 0;
});

const question = { role: 'user', content: 'Look at the sky.' };

async function ask(key: string, wire: Wire, model: string, stream: boolean, turns: object[]) {
  const reply = await fetch(gateway.url + wire.path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...wire.body, model, stream, messages: [question, ...turns] }),
  });
  const text = await reply.text();
  expect(reply.status, text).toBe(200);
}

/** What the vendor gets of the first turn with the second request. */
async function returned(
  wire: Wire,
  model: string,
  stream: boolean,
  thought: string,
  turns: readonly object[] = wire.plain,
) {
  upstream.requests.length = 0;
  upstream.answer((reply) => {
    if (!stream) return sendJson(reply, 200, wire.whole(thought));
    reply.writeHead(200, { 'content-type': 'text/event-stream' });
    reply.end(`${sse(...wire.events(thought))}${wire === chat ? 'data: [DONE]\n\n' : ''}`);
  });
  const { key } = await gateway.addCustomer(100_000_000);
  await ask(key, wire, model, stream, []);
  await ask(key, wire, model, stream, [...turns]);
  return recordsOf(upstream.requests[1]?.json['messages'])[1];
}

const thought = 'I look up. 天空';
const wires = { chat, messages };
const cases = (['chat', 'messages'] as const).flatMap((wire) =>
  ['deepseek-v4-pro', 'kimi-k3'].flatMap((model) =>
    [true, false].map((stream) => [wire, model, stream] as const),
  ),
);

it.each(cases)(
  '%s: a plain client’s turn returns to %s with its thinking (streamed: %s)',
  async (name, model, stream) => {
    const wire = wires[name];
    expect(await returned(wire, model, stream, thought)).toEqual(wire.with(thought));
  },
);

it.each(['chat', 'messages'] as const)('%s: what a client returns is its own', async (name) => {
  const wire = wires[name];
  const own = [wire.with('my own'), ...wire.plain.slice(1)];
  expect(await returned(wire, 'deepseek-v4-pro', true, thought, own)).toEqual(wire.with('my own'));
});

it('thinking of 400,000 characters is kept, more than is remembered is not', async () => {
  const long = 'thought '.repeat(50_000);
  expect(await returned(chat, 'deepseek-v4-pro', true, long)).toEqual(chat.with(long));
  const tooLong = 'thought '.repeat(150_000);
  // From V4 on a turn without thinking gets an empty one.
  expect(await returned(chat, 'deepseek-v4-pro', true, tooLong)).toEqual(chat.with(''));
});

it('vendors that do not ask for it get the body as it came', async () => {
  expect(await returned(chat, 'gpt-5.1', true, thought)).toEqual(chat.plain[0]);
});

it('bodies that a channel passes unchanged stay so', async () => {
  expect(await returned(chat, 'deepseek-v4-flash', true, thought)).toEqual(chat.plain[0]);
});

it('is nobody else’s, and not remembered where the site says so', async () => {
  await returned(chat, 'deepseek-v4-pro', false, thought);
  const { key } = await gateway.addCustomer(100_000_000);
  await ask(key, chat, 'deepseek-v4-pro', false, [...chat.plain]);
  expect(upstream.requests[2]?.text).not.toContain('I look up');
  await gateway.set('global.thinking_minutes', 0);
  upstream.requests.length = 0;
  expect(await returned(chat, 'deepseek-v4-pro', true, thought)).toEqual(chat.with(''));
  await gateway.set('global.thinking_minutes', 60);
});

it('is not that of another conversation with the same key, where calls are only counted', async () => {
  const { key } = await gateway.addCustomer(100_000_000);
  const counted = { ...call, id: 'functions.look:0' };
  const talk = (name: string, ...turns: object[]) => [
    { role: 'user', content: `I am ${name}.` },
    ...turns,
  ];
  const send = async (messages: object[]) => {
    const reply = await fetch(gateway.url + chat.path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'kimi-k3', messages }),
    });
    expect(reply.status).toBe(200);
    await reply.text();
  };
  for (const name of ['Ann', 'Bob']) {
    const message = { role: 'assistant', reasoning_content: `of ${name}`, tool_calls: [counted] };
    upstream.answer((reply) =>
      sendJson(reply, 200, {
        choices: [{ index: 0, finish_reason: 'tool_calls', message }],
        usage,
      }),
    );
    await send(talk(name));
  }
  for (const name of ['Ann', 'Bob']) {
    await send(
      talk(
        name,
        { role: 'assistant', content: null, tool_calls: [counted] },
        { role: 'tool', tool_call_id: counted.id, content: 'blue' },
      ),
    );
    const sent = upstream.requests.at(-1)?.json['messages'];
    expect(recordsOf(sent)[1]?.['reasoning_content']).toBe(`of ${name}`);
  }
});

it('a stream that broke is not remembered', async () => {
  upstream.answer((reply) => {
    reply.writeHead(200, { 'content-type': 'text/event-stream' });
    reply.end(sse(...chat.events(thought).slice(0, -1)));
  });
  const { key } = await gateway.addCustomer(100_000_000);
  await ask(key, chat, 'deepseek-v4-pro', true, []);
  await ask(key, chat, 'deepseek-v4-pro', true, [...chat.plain]);
  expect(upstream.requests[1]?.text).not.toContain('I look up');
});

it('a body that its format cannot read is forwarded as it is', async () => {
  const { key } = await gateway.addCustomer(100_000_000);
  upstream.answer((reply) => sendJson(reply, 200, chat.whole(thought)));
  await ask(key, chat, 'kimi-k3', false, [{ role: 'observer', content: 'odd' }]);
  expect(recordsOf(upstream.requests[0]?.json['messages'])[1]).toEqual({
    role: 'observer',
    content: 'odd',
  });
});
