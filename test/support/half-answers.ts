/** The first half of an answer as an upstream streams it, by the wire format of the upstream. */

export type Wire = 'chat' | 'completions' | 'messages' | 'gemini' | 'responses' | 'cohere';

/** Events as a stream; their type is their name. */
export const sse = (...events: readonly object[]): string =>
  events
    .map(
      (event) =>
        `${'type' in event ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`,
    )
    .join('');

/** A chunk of a chat stream. */
export const chunk = (delta: object): object => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta }],
});
const item = { id: 'i', type: 'message', role: 'assistant', status: 'in_progress', content: [] };

export const half: Readonly<Record<Wire, string>> = {
  chat: sse(chunk({ role: 'assistant', content: 'Half ' }), chunk({ content: 'a sentence' })),
  completions: sse({
    id: 'c',
    object: 'text_completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, text: 'Half a sentence', finish_reason: null }],
  }),
  messages: sse(
    {
      type: 'message_start',
      message: {
        id: 'm',
        type: 'message',
        role: 'assistant',
        content: [],
        usage: { input_tokens: 9, output_tokens: 1 },
      },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    {
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text: 'Half a sentence' },
    },
  ),
  gemini: sse({
    candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'Half a sentence' }] } }],
  }),
  responses: sse(
    {
      type: 'response.created',
      sequence_number: 0,
      response: { id: 'r', object: 'response', status: 'in_progress', output: [] },
    },
    { type: 'response.output_item.added', sequence_number: 1, output_index: 0, item },
    {
      type: 'response.content_part.added',
      sequence_number: 2,
      item_id: 'i',
      output_index: 0,
      content_index: 0,
      part: { type: 'output_text', text: '', annotations: [] },
    },
    {
      type: 'response.output_text.delta',
      sequence_number: 3,
      item_id: 'i',
      output_index: 0,
      content_index: 0,
      delta: 'Half a sentence',
    },
  ),
  cohere: sse(
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
    {
      type: 'content-delta',
      index: 0,
      delta: { message: { content: { text: 'Half a sentence' } } },
    },
  ),
};
