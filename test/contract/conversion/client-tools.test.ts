// Covers src/core/relay/formats/openai-responses.
/**
 * Tools that OpenAI defines and clients carry out, with models of other vendors: Vercel's AI SDK
 * carries out what they call and gives them the results (docs/rules/formats.md#client-tools).
 */
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, stepCountIs, streamText, type ToolSet } from 'ai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventFrame, framesReply } from '../../support/aws-frames.ts';
import { type Answer, sendJson, startUpstream, type TestUpstream } from '../../support/upstream.ts';
import { createConversionBench } from './bench.ts';
import type { Scenario } from './scenarios.ts';
import { upstreamFormats } from './upstream-formats.ts';

const bench = createConversionBench();
const converseModel = 'amazon.nova-pro-v1:0';
let bedrock: TestUpstream;

beforeAll(async () => {
  bedrock = await startUpstream();
  await bench.gateway.addChannel({
    type: 33,
    key: 'AKIDEXAMPLE|secret|us-east-1',
    baseUrl: bedrock.url,
    models: converseModel,
  });
});
afterAll(() => bedrock.close());

/** Bedrock's Converse, whole and streamed. */
const converse =
  ({ text, calls = [] }: Scenario): Answer =>
  (response, request) => {
    const stopReason = calls.length > 0 ? 'tool_use' : 'end_turn';
    const usage = { inputTokens: 40, outputTokens: 12, totalTokens: 52 };
    if (request.path.endsWith('/converse')) {
      const content = [
        ...(text === undefined ? [] : [{ text }]),
        ...calls.map(({ id, name, args }) => ({ toolUse: { toolUseId: id, name, input: args } })),
      ];
      return sendJson(response, 200, {
        output: { message: { role: 'assistant', content } },
        stopReason,
        usage,
        metrics: { latencyMs: 1 },
      });
    }
    const frames = calls.flatMap(({ id, name, args }, contentBlockIndex) => [
      eventFrame(
        { contentBlockIndex, start: { toolUse: { toolUseId: id, name } } },
        'contentBlockStart',
      ),
      eventFrame(
        { contentBlockIndex, delta: { toolUse: { input: JSON.stringify(args) } } },
        'contentBlockDelta',
      ),
      eventFrame({ contentBlockIndex }, 'contentBlockStop'),
    ]);
    framesReply(
      eventFrame({ role: 'assistant' }, 'messageStart'),
      ...(text === undefined
        ? []
        : [eventFrame({ contentBlockIndex: 0, delta: { text } }, 'contentBlockDelta')]),
      ...frames,
      eventFrame({ stopReason }, 'messageStop'),
      eventFrame({ usage, metrics: { latencyMs: 1 } }, 'metadata'),
    )(response, request);
  };

const diff = '@@\n-old\n+new';
const calls = [
  { id: 'call_shell', name: 'shell', args: { commands: ['ls', 'pwd'], timeout_ms: 5000 } },
  {
    id: 'call_patch',
    name: 'apply_patch',
    args: { type: 'update_file', path: 'a.txt', diff },
  },
  { id: 'call_gone', name: 'apply_patch', args: { type: 'delete_file', path: 'b.txt' } },
] as const;

interface Upstream {
  readonly name: string;
  readonly model: string;
  readonly at: () => TestUpstream;
  readonly answer: (scenario: Scenario) => Answer;
}

const upstreams: readonly Upstream[] = [
  ...upstreamFormats
    .filter(({ name }) => name !== 'Responses')
    .map(({ name, model, answer }) => ({ name, model, at: () => bench.upstream(name), answer })),
  { name: 'Bedrock', model: converseModel, at: () => bedrock, answer: converse },
];

/** What the model is told, and what of it was carried out. */
async function converseWith({ model, at, answer }: Upstream, stream: boolean) {
  const done: unknown[] = [];
  const upstream = at();
  upstream.requests.length = 0;
  upstream.answer(answer({ name: 'tools', calls }), answer({ name: 'text', text: 'All done.' }));
  const openai = createOpenAI({ apiKey: bench.key, baseURL: `${bench.gateway.url}/v1` });
  const tools = {
    shell: openai.tools.shell({
      execute: ({ action }) => {
        done.push(action);
        return Promise.resolve({
          output: action.commands.map((command) => ({
            stdout: `ran ${command}`,
            stderr: command === 'pwd' ? 'no folder' : '',
            outcome: { type: 'exit' as const, exitCode: command === 'pwd' ? 2 : 0 },
          })),
        });
      },
    }),
    apply_patch: openai.tools.applyPatch({
      execute: ({ operation }) => {
        done.push(operation);
        return operation.type === 'delete_file'
          ? { status: 'failed' as const, output: 'b.txt is not there' }
          : { status: 'completed' as const, output: 'a.txt is changed' };
      },
    }),
  };
  const given = {
    model: openai.responses(model),
    prompt: 'Look around.',
    maxRetries: 0,
    stopWhen: stepCountIs(3),
    // Its own types differ in what may be undefined.
    tools: tools as unknown as ToolSet,
    providerOptions: { openai: { store: false } },
  };
  const fail = ({ error }: { error: unknown }) => {
    throw error;
  };
  const { text } = stream
    ? { text: await streamText({ ...given, onError: fail }).text }
    : await generateText(given);
  return { text, done, sent: upstream.requests.map(({ text: body }) => body) };
}

describe.each(upstreams)('a shell and patches with $name', (upstream) => {
  it.each([false, true])('are carried out and answered, streamed: %s', async (stream) => {
    const { text, done, sent } = await converseWith(upstream, stream);
    expect(text).toBe('All done.');
    expect(done).toEqual([
      expect.objectContaining({ commands: ['ls', 'pwd'] }),
      { type: 'update_file', path: 'a.txt', diff },
      { type: 'delete_file', path: 'b.txt' },
    ]);
    expect(sent).toHaveLength(2);
    const [first = '', second = ''] = sent;
    for (const word of ['"shell"', '"apply_patch"', '"commands"', '"diff"', 'delete_file'])
      expect(first).toContain(word);
    // Calls are there with what was called, results with how they ended.
    for (const word of ['ran ls', 'exit code: 0', 'no folder', 'exit code: 2'])
      expect(second).toContain(word);
    for (const word of ['a.txt is changed', 'b.txt is not there', 'update_file', 'pwd'])
      expect(second).toContain(word);
    expect(second).not.toContain('shell_call');
  });
});

const find = {
  type: 'function',
  name: 'find',
  description: 'Finds a customer.',
  parameters: { type: 'object', properties: { name: { type: 'string' } } },
  defer_loading: true,
};
const crm = { type: 'namespace', name: 'crm', description: 'Customers.', tools: [find] };
const search = { type: 'tool_search', execution: 'client' };

type Item = Record<string, unknown>;

describe.each(upstreams)('a search for tools with $name', ({ model, at, answer }) => {
  /** The output items, and the body that the upstream got. */
  async function respond(
    body: object,
    scenario: Scenario,
    stream: boolean,
  ): Promise<{ output: Item[]; sent: string }> {
    const upstream = at();
    upstream.requests.length = 0;
    upstream.answer(answer(scenario));
    const reply = await fetch(`${bench.gateway.url}/v1/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bench.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, store: false, stream, ...body }),
    });
    const text = await reply.text();
    expect(reply.status, text).toBe(200);
    const last = stream ? (text.split('data: ').at(-1) ?? '') : text;
    const read = JSON.parse(last) as { output?: Item[]; response?: { output: Item[] } };
    const output = read.output ?? read.response?.output ?? [];
    return { output, sent: upstream.requests[0]?.text ?? '' };
  }

  it.each([false, true])(
    'by the client is a function; what it finds is one, streamed: %s',
    async (stream) => {
      const question = { type: 'message', role: 'user', content: 'Who is Ann?' };
      const tools = [search, crm];
      const called = { id: 'call_search', name: 'tool_search', args: { paths: ['crm'] } };
      const first = await respond(
        { input: [question], tools },
        { name: 'tools', calls: [called] },
        stream,
      );
      expect(first.sent).toContain('- crm: Customers.');
      expect(first.sent).not.toContain('Finds a customer.');
      const [call] = first.output.filter(({ type }) => type !== 'reasoning');
      expect(call).toMatchObject({
        type: 'tool_search_call',
        execution: 'client',
        status: 'completed',
        arguments: { paths: ['crm'] },
      });
      const found = {
        type: 'tool_search_output',
        call_id: call?.['call_id'],
        execution: 'client',
        status: 'completed',
        tools: [crm],
      };
      const second = await respond(
        { input: [question, ...first.output, found], tools },
        { name: 'tools', calls: [{ id: 'call_find', name: 'crm__find', args: { name: 'Ann' } }] },
        stream,
      );
      expect(second.sent).toContain('Finds a customer.');
      expect(second.sent).toContain('These tools can be called now:');
      expect(second.output.at(-1)).toMatchObject({
        type: 'function_call',
        name: 'find',
        namespace: 'crm',
        arguments: '{"name":"Ann"}',
      });
    },
  );

  it('by the vendor is not needed: all tools are there from the beginning', async () => {
    const { sent } = await respond(
      { input: 'Who is Ann?', tools: [{ type: 'tool_search' }, crm] },
      { name: 'text', text: 'Ann.' },
      false,
    );
    expect(sent).toContain('Finds a customer.');
    expect(sent).not.toContain('"tool_search"');
  });

  it('and shells of the vendor are left to the vendor', async () => {
    const upstream = at();
    upstream.requests.length = 0;
    const reply = await fetch(`${bench.gateway.url}/v1/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bench.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model,
        input: 'hi',
        tools: [{ type: 'shell', environment: { type: 'container_auto' } }],
      }),
    });
    expect([reply.status, upstream.requests.length]).toEqual([400, 0]);
    expect(await reply.text()).toContain('shell');
  });
});
