/**
 * Agents that run in circles, as their clients' own libraries send them: each is stopped by its
 * fence, and no vendor is called after that (docs/rules/budgets.md#fences).
 */
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { sendJson, startUpstream, type TestUpstream } from '../../../support/upstream.ts';
import { type Loop, loops, mostRepeats, mostRequests } from './loops.ts';

const model = 'gpt-test';

let gateway: TestGateway;
let upstream: TestUpstream;
beforeAll(async () => {
  upstream = await startUpstream();
  gateway = await startTestGateway();
  await gateway.set('ModelRatio', { [model]: 1 });
  await gateway.addChannel({
    type: 1,
    baseUrl: upstream.url,
    models: model,
    setting: '{"use_responses":false}',
  });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});
beforeEach(() => {
  upstream.requests.length = 0;
});

/** What came back of the act that the vendor did last. */
let back = '';
const output = () => back;

/** The vendor, which does the loop's next act with each call. */
function loopWith(act: Loop['act']): void {
  let turn = 0;
  upstream.answer((response, request) => {
    const { say = '', calls, back: next = '' } = act(turn);
    back = next;
    turn += 1;
    const toolCalls = calls?.map((call, index) => ({
      index,
      id: `call_${turn}_${index}`,
      type: 'function',
      function: { name: call.name, arguments: JSON.stringify(call.input) },
    }));
    const message = { role: 'assistant', content: say, ...(calls && { tool_calls: toolCalls }) };
    const finish = calls === undefined ? 'stop' : 'tool_calls';
    const usage = { prompt_tokens: 1000, completion_tokens: 20, total_tokens: 1020 };
    const common = { id: `chatcmpl-${turn}`, created: 1, model };
    if (request.json['stream'] !== true)
      return sendJson(response, 200, {
        ...common,
        object: 'chat.completion',
        usage,
        choices: [{ index: 0, message, finish_reason: finish }],
      });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const chunk = (fields: object) =>
      response.write(
        `data: ${JSON.stringify({ ...common, object: 'chat.completion.chunk', ...fields })}\n\n`,
      );
    chunk({ choices: [{ index: 0, delta: message, finish_reason: null }] });
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: finish }] });
    chunk({ choices: [], usage });
    response.end('data: [DONE]\n\n');
  });
}

/** Sends one turn after another until it is refused, as the agent's client does. */
type Agent = (key: string, fetcher: typeof fetch) => (forgets: boolean) => Promise<void>;
const session = () => crypto.randomUUID();

const claudeCode: Agent = (apiKey, fetcher) => {
  const id = session();
  const client = new Anthropic({
    apiKey,
    baseURL: gateway.url,
    fetch: fetcher,
    defaultHeaders: {
      'user-agent': 'claude-cli/2.1.0 (external, cli)',
      'x-app': 'cli',
      'x-claude-code-session-id': id,
    },
  });
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'fix the build' }];
  return async (forgets) => {
    const reply = await client.messages
      .stream({
        model,
        max_tokens: 1000,
        messages,
        system: [{ type: 'text', text: 'You are an agent', cache_control: { type: 'ephemeral' } }],
        metadata: { user_id: JSON.stringify({ device_id: 'd', account_uuid: '', session_id: id }) },
        tools: ['shell', 'edit', 'read'].map((name) => ({
          name,
          input_schema: { type: 'object' as const },
        })),
      })
      .finalMessage();
    if (forgets) return;
    messages.push({ role: 'assistant', content: reply.content });
    const used = reply.content.filter((block) => block.type === 'tool_use');
    const results = used.map((block) => ({
      type: 'tool_result' as const,
      tool_use_id: block.id,
      content: output(),
    }));
    messages.push({ role: 'user', content: results.length > 0 ? results : output() });
  };
};

const tools = ['shell', 'edit', 'read'].map((name) => ({
  type: 'function' as const,
  name,
  strict: false,
  parameters: { type: 'object', properties: {} },
}));

const codex: Agent = (apiKey, fetcher) => {
  const id = session();
  const client = new OpenAI({
    apiKey,
    baseURL: `${gateway.url}/v1`,
    fetch: fetcher,
    defaultHeaders: {
      originator: 'codex_exec',
      'user-agent': 'codex_exec/0.169.0 (Linux)',
      'session-id': id,
      'thread-id': id,
    },
  });
  const input: OpenAI.Responses.ResponseInputItem[] = [
    { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'An agent' }] },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'fix the build' }] },
  ];
  return async (forgets) => {
    const reply = await client.responses
      .stream({ model, input, tools, store: false, prompt_cache_key: id })
      .finalResponse();
    if (forgets) return;
    let answered = false;
    for (const item of reply.output) {
      input.push(item as OpenAI.Responses.ResponseInputItem);
      if (item.type !== 'function_call') continue;
      const { call_id } = item;
      input.push({ type: 'function_call_output', call_id, output: output() });
      answered = true;
    }
    if (!answered) input.push({ role: 'user', content: output() });
  };
};

/** With the model of chats; the SDK sends through OpenAI's library. */
const agentsSdk: Agent = (apiKey, fetcher) => {
  const client = new OpenAI({
    apiKey,
    baseURL: `${gateway.url}/v1`,
    fetch: fetcher,
    defaultHeaders: { 'user-agent': 'Agents/JavaScript 0.4.0' },
  });
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'system', content: 'You are an agent' },
    { role: 'user', content: `fix the build ${session()}` },
  ];
  return async (forgets) => {
    const reply = await client.chat.completions.create({
      model,
      messages,
      tools: tools.map(({ name, parameters }) => ({
        type: 'function' as const,
        function: { name, parameters },
      })),
    });
    const message = reply.choices[0]?.message;
    if (forgets) return;
    if (message === undefined) throw new Error('no answer');
    messages.push(message);
    for (const { id } of message.tool_calls ?? [])
      messages.push({ role: 'tool', tool_call_id: id, content: output() });
    if (message.tool_calls === undefined) messages.push({ role: 'user', content: output() });
  };
};

describe.each(Object.entries({ claudeCode, codex, agentsSdk }))('%s', (_, agent) => {
  it.each(Object.entries(loops))(
    'is stopped in a loop: %s',
    async (_, { act, calls, repeatsRequest = false }) => {
      const { key, userId } = await gateway.addCustomer(10_000_000);
      await gateway.client.budgets.create({
        owner: 'user',
        owner_id: String(userId),
        each: 'conversation',
        period: 'total',
        amount: 5_000_000,
        most_repeats: mostRepeats,
        most_requests: repeatsRequest || calls === mostRequests ? mostRequests : 0,
      });
      loopWith(act);
      const statuses: number[] = [];
      const next = agent(key, async (...request) => {
        const reply = await fetch(...request);
        statuses.push(reply.status);
        return reply;
      });
      let stopped: unknown;
      for (let turn = 0; turn < 40 && stopped === undefined; turn += 1)
        await next(repeatsRequest).catch((error: unknown) => {
          stopped = error;
        });
      expect(stopped).toMatchObject({ status: 429 });
      expect(String(stopped)).toMatch(/已停止|Stopped/);
      // One refusal, which the library does not repeat, and nothing reached the vendor after it.
      expect(statuses).toEqual([...Array<number>(calls).fill(200), 429]);
      expect(upstream.requests).toHaveLength(calls);
      // It does not give up.
      await expect(next(repeatsRequest)).rejects.toMatchObject({ status: 429 });
      expect(upstream.requests).toHaveLength(calls);
      // Another task of the same user goes on.
      await agent(key, fetch)(false);
      expect(upstream.requests).toHaveLength(calls + 1);
    },
  );
});
