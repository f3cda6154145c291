/**
 * The chat models of this year at their vendors' list prices, in five callers' formats, whole and
 * streamed: with tools, with thinking, with a long context, and with a cache that is read and written.
 * The vendors refuse what the real ones refuse (support/vendors-of-2026.ts). Prices are those of
 * LiteLLM's public catalogue 1.110.2 (2026-11), in dollars per million tokens.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type CallBench, startCallBench } from '../../support/calls.ts';
import { type Caller, callersBothWays, question } from '../../support/five-callers.ts';
import { sendJson, startUpstream, type TestUpstream } from '../../support/upstream.ts';
import { type VendorReply, vendorReply } from '../../support/vendor-replies.ts';
import { refusalOf } from './support/vendors-of-2026.ts';

interface Row {
  readonly model: string;
  readonly input: number;
  readonly output: number;
  readonly read: number;
  /** Of the usual life and the longer one; absent: writes are not billed apart. */
  readonly write?: readonly [number, number];
  /** Above so many tokens of prompt, input and output cost so many times as much. */
  readonly step?: readonly [above: number, input: number, output: number];
}

const row = (
  model: string,
  ...[input, output, read, write, step]: [number, number, number, Row['write']?, Row['step']?]
): Row => ({ model, input, output, read, write, step });
const long = [272_000, 2, 1.5] as const;
const grok = [200_000, 2, 2] as const;

const vendors: readonly (readonly [slug: string, type: number, rows: readonly Row[]])[] = [
  [
    'openai',
    1,
    [
      row('gpt-6-astra', 10, 50, 1, [12.5, 25], long),
      row('gpt-6.1-sol', 2, 10, 0.1, [2.5, 5], long),
      row('gpt-6-sol', 2, 10, 0.2, [2.5, 5], long),
      row('gpt-6.1-terra', 1, 5, 0.05, [1.25, 2.5], long),
      row('gpt-6-luna', 0.1, 0.5, 0.01, [0.125, 0.25], long),
      row('gpt-5.6-sol', 4, 20, 0.4, [5, 10], long),
      row('gpt-5.6-terra', 2, 12, 0.2, [2.5, 5], long),
      row('gpt-5.6-luna', 0.2, 1.2, 0.02, [0.25, 0.5], long),
      row('gpt-5.5', 5, 30, 0.5, undefined, long),
      row('gpt-5.4', 2.5, 15, 0.25, undefined, long),
    ],
  ],
  [
    'anthropic',
    14,
    [
      row('claude-fable-5-1', 10, 50, 0.25, [12.5, 20]),
      row('claude-opus-5-5', 4, 20, 0.2, [5, 8]),
      row('claude-opus-5', 5, 25, 0.5, [6.25, 10]),
      row('claude-opus-4-8', 5, 25, 0.5, [6.25, 10]),
      row('claude-sonnet-5-5', 2, 10, 0.1, [2.5, 4]),
      row('claude-sonnet-5', 2, 10, 0.2, [2.5, 4]),
    ],
  ],
  [
    'gemini',
    24,
    [
      row('gemini-4-argon', 2, 10, 0.1),
      row('gemini-4-hydrogen', 1.5, 7.5, 0.075),
      row('gemini-3.8-flash', 0.75, 3.75, 0.075),
      row('gemini-3.6-flash', 0.75, 3.75, 0.075),
    ],
  ],
  [
    'xai',
    48,
    [row('grok-4.7', 2, 6, 0.5, undefined, grok), row('grok-4.5', 2, 6, 0.3, undefined, grok)],
  ],
  [
    'deepseek',
    43,
    [row('deepseek-v4-pro', 1.32, 3.96, 0.044), row('deepseek-v4-flash', 0.3, 1.2, 0.006)],
  ],
  ['moonshot', 25, [row('kimi-k3.1-pro', 2, 10, 0.2, [2, 4]), row('kimi-k3', 3, 15, 0.3, [3, 6])]],
  [
    'mistral',
    42,
    [row('mistral-large-4', 0.7, 2.1, 0.07), row('mistral-medium-3.5', 1.5, 7.5, 0.15)],
  ],
  ['zhipu-4v', 26, [row('glm-5.3', 1.4, 4.4, 0.26)]],
  ['ali', 17, [row('qwen3.8-max', 2, 6, 0.25)]],
  ['minimax', 35, [row('MiniMax-M3', 0.3, 1.2, 0.06, undefined, [512_000, 2, 2])]],
  ['volcengine', 45, [row('doubao-seed-2-1-pro-260915', 0.8625, 4.3125, 0.1725)]],
  ['tencent', 23, [row('hy4', 0.834, 2.501, 0.042)]],
];

const look = { name: 'look', description: 'Looks', parameters: { type: 'object', properties: {} } };
const functions = [{ type: 'function', function: look }];

type Fields = Readonly<Record<Caller, Readonly<Record<string, unknown>>>>;
const nothing: Fields = { chat: {}, messages: {}, Gemini: {}, Responses: {}, Cohere: {} };
const tools: Fields = {
  chat: { tools: functions, tool_choice: 'required' },
  messages: {
    tools: [{ name: 'look', input_schema: look.parameters }],
    tool_choice: { type: 'any' },
  },
  Gemini: { tools: [{ functionDeclarations: [look] }] },
  Responses: { tools: [{ type: 'function', ...look, strict: false }] },
  Cohere: { tools: functions },
};
const thinking: Fields = {
  chat: { reasoning_effort: 'high' },
  messages: { thinking: { type: 'adaptive' }, output_config: { effort: 'max' } },
  Gemini: { generationConfig: { thinkingConfig: { thinkingLevel: 'high' } } },
  Responses: { reasoning: { effort: 'xhigh' } },
  Cohere: { thinking: { type: 'enabled', token_budget: 4000 } },
};

const wishes = ['tools', 'thinking', 'long context', 'cache'] as const;
type Wish = (typeof wishes)[number];
const fieldsOf: Readonly<Record<Wish, Fields>> = {
  ...{ tools, thinking, 'long context': nothing, cache: nothing },
};

function replyFor(wish: Wish, { write, step = [0, 1, 1] }: Row): VendorReply {
  if (wish === 'long context') return { prompt: step[0] + 40_000, output: 4000 };
  if (wish !== 'cache') return { prompt: 40_000, output: 4000 };
  const written = write === undefined ? {} : { written: 12_000, long: 4000 };
  return { prompt: 40_000, output: 4000, cached: 8000, ...written };
}

/** In quota: 500,000 a dollar. */
function priceOf(said: VendorReply, { input, output, read, write = [0, 0], step }: Row): number {
  const { prompt, cached = 0, written = 0, long: lasting = 0 } = said;
  const [times, outputTimes] = step !== undefined && prompt > step[0] ? step.slice(1) : [1, 1];
  const plain = (prompt - cached - written) * input;
  const cache = cached * read + (written - lasting) * write[0] + lasting * write[1];
  const asked = (plain + cache) * (times ?? 1) + said.output * output * (outputTimes ?? 1);
  return Math.round(asked / 2);
}

let bench: CallBench;
const upstreams: TestUpstream[] = [];
let customer: Awaited<ReturnType<CallBench['gateway']['addCustomer']>>;
/** What the vendors say of the next request, and what they refused. */
let said: VendorReply;
const refused: string[] = [];
beforeAll(async () => {
  bench = await startCallBench('none');
  for (const [slug, type, rows] of vendors) {
    const upstream = await startUpstream();
    upstreams.push(upstream);
    upstream.answer((response, request) => {
      const { path, json } = request;
      const model = /models\/([^:]+):/.exec(path)?.[1] ?? String(json['model']);
      const url = path.split('?', 1)[0] ?? '';
      const body = JSON.parse(JSON.stringify(json));
      const why = refusalOf(slug, model, { url, body, forwarded: false });
      if (why === undefined) return vendorReply(said)(response, request);
      refused.push(why);
      sendJson(response, 400, { error: { message: why } });
    });
    const models = rows.map(({ model }) => model).join(',');
    await bench.gateway.addChannel({ type, baseUrl: upstream.url, models });
  }
  customer = await bench.gateway.addCustomer(1e12);
});
// DeepSeek's prices are those of its peak hours.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-25T02:00:00Z') });
});
afterAll(() => Promise.all([bench.close(), ...upstreams.map((upstream) => upstream.close())]));

for (const [slug, , rows] of vendors)
  describe.each(rows)(`${slug}: $model`, (known) => {
    it.each(callersBothWays)('%s callers, streamed %s', async (caller, stream) => {
      for (const wish of wishes) {
        said = replyFor(wish, known);
        refused.splice(0);
        const { path, body } = question(caller, known.model, stream, fieldsOf[wish][caller]);
        const before = await bench.spent(customer.userId);
        const reply = await bench.post(path, customer.key, JSON.stringify(body));
        const text = await reply.text();
        const quota = (await bench.spent(customer.userId)) - before;
        expect([wish, refused, reply.status, quota], text).toEqual([
          ...[wish, [], 200, priceOf(said, known)],
        ]);
      }
    });
  });
