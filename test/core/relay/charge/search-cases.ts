/** The same for searches, fees of requests and pages that are read. */
import { type Case, million } from './token-cases.ts';

const kimiSearch = { type: 'builtin_function', function: { name: '$web_search' } } as const;

export const searchCases: readonly Case[] = [
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
    reply: {
      service_tier: 'flex',
      output: [
        { id: 'ws_1', type: 'web_search_call', status: 'completed', action: { type: 'search' } },
      ],
    },
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
