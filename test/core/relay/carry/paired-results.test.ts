/**
 * Calls and results of conversations that go to another wire: each call has an id of its own and
 * its result directly behind it (docs/rules/formats.md#turns). Covers
 * src/core/canonical/kit/paired-results.ts.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  carryBytes,
  carrySignature,
} from '../../../../src/core/canonical/kit/foreign-signature.ts';
import { type CallBench, startCallBench } from '../../../support/calls.ts';
import { generateReply } from '../../../support/gemini-upstream.ts';
import { responsesReply } from '../../../support/responses-upstream.ts';
import { type Answer, chatReply, messagesReply, sendJson } from '../../../support/upstream.ts';

type Loose = Record<string, unknown>;

const wires = {
  chat: { model: 'yi-large', type: 31, answer: chatReply() },
  messages: { model: 'claude-sonnet-4-5', type: 14, answer: messagesReply() },
  gemini: { model: 'gemini-2.5-flash', type: 24, answer: generateReply() },
  responses: { model: 'gpt-5.2', type: 1, answer: responsesReply() },
} satisfies Record<string, { model: string; type: number; answer: Answer }>;
type Wire = keyof typeof wires;

let bench: CallBench;
let customer: Awaited<ReturnType<CallBench['gateway']['addCustomer']>>;

beforeAll(async () => {
  bench = await startCallBench('none');
  for (const { model, type } of Object.values(wires))
    await bench.gateway.addChannel({
      type,
      baseUrl: bench.upstream.url,
      models: model,
      ...(type === 1 && { setting: JSON.stringify({ use_responses: true }) }),
    });
  customer = await bench.gateway.addCustomer(1e12);
});
afterAll(() => bench.close());
beforeEach(() => bench.upstream.requests.splice(0));

/** What the upstream of this wire was sent. */
async function sent(wire: Wire, path: string, body: Loose): Promise<Loose> {
  const { model, answer } = wires[wire];
  bench.upstream.answer(answer);
  const reply = await bench.post(
    path.replace('MODEL', model),
    customer.key,
    JSON.stringify({ model, ...body }),
  );
  expect([reply.status, await reply.text()]).toEqual([200, expect.any(String)]);
  expect(bench.upstream.requests).toHaveLength(1);
  return bench.upstream.requests[0]?.json ?? {};
}

const listOf = (value: unknown) => (Array.isArray(value) ? (value as Loose[]) : []);

/** Calls, results and the user's texts in the order of the upstream's body, in one notation. */
const outline: Record<Wire, (body: Loose) => string[]> = {
  chat: ({ messages }) =>
    listOf(messages).flatMap(({ role, content, tool_calls: calls, tool_call_id: id }) => {
      if (role === 'tool') return [`result ${id} ${content}`];
      if (role === 'user') return [`user ${content}`];
      return listOf(calls).map((call) => `call ${call['id']}`);
    }),
  messages: ({ messages }) =>
    listOf(messages)
      .flatMap(({ content }) => listOf(content))
      .flatMap(({ type, id, tool_use_id: of, content, text }) => {
        if (type === 'tool_use') return [`call ${id}`];
        return type === 'tool_result'
          ? [`result ${of} ${listOf(content)[0]?.['text'] ?? ''}`]
          : [`user ${text}`];
      }),
  gemini: ({ contents }) =>
    listOf(contents)
      .flatMap(({ parts }) => listOf(parts))
      .map(({ functionCall: call, functionResponse: response, text }) => {
        if (call !== undefined) return `call ${JSON.stringify((call as Loose)['args'])}`;
        return response === undefined
          ? `user ${text}`
          : `result ${JSON.stringify((response as Loose)['response'])}`;
      }),
  responses: ({ input }) =>
    listOf(input).map(({ type, call_id: id, output, content }) => {
      if (type === 'function_call') return `call ${id}`;
      if (type === 'function_call_output') return `result ${id} ${output}`;
      return `user ${typeof content === 'string' ? content : listOf(content)[0]?.['text']}`;
    }),
};

const chatCall = (id: string, args: string) => ({
  id,
  type: 'function',
  function: { name: 'look', arguments: args },
});

describe('a result that is apart from its call', () => {
  const call = (id: string) => ({
    type: 'function_call',
    call_id: id,
    name: 'look',
    arguments: `{"at":"${id}"}`,
  });
  const output = (id: string) => ({
    type: 'function_call_output',
    call_id: id,
    output: `of ${id}`,
  });
  const input = [
    { role: 'user', content: 'look' },
    call('a'),
    call('b'),
    output('a'),
    { role: 'user', content: 'hurry' },
    output('b'),
    { role: 'user', content: 'go on' },
  ];
  const expected = ['call a', 'call b', 'result a of a', 'result b of b', 'user hurry'];

  it.each(['chat', 'messages'] as const)('is put behind it for %s', async (wire) => {
    const body = await sent(wire, '/v1/responses', { input, store: false });
    expect(outline[wire](body)).toEqual(['user look', ...expected, 'user go on']);
  });

  it('is that of its call for gemini', async () => {
    const body = await sent('gemini', '/v1/responses', { input, store: false });
    expect(outline.gemini(body).slice(1, 5)).toEqual([
      'call {"at":"a"}',
      'call {"at":"b"}',
      'result {"content":"of a"}',
      'result {"content":"of b"}',
    ]);
  });
});

describe('a result without a call', () => {
  const lost = { type: 'tool_result', tool_use_id: 'gone', content: 'lost', is_error: true };
  const messages = [{ role: 'user', content: [lost, { type: 'text', text: 'hi' }] }];

  it.each(['chat', 'gemini', 'responses'] as const)(
    'is a text of the user for %s',
    async (wire) => {
      const body = await sent(wire, '/v1/messages', { messages, max_tokens: 100 });
      const texts = outline[wire](body).join('\n');
      expect(texts).not.toContain('result');
      expect(JSON.stringify(body)).toMatch(/Error:.*lost/);
    },
  );
});

describe('calls with the same id', () => {
  const turn = (...calls: object[]) => ({ role: 'assistant', content: null, tool_calls: calls });
  const result = (content: string) => ({ role: 'tool', tool_call_id: 'call_0', content });
  const first = { role: 'user', content: 'look' };
  const conversations = {
    'of two turns': [
      first,
      turn(chatCall('call_0', '{"at":1}')),
      result('one'),
      turn(chatCall('call_0', '{"at":2}')),
      result('two'),
    ],
    'of one turn': [
      first,
      turn(chatCall('call_0', '{"at":1}'), chatCall('call_0', '{"at":2}')),
      result('one'),
      result('two'),
    ],
  };

  it.each(Object.entries(conversations))('%s have an id each for messages', async (_, messages) => {
    const body = await sent('messages', '/v1/chat/completions', { messages });
    const lines = outline.messages(body);
    expect(lines.filter((line) => line.startsWith('call'))).toEqual([
      'call call_0',
      'call call_0_2',
    ]);
    expect(lines.filter((line) => line.startsWith('result'))).toEqual([
      'result call_0 one',
      'result call_0_2 two',
    ]);
  });

  it('of one turn have a result each for gemini', async () => {
    const messages = conversations['of one turn'];
    const body = await sent('gemini', '/v1/chat/completions', { messages });
    expect(outline.gemini(body).slice(-2)).toEqual([
      'result {"content":"one"}',
      'result {"content":"two"}',
    ]);
  });
});

describe('a failed result', () => {
  it.each([
    ['a list', '["no such file"]', { error: { result: ['no such file'] } }],
    ['an object', '{"code":2}', { error: { code: 2 } }],
    ['a text', 'no such file', { error: { content: 'no such file' } }],
  ])('that is %s is an error for gemini', async (_, content, response) => {
    const body = await sent('gemini', '/v1/messages', {
      max_tokens: 100,
      messages: [
        { role: 'user', content: 'look' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'look', input: {} }] },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 't', is_error: true, content }],
        },
      ],
    });
    expect(outline.gemini(body).at(-1)).toBe(`result ${JSON.stringify(response)}`);
  });
});

describe('thinking of a caller of another format', () => {
  const signed = { signature: 'SIG', origin: 'anthropic-messages' } as const;
  const thinkingIn = ({ messages }: Loose) =>
    listOf(messages)
      .flatMap(({ content }) => listOf(content))
      .filter(({ type }) => type === 'thinking');

  it('of Claude is whole, although Gemini callers return it in pieces of one content', async () => {
    const body = await sent('messages', '/v1beta/models/MODEL:generateContent', {
      contents: [
        { role: 'user', parts: [{ text: 'look' }] },
        {
          role: 'model',
          parts: [
            { text: 'I have ', thought: true },
            { text: 'to look.', thought: true, thoughtSignature: carryBytes(signed) },
            { functionCall: { id: 'c', name: 'look', args: {} } },
          ],
        },
        {
          role: 'user',
          parts: [{ functionResponse: { id: 'c', name: 'look', response: { output: 'blue' } } }],
        },
      ],
      generationConfig: { thinkingConfig: { thinkingBudget: 2048 } },
    });
    expect(thinkingIn(body)).toEqual([
      { type: 'thinking', thinking: 'I have to look.', signature: 'SIG' },
    ]);
  });

  it('of OpenAI is left out where its answer was interrupted, which OpenAI refuses', async () => {
    const thinking = (text: string) => ({
      type: 'thinking',
      thinking: text,
      signature: carrySignature({ signature: 'SIG', origin: 'openai-responses', id: `rs_${text}` }),
    });
    const body = await sent('responses', '/v1/messages', {
      max_tokens: 100,
      messages: [
        { role: 'user', content: 'look' },
        { role: 'assistant', content: [thinking('first'), { type: 'text', text: 'It is blue.' }] },
        { role: 'user', content: 'and now?' },
        { role: 'assistant', content: [thinking('interrupted')] },
        { role: 'user', content: 'go on' },
        { role: 'assistant', content: [thinking('apart')] },
        { role: 'assistant', content: [{ type: 'text', text: 'It is red.' }] },
        { role: 'user', content: 'thanks' },
      ],
    });
    const ids = listOf(body['input']).flatMap(({ type, id }) => (type === 'reasoning' ? [id] : []));
    expect(ids).toEqual(['rs_first', 'rs_apart']);
  });

  it('of Claude does not end the request, which Claude refuses', async () => {
    const reasoning = (text: string) => ({
      type: 'reasoning',
      summary: [{ type: 'summary_text', text }],
      encrypted_content: carrySignature(signed),
    });
    const body = await sent('messages', '/v1/responses', {
      store: false,
      reasoning: { effort: 'high' },
      input: [
        { role: 'user', content: 'look' },
        reasoning('earlier'),
        { role: 'assistant', content: 'It is blue.' },
        { role: 'user', content: 'and now?' },
        reasoning('cut off'),
      ],
    });
    expect(listOf(body['messages']).at(-1)).toMatchObject({ role: 'user' });
    expect(thinkingIn(body)).toMatchObject([{ thinking: 'earlier' }]);
  });
});

describe('calls that come without an id', () => {
  const question = { messages: [{ role: 'user', content: 'look' }] };
  const input = { at: 'sky' };
  const messagesCall =
    (id: string): Answer =>
    (response, request) => {
      const block = { type: 'tool_use', name: 'look', input };
      const usage = { input_tokens: 10, output_tokens: 5 };
      const message = { id, type: 'message', role: 'assistant', content: [block], usage };
      if (request.json['stream'] !== true)
        return sendJson(response, 200, { ...message, stop_reason: 'tool_use' });
      const events = [
        { type: 'message_start', message: { ...message, content: [] } },
        { type: 'content_block_start', index: 0, content_block: block },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage },
        { type: 'message_stop' },
      ];
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
    };

  it.each([false, true])('get one of their own in each reply, streamed: %s', async (stream) => {
    const ids = new Set<string | undefined>();
    for (const reply of ['msg_1', 'msg_2']) {
      bench.upstream.answer(messagesCall(reply));
      const text = await (
        await bench.post(
          '/v1/chat/completions',
          customer.key,
          JSON.stringify({ ...question, model: wires.messages.model, stream }),
        )
      ).text();
      ids.add(/"id":"(call_[^"]+)"/.exec(text)?.[1]);
    }
    expect([...ids]).toEqual([expect.any(String), expect.any(String)]);
  });
});

describe('a call whose arguments were left out', () => {
  const upstreams: Partial<Record<Wire, Answer>> = {
    chat: (response, request) => {
      const call = { index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } };
      const head = { id: 'c', created: 1, model: 'm' };
      const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
      const end = { index: 0, finish_reason: 'tool_calls' };
      if (request.json['stream'] !== true) {
        const message = { role: 'assistant', content: null, tool_calls: [call] };
        return sendJson(response, 200, { ...head, choices: [{ ...end, message }], usage });
      }
      const chunks = [{ choices: [{ index: 0, delta: { tool_calls: [call] } }] }];
      const last = { choices: [{ ...end, delta: {} }], usage };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const chunk of [...chunks, last])
        response.write(`data: ${JSON.stringify({ ...head, ...chunk })}\n\n`);
      response.end('data: [DONE]\n\n');
    },
    responses: responsesReply([
      { type: 'function_call', id: 'fc', call_id: 'a', name: 'f', arguments: '' },
    ]),
  };
  const ways = (['chat', 'responses'] as const).flatMap((wire) =>
    [false, true].map((stream) => [wire, stream] as const),
  );

  it.each(ways)('has none, which is JSON: by %s, streamed %s', async (wire, stream) => {
    bench.upstream.answer(upstreams[wire] ?? chatReply());
    const { model } = wires[wire];
    const messages = [{ role: 'user', content: 'look' }];
    const [path, body] =
      wire === 'chat'
        ? ['/v1/responses', { input: 'look', store: false }]
        : ['/v1/messages', { messages, max_tokens: 100 }];
    const reply = await bench.post(path, customer.key, JSON.stringify({ model, stream, ...body }));
    const text = await reply.text();
    if (wire === 'chat') {
      expect(text).toMatch(/"arguments":"\{\}"[^}]*\}\],/);
      expect(text).not.toContain('"status":"completed","arguments":""');
    } else expect(text).toMatch(stream ? /"partial_json":"\{\}"/ : /"input":\{\}/);
  });
});
