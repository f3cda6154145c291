/**
 * The conversion of request features that some formats do not support. The conversion suite tests
 * each entry; the table in docs/conversions.md is written from it.
 */
import { chatLimits } from './chat-limits.ts';
import type { Limit } from './limit.ts';

const user = (...content: object[]) => [{ role: 'user', content }];
const hi = { type: 'text', text: 'Hi' };
/** A schema that strict functions may have everywhere. */
const closed = {
  type: 'object',
  properties: { at: { type: 'string' } },
  required: ['at'],
  additionalProperties: false,
};

export const limits: readonly Limit[] = [
  ...chatLimits,
  {
    caller: 'completions',
    feature: '`echo`, `logprobs`, `suffix`, several prompts',
    fields: { echo: true },
    mark: '"echo":true',
    fate: { chat: 'kept', messages: 'refused', Gemini: 'refused', Responses: 'kept' },
    reason:
      'Only a completion interface repeats or fills in; OpenAI has one beside either wire, elsewhere a completion is asked for as a chat.',
  },
  {
    caller: 'messages',
    feature: '`top_k`',
    fields: { top_k: 47 },
    mark: '":47',
    fate: { chat: 'dropped', messages: 'kept', Gemini: 'kept', Responses: 'dropped' },
    reason: 'OpenAI has no such setting; see OpenRouter below.',
  },
  {
    caller: 'messages',
    feature: '`cache_control` of blocks',
    fields: {
      messages: user({ ...hi, cache_control: { type: 'ephemeral' } }),
    },
    mark: 'ephemeral',
    fate: { chat: 'dropped', messages: 'kept', Gemini: 'dropped', Responses: 'dropped' },
    reason: 'Others have no marks for the cache; see OpenAI since GPT-5.6 below.',
  },
  {
    caller: 'messages',
    feature: '`compaction` blocks',
    fields: {
      messages: [
        ...user(hi),
        { role: 'assistant', content: [{ type: 'compaction', content: 'So far: 4711.' }] },
        ...user(hi),
      ],
    },
    mark: '4711',
    fate: { chat: 'kept', messages: 'kept', Gemini: 'kept', Responses: 'kept' },
    reason: 'The summary is a text of the assistant.',
  },
  {
    caller: 'messages',
    feature: 'tools that the provider runs or defines (`bash_*`, `text_editor_*`, `computer_*`)',
    fields: { tools: [{ type: 'bash_20250124', name: 'bash' }] },
    mark: 'bash_20250124',
    fate: { chat: 'refused', messages: 'kept', Gemini: 'refused', Responses: 'refused' },
    reason: 'Their meaning is known to Claude only.',
  },
  {
    caller: 'messages',
    feature: '`web_search_*`',
    fields: { tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 8 }] },
    mark: {
      chat: 'search',
      messages: 'web_search_20250305',
      Gemini: 'googleSearch',
      Responses: '"web_search"',
    },
    fate: { chat: 'refused', messages: 'kept', Gemini: 'kept', Responses: 'kept' },
    reason:
      'Chat completions search with some models only. A channel of OpenAI goes by Responses for it, unless `use_responses` says otherwise.',
  },
  {
    caller: 'messages',
    feature: '`mcp_servers`',
    fields: { mcp_servers: [{ type: 'url', name: 'notes', url: 'https://mcp.example/4711' }] },
    mark: '4711',
    fate: { chat: 'refused', messages: 'kept', Gemini: 'refused', Responses: 'refused' },
    reason: "Anthropic's servers call these.",
  },
  {
    caller: 'messages',
    feature: '`container`, `context_management`, tools for the search of tools',
    fields: {
      context_management: { edits: [{ type: 'clear_tool_uses_4711' }] },
      tools: [{ type: 'tool_search_tool_bm25_4711', name: 'tool_search' }],
    },
    mark: '4711',
    fate: { chat: 'dropped', messages: 'kept', Gemini: 'dropped', Responses: 'dropped' },
    reason: 'Features of the Anthropic platform, which agents send with every request.',
  },
  {
    caller: 'messages',
    feature: '`strict` of a tool',
    fields: { tools: [{ name: 'look', input_schema: closed, strict: true }] },
    mark: '"strict":true',
    fate: { chat: 'kept', messages: 'kept', Gemini: 'dropped', Responses: 'kept' },
    reason:
      'OpenAI has it where the schema requires each property, so that optional ones drop it. Gemini promises nothing of the kind.',
  },
  {
    caller: 'messages',
    feature: 'thinking of an earlier turn, with its signature',
    fields: {
      messages: [
        { role: 'user', content: 'Hi' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm.', signature: 'c2lnLTQ3MTE=' },
            { type: 'text', text: 'Hello' },
          ],
        },
        { role: 'user', content: 'Again' },
      ],
    },
    mark: 'c2lnLTQ3MTE=',
    fate: { chat: 'dropped', messages: 'kept', Gemini: 'dropped', Responses: 'dropped' },
    reason: 'Thinking signatures are valid only at the provider that made them.',
  },
  {
    caller: 'messages',
    feature: '`metadata.user_id`',
    fields: { metadata: { user_id: 'account-4711' } },
    mark: 'account-4711',
    fate: { chat: 'dropped', messages: 'kept', Gemini: 'dropped', Responses: 'dropped' },
    reason: 'Agents put account and device into it. OpenAI gets a hash of it as `user`.',
  },
  {
    caller: 'messages',
    feature: 'documents in the result of a tool',
    fields: {
      messages: [
        { role: 'user', content: 'Hi' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: {} }],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'toolu_1',
              content: [
                {
                  type: 'document',
                  source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi00NzEx' },
                },
              ],
            },
          ],
        },
      ],
    },
    mark: 'JVBERi00NzEx',
    fate: { chat: 'kept', messages: 'kept', Gemini: 'kept', Responses: 'kept' },
    reason: 'Where results are text, documents follow them in a user message.',
  },
  {
    caller: 'messages',
    feature: '`citations` of a document',
    fields: {
      messages: user(hi, {
        type: 'document',
        source: { type: 'text', media_type: 'text/plain', data: 'Notes.' },
        citations: { enabled: true },
      }),
    },
    mark: '"citations":{"enabled":true}',
    fate: { chat: 'dropped', messages: 'kept', Gemini: 'dropped', Responses: 'dropped' },
    reason: 'Only Claude names the passages of a document that support its answer.',
  },
  {
    caller: 'Gemini',
    feature: '`googleSearch`',
    fields: { tools: [{ googleSearch: {} }] },
    mark: {
      chat: 'search',
      messages: 'web_search_20250305',
      Gemini: 'googleSearch',
      Responses: '"web_search"',
    },
    fate: { chat: 'refused', messages: 'kept', Gemini: 'kept', Responses: 'kept' },
    reason: 'As for messages.',
  },
  {
    caller: 'Gemini',
    feature: '`codeExecution`, `urlContext`, `googleMaps`, `fileSearch`',
    fields: { tools: [{ codeExecution: {} }] },
    mark: 'codeExecution',
    fate: { chat: 'refused', messages: 'refused', Gemini: 'kept', Responses: 'refused' },
    reason: "Tools of Google's platform.",
  },
  {
    caller: 'Gemini',
    feature: '`safetySettings`, `cachedContent`, `labels`',
    fields: { labels: { team: 'team-4711' } },
    mark: 'team-4711',
    fate: { chat: 'dropped', messages: 'dropped', Gemini: 'kept', Responses: 'dropped' },
    reason: "Features of Google's platform.",
  },
  {
    caller: 'Gemini',
    feature: '`fileData` in Google storage',
    fields: {
      contents: [
        {
          role: 'user',
          parts: [
            { text: 'Hi' },
            { fileData: { fileUri: 'gs://bucket/4711.png', mimeType: 'image/png' } },
          ],
        },
      ],
    },
    mark: '4711.png',
    fate: { chat: 'refused', messages: 'refused', Gemini: 'kept', Responses: 'refused' },
    reason: 'No other provider can read it.',
  },
  {
    caller: 'Gemini',
    feature: '`thoughtSignature` of an earlier text or call',
    fields: {
      contents: [
        { role: 'user', parts: [{ text: 'Hi' }] },
        { role: 'model', parts: [{ text: 'Hello', thoughtSignature: 'c2lnLTQ3MTE=' }] },
        { role: 'user', parts: [{ text: 'Again' }] },
      ],
    },
    mark: 'c2lnLTQ3MTE=',
    fate: { chat: 'dropped', messages: 'dropped', Gemini: 'kept', Responses: 'dropped' },
    reason: 'Thinking signatures are valid only at the provider that made them.',
  },
  {
    caller: 'Responses',
    feature: '`strict` of a function',
    fields: { tools: [{ type: 'function', name: 'look', parameters: closed, strict: true }] },
    mark: '"strict":true',
    fate: { chat: 'kept', messages: 'kept', Gemini: 'dropped', Responses: 'kept' },
    reason: 'As for chat.',
  },
  {
    caller: 'Responses',
    feature: '`prompt_cache_breakpoint` of parts',
    fields: {
      input: user({
        type: 'input_text',
        text: 'Hi',
        prompt_cache_breakpoint: { mode: 'explicit' },
      }),
    },
    mark: {
      chat: 'prompt_cache_breakpoint',
      messages: 'ephemeral',
      Gemini: 'cache',
      Responses: 'prompt_cache_breakpoint',
    },
    fate: { chat: 'dropped', messages: 'kept', Gemini: 'dropped', Responses: 'kept' },
    reason: 'As [`cache_control`](rules/formats.md#cache-marks) of the last four.',
  },
  {
    caller: 'Responses',
    feature: '`configuration_update` items',
    fields: {
      input: [
        { role: 'user', content: 'Hi' },
        { type: 'configuration_update', text: { format: { type: 'json_object' } } },
      ],
    },
    mark: {
      chat: 'json_object',
      messages: 'json_object',
      Gemini: 'application/json',
      Responses: 'configuration_update',
    },
    fate: { chat: 'kept', messages: 'in words', Gemini: 'kept', Responses: 'kept' },
    reason:
      'Effort and format [are those of the last ones](rules/formats.md#configuration-updates).',
  },
  {
    caller: 'Responses',
    feature: '`phase` of messages',
    fields: {
      input: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', phase: 'commentary', content: 'Hello' },
        { role: 'user', content: 'Again' },
      ],
    },
    mark: 'commentary',
    fate: { chat: 'dropped', messages: 'dropped', Gemini: 'dropped', Responses: 'kept' },
    reason: "Only OpenAI's models say it, and [it is returned to them](rules/formats.md#phase).",
  },
  {
    caller: 'Responses',
    feature: 'an image by file id',
    fields: {
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'Hi' },
            { type: 'input_image', file_id: 'file-4711' },
          ],
        },
      ],
    },
    mark: 'file-4711',
    fate: { chat: 'refused', messages: 'kept', Gemini: 'refused', Responses: 'kept' },
    reason: 'Chat completions and Gemini take images as data or by URL.',
  },
  {
    caller: 'Responses',
    feature:
      'tools that the provider runs (`file_search`, `code_interpreter`, `mcp`, `computer_use`, a `shell` in a container)',
    fields: { tools: [{ type: 'file_search', vector_store_ids: ['vs_4711'] }] },
    mark: 'vs_4711',
    fate: { chat: 'refused', messages: 'refused', Gemini: 'refused', Responses: 'kept' },
    reason: "Tools of OpenAI's platform.",
  },
  {
    caller: 'Responses',
    feature: '`shell` and `local_shell` of the caller, `apply_patch`',
    fields: {
      tools: [{ type: 'shell', environment: { type: 'local' } }, { type: 'apply_patch' }],
      input: [
        { role: 'user', content: 'Hi' },
        { type: 'shell_call', call_id: 'c1', action: { commands: ['ls 4711'] } },
        { type: 'shell_call_output', call_id: 'c1', output: [{ stdout: 'one', stderr: '' }] },
      ],
    },
    mark: 'ls 4711',
    fate: { chat: 'kept', messages: 'kept', Gemini: 'kept', Responses: 'kept' },
    reason: '[As functions](rules/formats.md#client-tools), with their calls and results.',
  },
  {
    caller: 'Responses',
    feature: '`tool_search` of the caller (`execution: "client"`)',
    fields: { tools: [{ type: 'tool_search', execution: 'client', description: '4711' }] },
    mark: '4711',
    fate: { chat: 'kept', messages: 'kept', Gemini: 'kept', Responses: 'kept' },
    reason: 'Likewise. What it finds are functions from then on.',
  },
  {
    caller: 'Responses',
    feature: '`defer_loading` with a `tool_search` of the vendor',
    fields: {
      tools: [
        { type: 'tool_search' },
        { type: 'function', name: 'look_4711', parameters: closed, defer_loading: true },
      ],
    },
    mark: 'look_4711',
    fate: { chat: 'kept', messages: 'kept', Gemini: 'kept', Responses: 'kept' },
    reason: 'Models of other vendors get all tools at once.',
  },
  {
    caller: 'Responses',
    feature: '`web_search` in the cache (`external_web_access: false`)',
    fields: {
      tools: [{ type: 'web_search', external_web_access: false, user_location: { city: '4711' } }],
    },
    mark: '4711',
    fate: { chat: 'dropped', messages: 'dropped', Gemini: 'dropped', Responses: 'kept' },
    reason:
      'Codex sends it with every request. A search that is live is refused where there is none.',
  },
  {
    caller: 'Responses',
    feature: '`max_tool_calls`, `include` of what its own tools found',
    fields: { max_tool_calls: 47 },
    mark: '"max_tool_calls":47',
    fate: { chat: 'dropped', messages: 'dropped', Gemini: 'dropped', Responses: 'kept' },
    reason: "Features of OpenAI's platform.",
  },
];
