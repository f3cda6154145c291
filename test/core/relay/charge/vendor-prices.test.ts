/**
 * What vendors' lists say that a request costs, and what is charged for it: each case through the
 * real relay, by every caller's format, whole and streamed. Dollars are worked out by hand from
 * the prices per million tokens of LiteLLM's public catalogue 1.110.2 (2026-11-24), and from the
 * vendors' pages where a case says so.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decimal } from '../../../../src/core/kernel/decimal.ts';
import { explainLog } from '../../../../src/core/pricing/explain.ts';
import { type CallBench, startCallBench } from '../../../support/calls.ts';
import { type VendorReply, vendorReply } from '../../../support/vendor-replies.ts';

/** Models by the type of their channel. They are sold at the prices of a new site. */
const served: Readonly<Record<number, string>> = {
  1: 'gpt-6-sol,gpt-6.1-sol,gpt-5.5,gpt-5.4,gpt-5.4-mini,gpt-4.1,gpt-image-2',
  14: 'claude-opus-5-5,claude-sonnet-5-5,claude-haiku-5-5,claude-fable-5-1',
  17: 'qwen3.8-flash,qwen3.7-plus,qwen3-coder-plus',
  24: 'gemini-3.1-pro-preview,gemini-3.8-flash,gemini-2.5-flash',
  25: 'kimi-k3',
  26: 'glm-5.3',
  27: 'sonar,sonar-pro,sonar-deep-research',
  35: 'MiniMax-M3',
  42: 'mistral-large-4',
  43: 'deepseek-v4-pro',
  45: 'doubao-seed-2-0-mini-260215',
  48: 'grok-4.7',
};

const million = 1_000_000;
const unit = 500_000;
const callers = ['chat', 'messages', 'responses', 'gemini'] as const;
type Caller = (typeof callers)[number];

let bench: CallBench;
let customer: Awaited<ReturnType<CallBench['gateway']['addCustomer']>>;
beforeAll(async () => {
  bench = await startCallBench('none');
  for (const [type, models] of Object.entries(served))
    await bench.gateway.addChannel({ type: Number(type), baseUrl: bench.upstream.url, models });
  customer = await bench.gateway.addCustomer(1e12);
});
afterAll(() => bench.close());

function requestOf(caller: Caller, model: string, stream: boolean): readonly [string, object] {
  const messages = [{ role: 'user', content: 'hi' }];
  const options = stream ? { stream, stream_options: { include_usage: true } } : {};
  if (caller === 'chat') return ['/v1/chat/completions', { model, messages, ...options }];
  if (caller === 'messages') return ['/v1/messages', { model, messages, max_tokens: 100, stream }];
  if (caller === 'responses') return ['/v1/responses', { model, input: 'hi', stream }];
  const contents = [{ role: 'user', parts: [{ text: 'hi' }] }];
  const call = stream ? 'streamGenerateContent?alt=sse' : 'generateContent';
  return [`/v1beta/models/${model}:${call}`, { contents }];
}

/** Quota charged, and the row, whose explanation must give the same. */
async function chargeOf(caller: Caller, model: string, stream: boolean, said: VendorReply) {
  bench.upstream.answer(vendorReply(said));
  const before = await bench.spent(customer.userId);
  const [path, body] = requestOf(caller, model, stream);
  const reply = await bench.post(path, customer.key, JSON.stringify(body));
  expect([reply.status, await reply.text()]).toEqual([200, expect.any(String)]);
  const { row, other } = await bench.newestLog(customer.username);
  const quota = (await bench.spent(customer.userId)) - before;
  const logged = {
    prompt_tokens: Number(row['prompt_tokens']),
    completion_tokens: Number(row['completion_tokens']),
    quota,
    other,
  };
  expect(explainLog(logged, decimal(unit))).toMatchObject({ exact: true, quota });
  return { quota, row, other };
}

interface Case extends VendorReply {
  readonly model: string;
  /** What is special about it. */
  readonly what: string;
  /** By the vendor's list. */
  readonly dollars: number;
  /** Only these formats can say so; absent: all. */
  readonly by?: readonly Caller[];
}

function iteration(type: string, model: string, input_tokens: number, output_tokens: number) {
  return { type, model, input_tokens, output_tokens };
}

function search(action: string) {
  return {
    id: `ws_${action}`,
    type: 'web_search_call',
    status: 'completed',
    action: { type: action },
  };
}

/** Two searches and a page that was opened, as the tool of the request makes them. */
function searches(model: string, tool: string, price: number, output: number): readonly Case[] {
  return [
    {
      ...{ model, what: `with calls of ${tool}`, by: ['responses'] },
      ...{ prompt: 1000, output: 100 },
      reply: {
        tools: [{ type: tool }],
        output: [search('search'), search('open_page'), search('search')],
      },
      // Both models take $2 for a million tokens of input.
      dollars: (1000 * 2 + 100 * output) / million + 2 * price,
    },
  ];
}

const every: readonly Case[] = [
  // Steps: the whole request is in its step.
  {
    ...{ model: 'gpt-6-sol', what: 'at the end of the first step' },
    ...{ prompt: 272_000, output: 1000 },
    dollars: (272_000 * 2 + 1000 * 10) / million,
  },
  {
    ...{ model: 'gpt-6-sol', what: 'above 272k, with cache reads and writes' },
    ...{ prompt: 300_000, cached: 100_000, written: 50_000, output: 1000 },
    dollars: (150_000 * 4 + 100_000 * 0.4 + 50_000 * 5 + 1000 * 15) / million,
  },
  {
    ...{ model: 'gpt-5.5', what: 'above 272k' },
    ...{ prompt: 300_000, output: 2000 },
    dollars: (300_000 * 10 + 2000 * 45) / million,
  },
  {
    ...{ model: 'claude-haiku-5-5', what: 'above 100k' },
    ...{ prompt: 120_000, cached: 40_000, written: 40_000, long: 20_000, output: 4000 },
    dollars: (40_000 * 0.5 + 40_000 * 0.05 + 20_000 * 0.625 + 20_000 * 1 + 4000 * 2.5) / million,
  },
  {
    ...{ model: 'gemini-3.1-pro-preview', what: 'above 200k' },
    ...{ prompt: 250_000, cached: 50_000, output: 1000 },
    dollars: (200_000 * 4 + 50_000 * 0.4 + 1000 * 18) / million,
  },
  {
    ...{ model: 'grok-4.7', what: 'above 200k' },
    ...{ prompt: 250_000, cached: 50_000, output: 1000 },
    dollars: (200_000 * 4 + 50_000 * 1 + 1000 * 12) / million,
  },
  {
    ...{ model: 'MiniMax-M3', what: 'above 512k' },
    ...{ prompt: 600_000, output: 10_000 },
    dollars: (600_000 * 0.6 + 10_000 * 2.4) / million,
  },
  {
    ...{ model: 'gpt-5.4', what: 'above 272k' },
    ...{ prompt: 272_002, output: 2000 },
    dollars: (272_002 * 5 + 2000 * 22.5) / million,
  },
  {
    ...{ model: 'gpt-5.4-mini', what: 'above 272k, where it has no step' },
    ...{ prompt: 300_000, output: 2000 },
    dollars: (300_000 * 0.75 + 2000 * 4.5) / million,
  },
  {
    ...{ model: 'qwen3.7-plus', what: 'above 256k' },
    ...{ prompt: 300_000, cached: 100_000, output: 10_000 },
    dollars: (200_000 * 1.2 + 100_000 * 0.24 + 10_000 * 4.8) / million,
  },
  ...(
    [
      [32_000, 1, 5],
      [100_000, 1.8, 9],
      [200_000, 3, 15],
      [500_000, 6, 60],
    ] as const
  ).map(([prompt, input, output]) => ({
    ...{ model: 'qwen3-coder-plus', what: `with a prompt of ${prompt}` },
    ...{ prompt, output: 1000 },
    dollars: (prompt * input + 1000 * output) / million,
  })),
  {
    ...{ model: 'doubao-seed-2-0-mini-260215', what: 'above 32k' },
    ...{ prompt: 100_000, output: 10_000 },
    dollars: (100_000 * 0.058 + 10_000 * 0.58) / million,
  },
  // No step, no tier: plain and cached tokens.
  {
    ...{ model: 'glm-5.3', what: 'partly cached' },
    ...{ prompt: 400_000, cached: 100_000, output: 1000 },
    dollars: (300_000 * 1.4 + 100_000 * 0.26 + 1000 * 4.4) / million,
  },
  {
    ...{ model: 'mistral-large-4', what: 'partly cached' },
    ...{ prompt: 400_000, cached: 100_000, output: 1000 },
    dollars: (300_000 * 0.7 + 100_000 * 0.07 + 1000 * 2.1) / million,
  },
  {
    ...{ model: 'deepseek-v4-pro', what: 'partly cached' },
    ...{ prompt: 400_000, cached: 100_000, output: 1000 },
    dollars: (300_000 * 1.32 + 100_000 * 0.044 + 1000 * 3.96) / million,
  },
  // Cache lives: thirty minutes and twelve hours, five minutes and an hour.
  {
    ...{ model: 'gpt-6-sol', what: 'with cache writes of thirty minutes' },
    ...{ prompt: 1000, cached: 200, written: 800, output: 100 },
    dollars: (200 * 0.2 + 800 * 2.5 + 100 * 10) / million,
  },
  {
    ...{ model: 'gpt-6-sol', what: 'with cache writes of both lives' },
    ...{ prompt: 1000, written: 800, long: 600, output: 100 },
    dollars: (200 * 2 + 200 * 2.5 + 600 * 5 + 100 * 10) / million,
  },
  {
    ...{ model: 'claude-opus-5-5', what: 'with cache writes of both lives' },
    ...{ prompt: 1000, cached: 100, written: 800, long: 600, output: 100 },
    dollars: (100 * 4 + 100 * 0.2 + 200 * 5 + 600 * 8 + 100 * 20) / million,
  },
  {
    ...{ model: 'kimi-k3', what: 'with cache writes of both lives' },
    ...{ prompt: 1000, cached: 100, written: 800, long: 600, output: 100 },
    usage: {
      prompt_tokens_details: {
        cached_tokens: 100,
        cache_creation_input_tokens: 800,
        cache_creation: { ephemeral_5m_input_tokens: 200, ephemeral_1h_input_tokens: 600 },
      },
    },
    dollars: (100 * 3 + 100 * 0.3 + 200 * 3 + 600 * 6 + 100 * 15) / million,
  },
  {
    ...{ model: 'qwen3.8-flash', what: 'with writes to an explicit cache' },
    ...{ prompt: 100_000, cached: 20_000, written: 50_000, output: 1000 },
    usage: {
      prompt_tokens_details: {
        ...{ cached_tokens: 20_000, cache_creation_input_tokens: 50_000, cache_type: 'ephemeral' },
      },
    },
    dollars: (30_000 * 0.15 + 20_000 * 0.016 + 50_000 * 0.2 + 1000 * 0.47) / million,
  },
  {
    ...{ model: 'gemini-2.5-flash', what: 'with audio, some of it cached' },
    ...{ prompt: 10_000, cached: 4000, output: 1000 },
    usage: {
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: 4000 },
        { modality: 'AUDIO', tokenCount: 6000 },
      ],
      cacheTokensDetails: [
        { modality: 'TEXT', tokenCount: 1000 },
        { modality: 'AUDIO', tokenCount: 3000 },
      ],
    },
    dollars: (3000 * 0.3 + 3000 * 1 + 1000 * 0.03 + 3000 * 0.1 + 1000 * 2.5) / million,
  },
  {
    ...{ model: 'grok-4.7', what: 'with cached tokens beside the others' },
    ...{ prompt: 1000, cached: 3000, output: 500 },
    usage: { total_tokens: 4500 },
    dollars: (1000 * 2 + 3000 * 0.5 + 500 * 6) / million,
  },
  // Tools that vendors run, per call.
  ...searches('gpt-6-sol', 'web_search', 0.01, 10),
  ...searches('gpt-4.1', 'web_search', 0.01, 8),
  ...searches('gpt-4.1', 'web_search_preview', 0.025, 8),
  {
    ...{ model: 'gpt-6-sol', what: 'with searches that the vendor counts' },
    ...{ prompt: 1000, output: 100, by: ['responses'] },
    reply: {
      output: [search('search'), search('search')],
      tool_usage: { web_search: { num_requests: 5 } },
    },
    dollars: (1000 * 2 + 100 * 10) / million + 5 * 0.01,
  },
  {
    ...{ model: 'gpt-6-sol', what: 'with two containers and three file searches' },
    ...{ prompt: 1000, output: 100, by: ['responses'] },
    reply: {
      service_tier: 'priority',
      output: [
        { id: 'ci_1', type: 'code_interpreter_call', container_id: 'cntr_1', status: 'completed' },
        { id: 'ci_2', type: 'code_interpreter_call', container_id: 'cntr_1', status: 'completed' },
        {
          ...{ id: 'sh_1', type: 'shell_call', status: 'completed' },
          environment: { type: 'container_reference', container_id: 'cntr_2' },
        },
        ...['a', 'b', 'c'].map((id) => ({ id, type: 'file_search_call', status: 'completed' })),
      ],
    },
    dollars: (1000 * 4 + 100 * 20) / million + 2 * 0.03 + 3 * 0.0025,
  },
  {
    ...{ model: 'claude-opus-5-5', what: 'with searches and a fetch, which is free' },
    ...{ prompt: 1000, output: 100 },
    usage: { server_tool_use: { web_search_requests: 3, web_fetch_requests: 2 } },
    dollars: (1000 * 4 + 100 * 20) / million + 3 * 0.01,
  },
  {
    ...{ model: 'gemini-3.8-flash', what: 'grounded by three queries' },
    ...{ prompt: 1000, output: 100 },
    reply: { groundingMetadata: { webSearchQueries: ['a', 'b', 'c'] } },
    dollars: (1000 * 0.75 + 100 * 3.75) / million + 3 * 0.014,
  },
  {
    ...{ model: 'gemini-3.8-flash', what: 'grounded by maps' },
    ...{ prompt: 1000, output: 100 },
    reply: { groundingMetadata: { groundingChunks: [{ maps: { uri: 'https://maps' } }] } },
    dollars: (1000 * 0.75 + 100 * 3.75) / million + 0.014,
  },
  {
    ...{ model: 'gemini-2.5-flash', what: 'grounded, however many queries' },
    ...{ prompt: 1000, output: 100 },
    reply: { groundingMetadata: { webSearchQueries: ['a', 'b', 'c'] } },
    dollars: (1000 * 0.3 + 100 * 2.5) / million + 0.035,
  },
  // https://docs.x.ai/developers/pricing.md
  {
    ...{ model: 'grok-4.7', what: 'with tools of its own' },
    ...{ prompt: 1000, output: 100 },
    usage: {
      num_server_side_tools_used: 8,
      server_side_tool_usage_details: {
        ...{ web_search_calls: 2, x_search_calls: 3, code_interpreter_calls: 1 },
        ...{ file_search_calls: 2, mcp_calls: 0 },
      },
    },
    dollars: (1000 * 2 + 100 * 6) / million + 6 * 0.005 + 2 * 0.0025,
  },
  // What other models did, each at its own price.
  {
    ...{ model: 'claude-sonnet-5-5', what: 'with an advisor' },
    ...{ prompt: 900, output: 90 },
    usage: {
      iterations: [
        iteration('message', 'claude-sonnet-5-5-20260928', 1000, 100),
        {
          ...iteration('advisor_message', 'claude-fable-5-1', 2000, 50),
          cache_read_input_tokens: 400,
          cache_creation_input_tokens: 800,
          cache_creation: { ephemeral_1h_input_tokens: 200 },
        },
        iteration('message', 'claude-sonnet-5-5-20260928', 500, 200),
        { type: 'compaction', input_tokens: 300, output_tokens: 30 },
      ],
    },
    dollars:
      (1800 * 2 + 330 * 10) / million +
      (2000 * 10 + 400 * 0.25 + 600 * 12.5 + 200 * 20 + 50 * 50) / million,
  },
  {
    ...{ model: 'claude-fable-5-1', what: 'answered by a cheaper model in its place' },
    ...{ prompt: 1000, output: 100 },
    usage: {
      inference_geo: 'us',
      iterations: [
        iteration('message', 'claude-fable-5-1', 1000, 10),
        iteration('fallback_message', 'claude-opus-5-5', 1000, 300),
      ],
    },
    dollars: ((1000 * 10 + 10 * 50) * 1.1 + (1000 * 4 + 300 * 20) * 1.1) / million,
  },
  {
    ...{ model: 'gpt-6-sol', what: 'with an image that its tool made' },
    ...{ prompt: 1000, output: 100, by: ['responses'] },
    reply: {
      tools: [{ type: 'image_generation' }],
      tool_usage: {
        image_gen: {
          ...{ input_tokens: 500, output_tokens: 4160, total_tokens: 4660 },
          input_tokens_details: { text_tokens: 200, image_tokens: 300 },
        },
      },
    },
    dollars: (1000 * 2 + 100 * 10 + 200 * 5 + 300 * 8 + 4160 * 30) / million,
  },
  // Perplexity's fee for each request.
  ...(['low', 'medium', 'high'] as const).flatMap((size) => [
    {
      ...{ model: 'sonar', what: `searching ${size}` },
      ...{ prompt: 1000, output: 500, usage: { search_context_size: size } },
      dollars: 1500 / million + { low: 0.005, medium: 0.008, high: 0.012 }[size],
    },
    {
      ...{ model: 'sonar-pro', what: `searching ${size}` },
      ...{ prompt: 1000, output: 500, usage: { search_context_size: size } },
      dollars: (1000 * 3 + 500 * 15) / million + { low: 0.006, medium: 0.01, high: 0.014 }[size],
    },
  ]),
  {
    ...{ model: 'sonar-deep-research', what: 'with thinking beside its output' },
    ...{ prompt: 33, output: 7163 },
    usage: { citation_tokens: 20_163, num_search_queries: 18, reasoning_tokens: 73_997 },
    dollars: ((33 + 20_163) * 2 + 7163 * 8 + 73_997 * 3) / million + 18 * 0.005,
  },
  // Tiers, as the reply names them.
  {
    ...{ model: 'gpt-6-sol', what: 'priority' },
    ...{ prompt: 1000, output: 500, reply: { service_tier: 'priority' } },
    dollars: (1000 * 4 + 500 * 20) / million,
  },
  {
    ...{ model: 'gpt-6-sol', what: 'flex' },
    ...{ prompt: 1000, cached: 400, output: 500, reply: { service_tier: 'flex' } },
    dollars: (600 * 1 + 400 * 0.1 + 500 * 5) / million,
  },
  {
    ...{ model: 'gpt-6.1-sol', what: 'ultrafast' },
    ...{ prompt: 1000, output: 500, reply: { service_tier: 'ultrafast' } },
    dollars: (1000 * 12 + 500 * 60) / million,
  },
  {
    ...{ model: 'gpt-5.5', what: 'priority, which is dearer there' },
    ...{ prompt: 1000, output: 500, reply: { service_tier: 'priority' } },
    dollars: (1000 * 12.5 + 500 * 75) / million,
  },
  {
    ...{ model: 'gpt-6-sol', what: 'the usual tier' },
    ...{ prompt: 1000, output: 500, reply: { service_tier: 'default' } },
    dollars: (1000 * 2 + 500 * 10) / million,
  },
  {
    ...{ model: 'claude-opus-5-5', what: 'fast' },
    ...{ prompt: 1000, cached: 500, output: 500, usage: { speed: 'fast' } },
    dollars: (500 * 8 + 500 * 0.4 + 500 * 40) / million,
  },
  {
    ...{ model: 'claude-opus-5-5', what: 'in the United States' },
    ...{ prompt: 1000, output: 1000 },
    usage: { service_tier: 'standard', speed: 'standard', inference_geo: 'us' },
    dollars: (1000 * 4.4 + 1000 * 22) / million,
  },
  {
    ...{ model: 'claude-opus-5-5', what: 'fast in the United States' },
    ...{ prompt: 1000, output: 1000, usage: { speed: 'fast', inference_geo: 'us' } },
    dollars: (1000 * 8.8 + 1000 * 44) / million,
  },
  {
    ...{ model: 'claude-sonnet-5-5', what: 'anywhere' },
    ...{ prompt: 1000, output: 1000, usage: { inference_geo: 'global' } },
    dollars: (1000 * 2 + 1000 * 10) / million,
  },
  {
    ...{ model: 'gemini-3.8-flash', what: 'priority' },
    ...{ prompt: 1000, output: 1000, usage: { trafficType: 'ON_DEMAND_PRIORITY' } },
    dollars: (1000 * 1.35 + 1000 * 6.75) / million,
  },
  {
    ...{ model: 'gemini-3.8-flash', what: 'flex' },
    ...{ prompt: 1000, output: 1000, usage: { trafficType: 'ON_DEMAND_FLEX' } },
    dollars: (1000 * 0.375 + 1000 * 1.875) / million,
  },
  {
    ...{ model: 'gemini-3.8-flash', what: 'on demand' },
    ...{ prompt: 1000, output: 1000, usage: { trafficType: 'ON_DEMAND' } },
    dollars: (1000 * 0.75 + 1000 * 3.75) / million,
  },
];

const rows = every.flatMap((one) =>
  (one.by ?? callers).flatMap((caller) =>
    [false, true].map((stream) => ({ ...one, caller, stream })),
  ),
);

describe('is charged as its vendor lists it', () => {
  it.each(rows)('$model $what, by $caller (stream: $stream)', async (row) => {
    const { quota } = await chargeOf(row.caller, row.model, row.stream, row);
    expect(quota).toBe(Math.round(row.dollars * unit));
  });
});

describe('a tier without a price', () => {
  it.each(callers)('costs what the usual one does, and is noted (by %s)', async (caller) => {
    const said = { prompt: 1000, output: 500, reply: { service_tier: 'scale' } };
    const { quota, other } = await chargeOf(caller, 'gpt-6-sol', true, said);
    expect([quota, other['tiers']]).toEqual([3500, { scale: null }]);
  });
});
