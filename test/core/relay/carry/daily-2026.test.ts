/**
 * What customers of this year's models use daily, through the whole gateway: marks of the prompt
 * cache, updates amid the input, new blocks and stop reasons of Claude, pieces of Gemini's arguments,
 * Azure's and Mistral's own fields.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CallBench, startCallBench } from '../../../support/calls.ts';
import { type Caller, callersBothWays, question } from '../../../support/five-callers.ts';
import { sse } from '../../../support/half-answers.ts';
import {
  type Answer,
  sendJson,
  startUpstream,
  type TestUpstream,
} from '../../../support/upstream.ts';
import { vendorReply } from '../../../support/vendor-replies.ts';

const models = {
  openai: [1, 'gpt-6-sol'],
  anthropic: [14, 'claude-opus-5-5'],
  gemini: [24, 'gemini-4-argon'],
  azure: [3, 'gpt-5.6-terra'],
  mistral: [42, 'mistral-large-4'],
} as const;
type Vendor = keyof typeof models;

let bench: CallBench;
let customer: Awaited<ReturnType<CallBench['gateway']['addCustomer']>>;
const upstreams = new Map<Vendor, TestUpstream>();
beforeAll(async () => {
  bench = await startCallBench('none');
  for (const [vendor, [type, model]] of Object.entries(models)) {
    const upstream = await startUpstream();
    upstreams.set(vendor as Vendor, upstream);
    const baseUrl = vendor === 'azure' ? `${upstream.url}/openai/v1` : upstream.url;
    await bench.gateway.addChannel({ type, baseUrl, models: model });
  }
  customer = await bench.gateway.addCustomer(1e12);
});
afterAll(() => Promise.all([bench.close(), ...[...upstreams.values()].map((one) => one.close())]));

/** The reply of the caller, and what reached the vendor. */
async function ask(
  vendor: Vendor,
  answer: Answer,
  caller: Caller,
  stream: boolean,
  more: Readonly<Record<string, unknown>> = {},
) {
  const upstream = upstreams.get(vendor);
  if (upstream === undefined) throw new Error('no upstream');
  upstream.answer(answer);
  const { path, body } = question(caller, models[vendor][1], stream, more);
  const reply = await bench.post(path, customer.key, JSON.stringify(body));
  const text = await reply.text();
  expect([reply.status, text]).toEqual([200, expect.any(String)]);
  const sent = upstream.requests.at(-1);
  return { text, path: sent?.path, json: sent?.json };
}
const usual = vendorReply({ prompt: 100, output: 10 });
const bothWays = [false, true];

describe.each(bothWays)('the prompt cache, streamed %s', (stream) => {
  it("has a messages caller's marks at OpenAI, of both lives", async () => {
    const { path, json } = await ask('openai', usual, 'messages', stream, {
      tools: [{ name: 'look', input_schema: { type: 'object' } }],
      system: [{ type: 'text', text: 'Rules.', cache_control: { type: 'ephemeral', ttl: '1h' } }],
      messages: [
        {
          role: 'user',
          content: [{ type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } }],
        },
      ],
    });
    expect(path).toBe('/v1/responses');
    expect(json?.['input']).toMatchObject([
      { content: [{ prompt_cache_breakpoint: { mode: 'explicit', ttl: '12h' } }] },
      { content: [{ prompt_cache_breakpoint: { mode: 'explicit' } }] },
    ]);
  });

  it("has a Responses caller's marks at Claude, and its key and options at OpenAI", async () => {
    const prompt_cache_breakpoint = { mode: 'explicit', ttl: '12h' };
    const content = [{ type: 'input_text', text: 'Hi', prompt_cache_breakpoint }];
    const own = { prompt_cache_key: 'k', prompt_cache_options: { mode: 'explicit', ttl: '12h' } };
    const marked = { input: [{ role: 'user', content }], ...own };
    const { json } = await ask('anthropic', usual, 'Responses', stream, marked);
    expect(json?.['messages']).toMatchObject([
      { content: [{ text: 'Hi', cache_control: { type: 'ephemeral', ttl: '1h' } }] },
    ]);
    const forwarded = await ask('openai', usual, 'Responses', stream, marked);
    expect(forwarded.json).toMatchObject(marked);
    const tools = [{ type: 'function', function: { name: 'look', parameters: {} } }];
    const chat = await ask('openai', usual, 'chat', stream, {
      tools,
      prompt_cache_key: 'k',
      prompt_cache_options: { mode: 'implicit', ttl: '30m' },
    });
    expect(chat).toMatchObject({
      path: '/v1/responses',
      json: { prompt_cache_key: 'k', prompt_cache_options: { mode: 'implicit', ttl: '30m' } },
    });
  });
});

it.each(bothWays)('an update amid the input counts for Claude, streamed %s', async (stream) => {
  const { json } = await ask('anthropic', usual, 'Responses', stream, {
    reasoning: { effort: 'low' },
    input: [
      { role: 'user', content: 'Hi' },
      { type: 'configuration_update', reasoning: { effort: 'xhigh' } },
      { role: 'user', content: 'Now.' },
    ],
  });
  expect(json).toMatchObject({ output_config: { effort: 'xhigh' } });
});

describe('Claude', () => {
  const blocks = [
    { type: 'fallback', from: { model: 'a' }, to: { model: 'b' }, trigger: {} },
    { type: 'mcp_tool_listing', server_name: 's', tools: [] },
    { type: 'bash_code_execution_tool_result', tool_use_id: 'srvtoolu_1', content: {} },
    { type: 'advisor_tool_result', tool_use_id: 'srvtoolu_2', content: {} },
    { type: 'container_upload', file_id: 'file_1' },
    { type: 'of_next_year', data: 1 },
  ];
  const text = { type: 'text', text: 'Done.' };
  const usage = { input_tokens: 100, output_tokens: 10 };
  const reply =
    (stop_reason: string): Answer =>
    (response, { json }) => {
      const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-opus-5-5' };
      const ending = { stop_reason, stop_sequence: null };
      if (json['stream'] !== true)
        return sendJson(response, 200, {
          ...message,
          content: [...blocks, text],
          ...ending,
          usage,
        });
      const delta = { type: 'text_delta', text: 'Done.' };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(
        sse(
          { type: 'message_start', message: { ...message, content: [], usage } },
          { type: 'system.message', content: 'of this year' },
          ...blocks.flatMap((content_block, index) => [
            { type: 'content_block_start', index, content_block },
            { type: 'content_block_stop', index },
          ]),
          { type: 'content_block_start', index: 6, content_block: { type: 'text', text: '' } },
          { type: 'content_block_delta', index: 6, delta },
          { type: 'content_block_stop', index: 6 },
          { type: 'message_delta', delta: ending, usage },
          { type: 'message_stop' },
        ),
      );
    };
  const words: Readonly<Record<Caller, readonly [stop: string, length: string, refusal: string]>> =
    {
      chat: ['"stop"', '"length"', '"content_filter"'],
      messages: ['', '', ''],
      Gemini: ['"STOP"', '"MAX_TOKENS"', '"SAFETY"'],
      Responses: ['"completed"', '"max_output_tokens"', '"content_filter"'],
      Cohere: ['"COMPLETE"', '"MAX_TOKENS"', '"ERROR'],
    };

  it.each(callersBothWays)(
    'says in new blocks and reasons what %s callers understand, streamed %s',
    async (caller, stream) => {
      for (const [reason, index] of [
        ['compaction', 0],
        ['pause_turn', 0],
        ['model_context_window_exceeded', 1],
        ['refusal', 2],
      ] as const) {
        const answer = await ask('anthropic', reply(reason), caller, stream);
        expect([reason, answer.text]).toEqual([reason, expect.stringContaining('Done.')]);
        expect(answer.text).toContain(caller === 'messages' ? `"${reason}"` : words[caller][index]);
        if (caller === 'messages')
          for (const { type } of blocks) expect(answer.text).toContain(type);
      }
    },
  );
});

it.each(callersBothWays)(
  'pieces of a call of Gemini are one call for %s callers, streamed %s',
  async (caller, stream) => {
    const pieces = [
      { name: 'look', id: 'c1', willContinue: true },
      {
        partialArgs: [{ jsonPath: '$.at', stringValue: 'the ', willContinue: true }],
        willContinue: true,
      },
      { partialArgs: [{ jsonPath: '$.at', stringValue: 'sky' }], willContinue: true },
      {},
    ];
    const usageMetadata = { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110 };
    const { text } = await ask(
      'gemini',
      (response, request) => {
        if (!request.path.includes(':stream'))
          return sendJson(response, 200, {
            candidates: [
              {
                content: {
                  role: 'model',
                  parts: [{ functionCall: { name: 'look', args: { at: 'the sky' } } }],
                },
                finishReason: 'STOP',
              },
            ],
            usageMetadata,
          });
        const events = pieces.map((functionCall, at) => ({
          candidates: [
            {
              content: { role: 'model', parts: [{ functionCall }] },
              ...(at === pieces.length - 1 ? { finishReason: 'STOP' } : {}),
            },
          ],
          usageMetadata,
        }));
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''));
      },
      caller,
      stream,
    );
    expect(text).toContain('look');
    // A Gemini caller gets the pieces as they came; others the arguments put together.
    const plain = text.replaceAll('\\', '').replaceAll(' ', '');
    if (caller === 'Gemini') expect(plain).toMatch(/"at":"thesky"|partialArgs/);
    else expect(argumentsIn(text)).toBe('{"at":"the sky"}');
  },
);

/** The arguments of the only call, whole or from their pieces. */
function argumentsIn(text: string): string {
  const wholes = [...text.matchAll(/"arguments":"((?:\\.|[^"\\])*)"/g)].map(([, one]) => one ?? '');
  const pieces = [...text.matchAll(/"partial_json":"((?:\\.|[^"\\])*)"/g)].map(
    ([, one]) => one ?? '',
  );
  const input = /"input":(\{"at":[^}]*\})/.exec(text)?.[1];
  if (input !== undefined) return input;
  if (pieces.length > 0) return JSON.parse(`"${pieces.join('')}"`);
  const last = wholes.map((one) => JSON.parse(`"${one}"`) as string);
  return last.find((one) => one === '{"at":"the sky"}') ?? last.join('');
}

it.each(callersBothWays)('Azure at /openai/v1 serves %s callers, streamed %s', async (...how) => {
  const { path, json } = await ask('azure', usual, ...how);
  expect(path).toMatch(/^\/openai\/v1\/(chat\/completions|responses)$/);
  expect(json).toMatchObject({ model: models.azure[1] });
});

it.each(bothWays)('Mistral gets its own fields, streamed %s', async (stream) => {
  const own = {
    guardrails: [{ block: true }],
    prompt_cache_key: 'k',
    metadata: { a: 'b' },
    tools: [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }],
    tool_choice: { type: 'function', function: { name: 'look' } },
  };
  const { json } = await ask('mistral', usual, 'chat', stream, own);
  expect(json).toMatchObject(own);
});
