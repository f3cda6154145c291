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
      ...{ model, what: `with calls of ${tool}`, by: ['responses'], fees: [tool] },
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

const kimiSearch = { type: 'builtin_function', function: { name: '$web_search' } } as const;

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

export const toolCases: readonly Case[] = [
  // An image whose tokens nobody counted: by the quality and size of the item.
  ...imagesOf.map(
    ([quality, size, tokens]): Case => ({
      ...{ model: 'gpt-6-sol', what: `with an image of ${quality} quality and ${size}` },
      ...{ prompt: 1000, output: 100, by: ['responses'], fees: ['image_tokens'] },
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
  {
    ...{ model: 'gpt-6-sol', what: 'with searches that the vendor counts' },
    fees: ['web_search'],
    ...{ prompt: 1000, output: 100, by: ['responses'] },
    reply: {
      output: [search('search'), search('search')],
      tool_usage: { web_search: { num_requests: 5 } },
    },
    dollars: (1000 * 2 + 100 * 10) / million + 5 * 0.01,
  },
  {
    ...{ model: 'gpt-6-sol', what: 'with two containers and three file searches' },
    fees: ['container_1g', 'file_search'],
    ...{ prompt: 1000, output: 100, by: ['responses'] },
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
      ...{ model: 'gpt-6-sol', what: `with a container of ${memory_limit}`, by: ['responses'] },
      fees: [`container_${memory_limit}`],
      ...{ prompt: 1000, output: 100 },
      reply: {
        tools: [{ type: 'code_interpreter', container: { type: 'auto', memory_limit } }],
        output: [codeCall('ci_1', `cntr_${memory_limit}`)],
      },
      dollars: (1000 * 2 + 100 * 10) / million + (5 * price) / 20,
    }),
  ),
  {
    ...{ model: 'gpt-6-sol', what: 'with a shell of four gigabytes' },
    fees: ['container_4g'],
    ...{ prompt: 1000, output: 100, by: ['responses'] },
    reply: {
      tools: [{ type: 'shell', environment: { type: 'container_auto', memory_limit: '4g' } }],
      output: [shellCall('cntr_shell')],
    },
    dollars: (1000 * 2 + 100 * 10) / million + (5 * 0.12) / 20,
  },
  {
    ...{ model: 'claude-opus-5-5', what: 'with code that ran in a container' },
    fees: ['claude_code'],
    ...{ prompt: 1000, output: 100 },
    usage: { server_tool_use: { code_execution_requests: 2 } },
    reply: { container: { id: 'cntr_a1', expires_at: '2026-12-01T00:00:00Z' } },
    dollars: (1000 * 4 + 100 * 20) / million + (0.05 * 5) / 60,
  },
  {
    ...{ model: 'claude-opus-5-5', what: 'with code that ran somewhere' },
    fees: ['claude_code'],
    ...{ prompt: 1000, output: 100 },
    usage: { server_tool_use: { code_execution_requests: 1 } },
    dollars: (1000 * 4 + 100 * 20) / million + (0.05 * 5) / 60,
  },
  ...(['web_search_20260209', 'web_fetch_20260318'] as const).map(
    (type): Case => ({
      ...{ model: 'claude-opus-5-5', what: `with code beside ${type}`, by: ['messages'] },
      fees: ['claude_code', 'claude_search'],
      ...{ prompt: 1000, output: 100 },
      ask: { tools: [{ type, name: type.replace(/_\d+$/, '') }] },
      usage: { server_tool_use: { code_execution_requests: 1, web_search_requests: 0 } },
      reply: { container: { id: 'cntr_a2' } },
      dollars: (1000 * 4 + 100 * 20) / million,
    }),
  ),
  {
    ...{ model: 'claude-opus-5-5', what: 'with code beside an older search', by: ['messages'] },
    fees: ['claude_code', 'claude_search'],
    ...{ prompt: 1000, output: 100 },
    ask: { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
    usage: { server_tool_use: { code_execution_requests: 1, web_search_requests: 1 } },
    reply: { container: { id: 'cntr_a3' } },
    dollars: (1000 * 4 + 100 * 20) / million + 0.01 + (0.05 * 5) / 60,
  },
  // Each call of the function that it runs itself.
  {
    ...{ model: 'kimi-k3', what: 'with a search', by: ['chat'], prompt: 1000, output: 100 },
    fees: ['kimi_search'],
    ask: { tools: [kimiSearch] },
    call: { name: '$web_search', arguments: '{"search_result":{"search_id":"1"}}' },
    dollars: (1000 * 3 + 100 * 15) / million + 0.005,
  },
  {
    ...{ model: 'kimi-k3', what: 'with a search whose arguments begin with a blank', by: ['chat'] },
    fees: ['kimi_search'],
    ...{ prompt: 1000, output: 100, ask: { tools: [kimiSearch] } },
    call: { name: '$web_search', arguments: ' {"search_result":{"search_id":"1"}}' },
    dollars: (1000 * 3 + 100 * 15) / million + 0.005,
  },
  {
    ...{ model: 'kimi-k3', what: 'with a search that is only written of', by: ['chat'] },
    fees: ['kimi_search'],
    ...{ prompt: 1000, output: 100, ask: { tools: [kimiSearch] } },
    call: { name: 'write', arguments: '{"text":"$web_search{} $web_search{}"}' },
    dollars: (1000 * 3 + 100 * 15) / million,
  },
  {
    ...{ model: 'kimi-k3', what: 'with a search that it does without', by: ['chat'] },
    fees: ['kimi_search'],
    ...{ prompt: 1000, output: 100, ask: { tools: [kimiSearch] } },
    dollars: (1000 * 3 + 100 * 15) / million,
  },
  {
    ...{ model: 'claude-opus-5-5', what: 'with searches and a fetch, which is free' },
    fees: ['claude_search', 'claude_fetch'],
    ...{ prompt: 1000, output: 100 },
    usage: { server_tool_use: { web_search_requests: 3, web_fetch_requests: 2 } },
    dollars: (1000 * 4 + 100 * 20) / million + 3 * 0.01,
  },
  {
    ...{ model: 'gemini-3.8-flash', what: 'grounded by three queries' },
    fees: ['grounding'],
    ...{ prompt: 1000, output: 100 },
    reply: { groundingMetadata: { webSearchQueries: ['a', 'b', 'c'] } },
    dollars: (1000 * 0.75 + 100 * 3.75) / million + 3 * 0.014,
  },
  {
    ...{ model: 'gemini-3.8-flash', what: 'grounded by maps' },
    fees: ['maps'],
    ...{ prompt: 1000, output: 100 },
    reply: { groundingMetadata: { groundingChunks: [{ maps: { uri: 'https://maps' } }] } },
    dollars: (1000 * 0.75 + 100 * 3.75) / million + 0.014,
  },
  {
    ...{ model: 'gemini-2.5-flash', what: 'grounded, however many queries' },
    fees: ['grounded_request'],
    ...{ prompt: 1000, output: 100 },
    reply: { groundingMetadata: { webSearchQueries: ['a', 'b', 'c'] } },
    dollars: (1000 * 0.3 + 100 * 2.5) / million + 0.035,
  },
  {
    ...{ model: 'grok-4.7', what: 'with tools of its own' },
    fees: ['xai_search', 'xai_code', 'xai_files'],
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
    fees: ['image_tokens'],
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
      ...{ model: 'sonar', what: `searching ${size}`, fees: [`sonar_${size}` as const] },
      ...{ prompt: 1000, output: 500, usage: { search_context_size: size } },
      dollars: 1500 / million + { low: 0.005, medium: 0.008, high: 0.012 }[size],
    },
    {
      ...{ model: 'sonar-pro', what: `searching ${size}`, fees: [`sonar_pro_${size}` as const] },
      ...{ prompt: 1000, output: 500, usage: { search_context_size: size } },
      dollars: (1000 * 3 + 500 * 15) / million + { low: 0.006, medium: 0.01, high: 0.014 }[size],
    },
  ]),
  {
    ...{ model: 'sonar-deep-research', what: 'with thinking beside its output' },
    fees: ['sonar_query'],
    ...{ prompt: 33, output: 7163 },
    usage: { citation_tokens: 20_163, num_search_queries: 18, reasoning_tokens: 73_997 },
    dollars: ((33 + 20_163) * 2 + 7163 * 8 + 73_997 * 3) / million + 18 * 0.005,
  },
  // Models of chat completions that search in each request.
  {
    ...{ model: 'gpt-5-search-api', what: 'which always searches', fees: ['search_api'] },
    ...{ prompt: 1000, output: 100, by: ['chat'] },
    dollars: (1000 * 1.25 + 100 * 10) / million + 0.01,
  },
  {
    ...{ model: 'gpt-4o-search-preview', what: 'which always searches', fees: ['search_model'] },
    ...{ prompt: 1000, output: 100, by: ['chat'] },
    dollars: (1000 * 2.5 + 100 * 10) / million + 0.025,
  },
  {
    ...{ model: 'gpt-6-sol', what: 'that uses a computer', fees: ['computer_use'] },
    ...{ prompt: 1000, output: 100, by: ['responses'] },
    reply: {
      tools: [{ type: 'computer' }],
      output: [{ id: 'cu_1', type: 'computer_call', call_id: 'c1', status: 'completed' }],
    },
    dollars: (1000 * 2 + 100 * 10) / million,
  },
  {
    ...{ model: 'gpt-6-sol', what: 'with searches that only the output shows, in a tier' },
    ...{ prompt: 1000, output: 100, by: ['responses'], fees: ['web_search'] },
    reply: { service_tier: 'flex', output: [search('search')] },
    // Tools have no tiers.
    dollars: (1000 * 1 + 100 * 5) / million + 0.01,
  },
  {
    ...{ model: 'gemini-3.8-flash', what: 'with pages that it read', fees: ['url_context'] },
    ...{ prompt: 1000, output: 100, usage: { toolUsePromptTokenCount: 5000 } },
    dollars: (6000 * 0.75 + 100 * 3.75) / million,
  },
  {
    ...{ model: 'gemini-3.8-flash', what: 'grounded by queries and by maps' },
    ...{ prompt: 1000, output: 100, fees: ['grounding', 'maps'] },
    reply: {
      groundingMetadata: {
        webSearchQueries: ['a', 'b'],
        groundingChunks: [{ maps: { uri: 'https://maps' } }, { web: { uri: 'https://web' } }],
      },
    },
    dollars: (1000 * 0.75 + 100 * 3.75) / million + 2 * 0.014 + 0.014,
  },
  // OpenRouter's web plugin, where the vendor of the model searches.
  {
    ...{ model: 'claude-opus-4-7', what: 'by OpenRouter, with searches', fees: ['claude_search'] },
    ...{ prompt: 1000, cached: 200, output: 100 },
    usage: { server_tool_use: { web_search_requests: 2 }, cost: 0.0266, is_byok: false },
    dollars: (800 * 5 + 200 * 0.5 + 100 * 25) / million + 2 * 0.01,
  },
];
