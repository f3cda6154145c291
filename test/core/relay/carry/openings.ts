/** What comes before the first word of an answer, by the wire of the upstream, and who asks. */
import { chunk, type Wire } from '../../../support/half-answers.ts';

const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '' } };
const response = { id: 'r', object: 'response', status: 'in_progress', output: [] };

/** The events before the first word, by the wire of the upstream. */
export const openings: Readonly<Record<Wire, readonly object[]>> = {
  chat: [
    { ...chunk({}), choices: [] },
    chunk({ role: 'assistant', content: '', refusal: null }),
    chunk({ tool_calls: [{ index: 0, ...call }] }),
  ],
  completions: [{ ...chunk({}), choices: [{ index: 0, text: '', finish_reason: null }] }],
  messages: [
    {
      type: 'message_start',
      message: { id: 'm', role: 'assistant', content: [], usage: { input_tokens: 9 } },
    },
    { type: 'ping' },
    {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'thinking', thinking: '', signature: '' },
    },
    {
      type: 'content_block_start',
      index: 1,
      content_block: { type: 'tool_use', id: 't', name: 'look', input: {} },
    },
    {
      type: 'content_block_delta',
      index: 1,
      delta: { type: 'input_json_delta', partial_json: '' },
    },
  ],
  gemini: [
    {
      candidates: [{ index: 0, content: { role: 'model', parts: [{ text: '' }] } }],
      usageMetadata: { promptTokenCount: 9 },
    },
  ],
  responses: [
    { type: 'response.created', sequence_number: 0, response },
    { type: 'response.in_progress', sequence_number: 1, response },
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { id: 'i', type: 'message', status: 'in_progress', content: [] },
    },
    {
      type: 'response.content_part.added',
      output_index: 0,
      content_index: 0,
      part: { type: 'output_text', text: '', annotations: [] },
    },
    {
      type: 'response.output_item.added',
      output_index: 1,
      item: { id: 'f', type: 'function_call', call_id: 'c', name: 'look', arguments: '' },
    },
  ],
  cohere: [
    {
      type: 'message-start',
      id: 'm',
      delta: { message: { role: 'assistant', content: [], tool_calls: [], citations: [] } },
    },
    {
      type: 'content-start',
      index: 0,
      delta: { message: { content: { type: 'text', text: '' } } },
    },
    { type: 'tool-call-start', index: 1, delta: { message: { tool_calls: call } } },
  ],
};

const overloaded = { type: 'overloaded_error', message: 'overloaded' };
export const errors: Readonly<Record<Wire, object>> = {
  chat: { error: overloaded },
  completions: { error: overloaded },
  messages: { type: 'error', error: overloaded },
  gemini: { error: { code: 503, message: 'overloaded', status: 'UNAVAILABLE' } },
  responses: { type: 'error', code: 'server_error', message: 'overloaded', param: null },
  cohere: { message: 'overloaded' },
};

export const models: Readonly<Record<Wire, string>> = {
  chat: 'gpt-4o-mini',
  completions: 'gpt-3.5-turbo-instruct',
  messages: 'claude-3-5-haiku-20241022',
  gemini: 'gemini-2.0-flash',
  responses: 'gpt-4o',
  cohere: 'command-r',
};
export const types = {
  chat: 1,
  completions: 1,
  messages: 14,
  gemini: 24,
  responses: 1,
  cohere: 34,
};

const messages = [{ role: 'user', content: 'hi' }];
export const callers: Readonly<Record<Wire, (model: string) => { path: string; body: object }>> = {
  chat: (model) => ({ path: '/v1/chat/completions', body: { model, messages, stream: true } }),
  completions: (model) => ({
    path: '/v1/completions',
    body: { model, prompt: 'hi', stream: true },
  }),
  messages: (model) => ({
    path: '/v1/messages',
    body: { model, messages, max_tokens: 100, stream: true },
  }),
  gemini: (model) => ({
    path: `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
    body: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
  }),
  responses: (model) => ({ path: '/v1/responses', body: { model, input: 'hi', stream: true } }),
  cohere: (model) => ({ path: '/v2/chat', body: { model, messages, stream: true } }),
};
