/** The same for what costs more than tokens: tools that vendors run, fees, other models. */
import { type Case, million } from './token-cases.ts';

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
function searches(
  model: string,
  tool: 'web_search' | 'web_search_preview',
  price: number,
  output: number,
): readonly Case[] {
  return [
    {
      model,
      what: `with calls of ${tool}`,
      by: ['responses'],
      fees: [tool],
      prompt: 1000,
      output: 100,
      reply: {
        tools: [{ type: tool }],
        output: [search('search'), search('open_page'), search('search')],
      },
      // Both models take $2 for a million tokens of input.
      dollars: (1000 * 2 + 100 * output) / million + 2 * price,
    },
  ];
}

function madeImage(id: string, quality: string, size: string, status = 'completed') {
  const result = status === 'completed' ? 'aW1hZ2U=' : null;
  return { id, type: 'image_generation_call', status, quality, size, result };
}

function codeCall(id: string, container_id: string) {
  return { id, type: 'code_interpreter_call', container_id, status: 'completed' };
}

function shellCall(container_id: string) {
  const environment = { type: 'container_reference', container_id };
  return { id: 'sh_1', type: 'shell_call', status: 'completed', environment };
}

/** https://developers.openai.com/api/docs/guides/image-generation, at $30 for a million tokens. */
const imagesOf: readonly (readonly [quality: string, size: string, tokens: number])[] = [
  ['low', '1024x1024', 272],
  ['low', '1024x1536', 408],
  ['low', '1536x1024', 400],
  ['medium', '1024x1024', 1056],
  ['medium', '1024x1536', 1584],
  ['medium', '1536x1024', 1568],
  ['high', '1024x1024', 4160],
  ['high', '1024x1536', 6240],
  ['high', '1536x1024', 6208],
];

const readBefore = { cache_read_input_tokens: 50_000 };

export const toolCases: readonly Case[] = [
  // An image whose tokens nobody counted: by the quality and size of the item.
  ...imagesOf.map(
    ([quality, size, tokens]): Case => ({
      model: 'gpt-6-sol',
      what: `with an image of ${quality} quality and ${size}`,
      prompt: 1000,
      output: 100,
      by: ['responses'],
      fees: ['image_tokens'],
      reply: {
        tools: [{ type: 'image_generation', model: 'gpt-image-2' }],
        output: [
          madeImage('ig_1', quality, size),
          madeImage('ig_2', quality, size, 'failed'),
          madeImage('ig_3', quality, size),
        ],
      },
      dollars: (1000 * 2 + 100 * 10 + 2 * tokens * 30) / million,
    }),
  ),
  // Tools that vendors run, per call.
  ...searches('gpt-6-sol', 'web_search', 0.01, 10),
  ...searches('gpt-4.1', 'web_search', 0.01, 8),
  ...searches('gpt-4.1', 'web_search_preview', 0.025, 8),
  // What these two find is a block of 8,000 tokens of input for each call.
  {
    model: 'gpt-4o-mini',
    what: 'with a search',
    by: ['responses'],
    fees: ['web_search'],
    prompt: 1000,
    output: 100,
    reply: { tools: [{ type: 'web_search' }], output: [search('search')] },
    dollars: (1000 * 0.15 + 8000 * 0.15 + 100 * 0.6) / million + 0.01,
  },
  {
    model: 'gpt-4.1-mini',
    what: 'with a search',
    by: ['responses'],
    fees: ['web_search'],
    prompt: 1000,
    output: 100,
    reply: { tools: [{ type: 'web_search' }], output: [search('search')] },
    dollars: (1000 * 0.4 + 8000 * 0.4 + 100 * 1.6) / million + 0.01,
  },
  {
    model: 'gpt-6-sol',
    what: 'with searches that the vendor counts',
    fees: ['web_search'],
    prompt: 1000,
    output: 100,
    by: ['responses'],
    reply: {
      output: [search('search'), search('search')],
      tool_usage: { web_search: { num_requests: 5 } },
    },
    dollars: (1000 * 2 + 100 * 10) / million + 5 * 0.01,
  },
  {
    model: 'gpt-6-sol',
    what: 'with two containers and three file searches',
    fees: ['container_1g', 'file_search'],
    prompt: 1000,
    output: 100,
    by: ['responses'],
    reply: {
      service_tier: 'priority',
      output: [
        codeCall('ci_1', 'cntr_1'),
        codeCall('ci_2', 'cntr_1'),
        shellCall('cntr_2'),
        ...['a', 'b', 'c'].map((id) => ({ id, type: 'file_search_call', status: 'completed' })),
      ],
    },
    // Five minutes of each: $0.03 are the price of 20.
    dollars: (1000 * 4 + 100 * 20) / million + (2 * 5 * 0.03) / 20 + 3 * 0.0025,
  },
  ...(
    [
      ['1g', 0.03],
      ['4g', 0.12],
      ['16g', 0.48],
      ['64g', 1.92],
    ] as const
  ).map(
    ([memory_limit, price]): Case => ({
      model: 'gpt-6-sol',
      what: `with a container of ${memory_limit}`,
      by: ['responses'],
      fees: [`container_${memory_limit}`],
      prompt: 1000,
      output: 100,
      reply: {
        tools: [{ type: 'code_interpreter', container: { type: 'auto', memory_limit } }],
        output: [codeCall('ci_1', `cntr_${memory_limit}`)],
      },
      dollars: (1000 * 2 + 100 * 10) / million + (5 * price) / 20,
    }),
  ),
  {
    model: 'gpt-6-sol',
    what: 'with a shell of four gigabytes',
    fees: ['container_4g'],
    prompt: 1000,
    output: 100,
    by: ['responses'],
    reply: {
      tools: [{ type: 'shell', environment: { type: 'container_auto', memory_limit: '4g' } }],
      output: [shellCall('cntr_shell')],
    },
    dollars: (1000 * 2 + 100 * 10) / million + (5 * 0.12) / 20,
  },
  {
    model: 'claude-opus-5-5',
    what: 'with code that ran in a container',
    fees: ['claude_code'],
    prompt: 1000,
    output: 100,
    usage: { server_tool_use: { code_execution_requests: 2 } },
    reply: { container: { id: 'cntr_a1', expires_at: '2026-12-01T00:00:00Z' } },
    dollars: (1000 * 4 + 100 * 20) / million + (0.05 * 5) / 60,
  },
  {
    model: 'claude-opus-5-5',
    what: 'with code that ran somewhere',
    fees: ['claude_code'],
    prompt: 1000,
    output: 100,
    usage: { server_tool_use: { code_execution_requests: 1 } },
    dollars: (1000 * 4 + 100 * 20) / million + (0.05 * 5) / 60,
  },
  ...(['web_search_20260209', 'web_fetch_20260318'] as const).map(
    (type): Case => ({
      model: 'claude-opus-5-5',
      what: `with code beside ${type}`,
      by: ['messages'],
      fees: ['claude_code', 'claude_search'],
      prompt: 1000,
      output: 100,
      ask: { tools: [{ type, name: type.replace(/_\d+$/, '') }] },
      usage: { server_tool_use: { code_execution_requests: 1, web_search_requests: 0 } },
      reply: { container: { id: 'cntr_a2' } },
      dollars: (1000 * 4 + 100 * 20) / million,
    }),
  ),
  {
    model: 'claude-opus-5-5',
    what: 'with code beside an older search',
    by: ['messages'],
    fees: ['claude_code', 'claude_search'],
    prompt: 1000,
    output: 100,
    ask: { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
    usage: { server_tool_use: { code_execution_requests: 1, web_search_requests: 1 } },
    reply: { container: { id: 'cntr_a3' } },
    dollars: (1000 * 4 + 100 * 20) / million + 0.01 + (0.05 * 5) / 60,
  },
  // What other models did, each at its own price.
  {
    model: 'claude-sonnet-5-5',
    what: 'with an advisor',
    prompt: 900,
    output: 90,
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
  // The step of a long prompt is that of each iteration's.
  {
    model: 'claude-haiku-5-5',
    what: 'with iterations that are long only together',
    prompt: 60_000,
    output: 100,
    usage: {
      iterations: [
        { type: 'compaction', input_tokens: 90_000, output_tokens: 500 },
        iteration('message', 'claude-haiku-5-5', 60_000, 100),
      ],
    },
    dollars: (150_000 * 0.1 + 600 * 0.5) / million,
  },
  {
    model: 'claude-sonnet-5-5',
    what: 'with an advisor whose iterations are long only together',
    prompt: 1000,
    output: 100,
    usage: {
      iterations: [
        iteration('message', 'claude-sonnet-5-5', 1000, 100),
        { ...iteration('advisor_message', 'claude-haiku-5-5', 20_000, 50), ...readBefore },
        { ...iteration('advisor_message', 'claude-haiku-5-5', 20_000, 50), ...readBefore },
      ],
    },
    dollars:
      (1000 * 2 + 100 * 10) / million + (40_000 * 0.1 + 100_000 * 0.01 + 100 * 0.5) / million,
  },
  {
    model: 'claude-haiku-5-5',
    what: 'with a long iteration',
    prompt: 1000,
    output: 100,
    usage: {
      iterations: [
        { type: 'compaction', input_tokens: 100_001, output_tokens: 500 },
        iteration('message', 'claude-haiku-5-5', 1000, 100),
      ],
    },
    dollars: ((101_001 * 0.1 + 600 * 0.5) * 5) / million,
  },
  {
    model: 'claude-fable-5-1',
    what: 'answered by a cheaper model in its place',
    prompt: 1000,
    output: 100,
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
    model: 'gpt-6-sol',
    what: 'with an image that its tool made',
    fees: ['image_tokens'],
    prompt: 1000,
    output: 100,
    by: ['responses'],
    reply: {
      tools: [{ type: 'image_generation' }],
      tool_usage: {
        image_gen: {
          input_tokens: 500,
          output_tokens: 4160,
          total_tokens: 4660,
          input_tokens_details: { text_tokens: 200, image_tokens: 300 },
        },
      },
    },
    dollars: (1000 * 2 + 100 * 10 + 200 * 5 + 300 * 8 + 4160 * 30) / million,
  },
];
