/** Streams with two calls between texts, in each upstream's wire format. */

export interface CallStep {
  readonly event: string;
  /** A word of this event that the caller should be sent at once. */
  readonly word?: string;
}

export interface CallStream {
  readonly slug: string;
  readonly steps: readonly CallStep[];
  /** What the answer contains, in its order. */
  readonly content: readonly string[];
  /** Every word can be written when it comes. */
  readonly streams: boolean;
}

const data = (value: object, word?: string): CallStep => ({
  event: `data: ${JSON.stringify(value)}\n\n`,
  word,
});
const named = (value: Readonly<Record<string, unknown>>, word?: string): CallStep => ({
  event: `event: ${String(value['type'])}\ndata: ${JSON.stringify(value)}\n\n`,
  word,
});

/** The arguments of the two calls in fragments, each with the word in it. */
const fragments = [
  [
    ['{"city":"Oslo', 'Oslo'],
    [' Nord"}', 'Nord'],
  ],
  [
    ['{"city":"Rome', 'Rome'],
    [' Sud"}', 'Sud'],
  ],
] as const;
const [oslo, rome] = [{ city: 'Oslo Nord' }, { city: 'Rome Sud' }];
const calls = [`weather ${JSON.stringify(oslo)}`, `weather ${JSON.stringify(rome)}`];

const chunk = (delta: object, word?: string, finish: string | null = null) =>
  data(
    {
      id: 'c',
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, finish_reason: finish }],
    },
    word,
  );
const chatOpen = (index: number) =>
  chunk({
    tool_calls: [
      {
        index,
        id: `call_${index}`,
        type: 'function',
        function: { name: 'weather', arguments: '' },
      },
    ],
  });
const chatMore = (index: 0 | 1, at: 0 | 1) =>
  chunk(
    { tool_calls: [{ index, function: { arguments: fragments[index][at][0] } }] },
    fragments[index][at][1],
  );
const chatEnd: readonly CallStep[] = [
  chunk({}, undefined, 'tool_calls'),
  { event: 'data: [DONE]\n\n' },
];

const block = (
  index: number,
  content_block: object,
  deltas: readonly (readonly [object, string])[],
): CallStep[] => [
  named({ type: 'content_block_start', index, content_block }),
  ...deltas.map(([delta, word]) => named({ type: 'content_block_delta', index, delta }, word)),
  named({ type: 'content_block_stop', index }),
];
const textBlock = (index: number, text: string) =>
  block(index, { type: 'text', text: '' }, [[{ type: 'text_delta', text }, text]]);
const toolBlock = (index: number, call: 0 | 1) =>
  block(
    index,
    { type: 'tool_use', id: `toolu_${call}`, name: 'weather', input: {} },
    fragments[call].map(([partial_json, word]) => [
      { type: 'input_json_delta', partial_json },
      word,
    ]),
  );

const item = (
  output_index: number,
  added: object,
  deltas: readonly (readonly [object, string])[],
  done: object,
): CallStep[] => [
  named({ type: 'response.output_item.added', output_index, item: added }),
  ...deltas.map(([fields, word]) => named({ output_index, ...fields }, word)),
  named({ type: 'response.output_item.done', output_index, item: done }),
];
const messageItem = (index: number, text: string) => {
  const head = { type: 'message', id: `msg_${index}`, role: 'assistant' };
  const delta = {
    type: 'response.output_text.delta',
    item_id: head.id,
    content_index: 0,
    delta: text,
  };
  const part = { type: 'output_text', text, annotations: [] };
  return item(index, { ...head, content: [] }, [[delta, text]], { ...head, content: [part] });
};
const callItem = (index: number, call: 0 | 1) => {
  const head = {
    type: 'function_call',
    id: `fc_${call}`,
    call_id: `call_${call}`,
    name: 'weather',
  };
  const deltas = fragments[call].map(
    ([delta, word]) =>
      [{ type: 'response.function_call_arguments.delta', item_id: head.id, delta }, word] as const,
  );
  return item(index, { ...head, arguments: '' }, deltas, {
    ...head,
    arguments: JSON.stringify([oslo, rome][call]),
  });
};

const candidate = (part: object, word?: string, finish: object = {}) =>
  data(
    {
      candidates: [{ index: 0, content: { role: 'model', parts: [part] }, ...finish }],
      responseId: 'r',
    },
    word,
  );

const cohere = (type: string, index: number, message: object, word?: string) =>
  named({ type, index, delta: { message } }, word);
const cohereText = (index: number, text: string) => [
  cohere('content-start', index, { content: { type: 'text', text: '' } }),
  cohere('content-delta', index, { content: { text } }, text),
  cohere('content-end', index, {}),
];
const cohereCall = (index: 0 | 1) => [
  cohere('tool-call-start', index, {
    tool_calls: {
      id: `call_${index}`,
      type: 'function',
      function: { name: 'weather', arguments: '' },
    },
  }),
  ...fragments[index].map(([json, word]) =>
    cohere('tool-call-delta', index, { tool_calls: { function: { arguments: json } } }, word),
  ),
  cohere('tool-call-end', index, {}),
];

const between = ['text Before.', ...calls, 'text After.'];

export const upstreams: Readonly<Record<string, CallStream>> = {
  'chat, one after another': {
    slug: 'openai',
    streams: true,
    content: between,
    steps: [
      chunk({ role: 'assistant', content: 'Before.' }, 'Before.'),
      chatOpen(0),
      chatMore(0, 0),
      chatMore(0, 1),
      chatOpen(1),
      chatMore(1, 0),
      chatMore(1, 1),
      chunk({ content: 'After.' }, 'After.'),
      ...chatEnd,
    ],
  },
  'chat, interleaved': {
    slug: 'openai',
    streams: false,
    content: between,
    steps: [
      chunk({ role: 'assistant', content: 'Before.' }, 'Before.'),
      chatOpen(0),
      chatOpen(1),
      chatMore(0, 0),
      chatMore(1, 0),
      chatMore(0, 1),
      chatMore(1, 1),
      chunk({ content: 'After.' }, 'After.'),
      ...chatEnd,
    ],
  },
  'chat, with text inside a call': {
    slug: 'openai',
    streams: false,
    content: ['text Before.', ...calls.slice(0, 1), 'text After.', ...calls.slice(1)],
    steps: [
      chunk({ role: 'assistant', content: 'Before.' }, 'Before.'),
      chatOpen(0),
      chatMore(0, 0),
      chunk({ content: 'After.' }),
      chatMore(0, 1),
      chatOpen(1),
      chatMore(1, 0),
      chatMore(1, 1),
      ...chatEnd,
    ],
  },
  messages: {
    slug: 'anthropic',
    streams: true,
    content: between,
    steps: [
      named({
        type: 'message_start',
        message: { id: 'msg_1', role: 'assistant', content: [], usage: {} },
      }),
      ...textBlock(0, 'Before.'),
      ...toolBlock(1, 0),
      ...toolBlock(2, 1),
      ...textBlock(3, 'After.'),
      named({ type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: {} }),
      named({ type: 'message_stop' }),
    ],
  },
  responses: {
    slug: 'openai-responses',
    streams: true,
    content: between,
    steps: [
      named({ type: 'response.created', response: { id: 'resp_1' } }),
      ...messageItem(0, 'Before.'),
      ...callItem(1, 0),
      ...callItem(2, 1),
      ...messageItem(3, 'After.'),
      named({
        type: 'response.completed',
        response: { id: 'resp_1', status: 'completed', output: [] },
      }),
    ],
  },
  Gemini: {
    slug: 'gemini',
    streams: true,
    content: between,
    steps: [
      candidate({ text: 'Before.' }, 'Before.'),
      candidate({ functionCall: { name: 'weather', args: oslo } }, 'Oslo'),
      candidate({ functionCall: { name: 'weather', args: rome } }, 'Rome'),
      candidate({ text: 'After.' }, 'After.', { finishReason: 'STOP' }),
    ],
  },
  Cohere: {
    slug: 'cohere',
    streams: true,
    content: between,
    steps: [
      named({ type: 'message-start', id: 'c', delta: { message: { role: 'assistant' } } }),
      ...cohereText(0, 'Before.'),
      ...cohereCall(0),
      ...cohereCall(1),
      ...cohereText(1, 'After.'),
      named({ type: 'message-end', delta: { finish_reason: 'TOOL_CALL', usage: {} } }),
    ],
  },
};
