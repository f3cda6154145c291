/**
 * What becomes of the parts of a request that not every model takes: entries like those of
 * limits.ts, by model or provider.
 */
import type { ModelLimit } from './limit.ts';

const closed = {
  type: 'object',
  properties: { at: { type: 'string' } },
  required: ['at'],
  additionalProperties: false,
};
const schema = {
  response_format: { type: 'json_schema', json_schema: { name: 'at', schema: closed } },
};
const object = { response_format: { type: 'json_object' } };
const look = {
  type: 'function',
  function: { name: 'look', parameters: { type: 'object', properties: {} } },
};

/** OpenAI's chat completions, for callers of every wire. */
const openAi = { type: 1, setting: '{"use_responses":false}' };
const gemini = { type: 24 };
const cohere = { type: 34 };
const bedrock = { type: 33, key: 'AKIDEXAMPLE|secret|us-east-1' };

const beside = '`response_format` with a schema, beside `tools`';
const cohereModel = 'command-a-03-2025';
const novaModel = 'nova-pro-v1:0';

export const modelLimits: readonly ModelLimit[] = [
  {
    caller: 'chat',
    feature: beside,
    fields: { ...schema, tools: [look] },
    of: 'Gemini since 3',
    channel: gemini,
    models: ['gemini-3-pro-preview'],
    mark: '"responseJsonSchema"',
    fate: 'kept',
    reason: 'It accepts both together.',
  },
  {
    caller: 'chat',
    feature: beside,
    fields: { ...schema, tools: [look] },
    of: 'Cohere',
    channel: cohere,
    models: [cohereModel],
    mark: '"response_format"',
    fate: 'in words',
    reason: 'It refuses both together. Without `tools` and `documents` it is kept.',
  },
  {
    caller: 'chat',
    feature: '`response_format`, beside `documents`',
    fields: { ...object, documents: ['Notes.'] },
    of: 'Cohere',
    channel: cohere,
    models: [cohereModel],
    mark: '"response_format"',
    fate: 'in words',
    reason: 'As for `tools`.',
  },
  {
    caller: 'chat',
    feature: '`response_format` with a schema',
    fields: schema,
    of: 'Claude without structured outputs',
    channel: { type: 14 },
    models: ['claude-sonnet-4-20250514'],
    mark: '"tool_choice":{"type":"tool","name":"json"}',
    fate: 'kept',
    reason: 'The answer is the input of a tool that has to be called.',
  },
  {
    caller: 'chat',
    feature: '`response_format` with a schema',
    fields: schema,
    of: 'Bedrock, others than Claude',
    channel: bedrock,
    models: [novaModel],
    mark: '"toolChoice":{"tool":{"name":"json"}}',
    fate: 'kept',
    reason: 'As for Claude without structured outputs.',
  },
  {
    caller: 'chat',
    feature: '`response_format` of type `json_object`',
    fields: object,
    of: 'Bedrock, others than Claude',
    channel: bedrock,
    models: [novaModel],
    mark: 'json_object',
    fate: 'in words',
    reason: 'Converse has no response formats.',
  },
  {
    caller: 'chat',
    feature: '`response_format` with a schema',
    fields: schema,
    of: 'DeepSeek',
    channel: { type: 43 },
    models: ['deepseek-chat'],
    mark: '"json_schema"',
    fate: 'in words',
    reason: 'It supports `json_object`, which is set as well, but no schemas.',
  },
  {
    caller: 'chat',
    feature: '`response_format` with a schema',
    fields: schema,
    of: 'GLM',
    channel: { type: 26, key: 'id.secret' },
    models: ['glm-4.7'],
    mark: '"json_schema"',
    fate: 'in words',
    reason: 'As for DeepSeek.',
  },
  {
    caller: 'chat',
    feature: '`response_format` with a schema',
    fields: schema,
    of: 'ERNIE by its older interface',
    channel: { type: 15, key: 'ak|sk' },
    models: ['ERNIE-4.0-8K'],
    mark: '"json_schema"',
    fate: 'in words',
    reason: 'As for DeepSeek.',
  },
  {
    caller: 'messages',
    feature: '`stop_sequences`',
    fields: { stop_sequences: ['THE-END'] },
    of: "OpenAI's o3 and o4, GPT-5 before 5.5",
    channel: openAi,
    models: ['o3', 'o4-mini', 'gpt-5', 'gpt-5.4'],
    mark: 'THE-END',
    fate: 'dropped',
    reason: "They answer 400. For callers of chat, OpenAI's own error is passed on.",
  },
  {
    caller: 'messages',
    feature: '`stop_sequences`',
    fields: { stop_sequences: ['THE-END'] },
    of: "OpenAI's o1, GPT-5.5",
    channel: openAi,
    models: ['o1', 'gpt-5.5'],
    mark: 'THE-END',
    fate: 'kept',
    reason: 'No refusals are known.',
  },
  {
    caller: 'Gemini',
    feature: '`presencePenalty`, `frequencyPenalty`',
    fields: { generationConfig: { presencePenalty: 0.47, frequencyPenalty: 0.47 } },
    of: "OpenAI's o models, GPT-5 before 5.5",
    channel: openAi,
    models: ['o1', 'o3', 'gpt-5', 'gpt-5.4'],
    mark: '0.47',
    fate: 'dropped',
    reason: 'They answer 400. For callers of chat, the o models do not get them either.',
  },
  {
    caller: 'messages',
    feature: '`tool_choice.disable_parallel_tool_use`',
    fields: {
      tools: [{ name: 'look', input_schema: closed }],
      tool_choice: { type: 'auto', disable_parallel_tool_use: true },
    },
    of: "OpenAI's o models",
    channel: openAi,
    models: ['o1', 'o3', 'o4-mini'],
    mark: '"parallel_tool_calls"',
    fate: 'dropped',
    reason: 'They answer 400.',
  },
  {
    caller: 'messages',
    feature: '`tool_choice.disable_parallel_tool_use`',
    fields: {
      tools: [{ name: 'look', input_schema: closed }],
      tool_choice: { type: 'auto', disable_parallel_tool_use: true },
    },
    of: 'GPT-5',
    channel: openAi,
    models: ['gpt-5'],
    mark: '"parallel_tool_calls":false',
    fate: 'kept',
    reason: 'It is accepted.',
  },
  {
    caller: 'messages',
    feature: '`temperature`, `top_p`',
    fields: { temperature: 0.47 },
    of: "OpenAI's o models, GPT-5",
    channel: openAi,
    models: ['o3', 'gpt-5', 'gpt-5.4'],
    mark: '0.47',
    fate: 'dropped',
    reason: 'They answer 400, except GPT since 5.1 with thinking off.',
  },
  {
    caller: 'messages',
    feature: '`top_k`',
    fields: { top_k: 47 },
    of: 'OpenRouter',
    channel: { type: 20 },
    models: ['meta/llama-4'],
    mark: '"top_k":47',
    fate: 'kept',
    reason: 'It passes it on to models that support it.',
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
    of: 'Bedrock, others than Claude',
    channel: bedrock,
    models: [novaModel],
    mark: 'c2lnLTQ3MTE=',
    fate: 'dropped',
    reason: 'Thinking signatures are valid only at the provider that made them.',
  },
];
