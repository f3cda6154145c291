/** Two turns of a tool loop with thinking, as clients of each format send and return them. */
import type { JsonObject } from '../../../src/core/kernel/json.ts';

export type CallerName = 'chat' | 'responses' | 'messages' | 'gemini' | 'cohere';
type Loose = Record<string, unknown>;
type Events = readonly Loose[];

export interface ThinkingCaller {
  /** The first turn, or with `answer` the second: the tool's result follows what was answered. */
  request(
    model: string,
    stream: boolean,
    answer?: readonly Loose[],
  ): { readonly path: string; readonly body: Loose };
  /** The model's turn in a reply, as a client that keeps everything returns it. */
  whole(reply: Loose): readonly Loose[];
  streamed(events: Events): readonly Loose[];
  /** The same by a client that keeps texts and calls only. */
  plain(answer: readonly Loose[]): readonly Loose[];
}

const question = 'Look at the sky.';
const parameters = { type: 'object', properties: { at: { type: 'string' } } };
const result = 'It is blue.';
const listOf = (value: unknown) => (Array.isArray(value) ? (value as Loose[]) : []);
const only = (value: Loose, ...names: string[]) =>
  Object.fromEntries(names.filter((name) => name in value).map((name) => [name, value[name]]));

const tool = { type: 'function', function: { name: 'look', parameters } };

function chatMessage(deltas: readonly Loose[]): Loose {
  const calls: Loose[] = [];
  const message: Loose = { role: 'assistant', content: '' };
  for (const delta of deltas) {
    for (const name of ['content', 'reasoning_content'])
      if (typeof delta[name] === 'string') message[name] = `${message[name] ?? ''}${delta[name]}`;
    for (const name of ['reasoning_details'])
      if (delta[name] !== undefined)
        message[name] = [...listOf(message[name]), ...listOf(delta[name])];
    if (delta['extra_content'] !== undefined) message['extra_content'] = delta['extra_content'];
    for (const { index, ...call } of listOf(delta['tool_calls'])) {
      const known = calls[index as number] as { function: { arguments: string } } | undefined;
      const target = call['function'] as { arguments: string };
      if (known === undefined) calls[index as number] = call;
      else known.function.arguments += target.arguments;
    }
  }
  return calls.length > 0 ? { ...message, tool_calls: calls } : message;
}

const callId = (answer: readonly Loose[], find: (value: Loose) => unknown): string =>
  String(answer.map(find).find((id) => id !== undefined));

export const thinkingCallers: Readonly<Record<CallerName, ThinkingCaller>> = {
  chat: {
    request: (model, stream, answer = []) => ({
      path: '/v1/chat/completions',
      body: {
        model,
        stream,
        reasoning_effort: 'high',
        tools: [tool],
        messages: [
          { role: 'user', content: question },
          ...answer,
          ...answer.slice(0, 1).map((message) => ({
            role: 'tool',
            tool_call_id: listOf(message['tool_calls'])[0]?.['id'],
            content: result,
          })),
        ],
      },
    }),
    whole: (reply) => [listOf(reply['choices'])[0]?.['message'] as Loose],
    streamed: (events) => [
      chatMessage(
        events
          .flatMap((event) => listOf(event['choices']))
          .map((choice) => choice['delta'] as Loose),
      ),
    ],
    plain: ([message = {}]) => [
      {
        ...only(message, 'role', 'content'),
        tool_calls: listOf(message['tool_calls']).map((call) =>
          only(call, 'id', 'type', 'function'),
        ),
      },
    ],
  },
  responses: {
    request: (model, stream, answer = []) => ({
      path: '/v1/responses',
      body: {
        model,
        stream,
        store: false,
        reasoning: { effort: 'high' },
        tools: [{ type: 'function', name: 'look', parameters }],
        input: [
          { role: 'user', content: question },
          ...answer,
          ...(answer.length === 0
            ? []
            : [
                {
                  type: 'function_call_output',
                  call_id: callId(answer, (item) => item['call_id']),
                  output: result,
                },
              ]),
        ],
      },
    }),
    whole: (reply) => listOf(reply['output']),
    streamed: (events) => listOf((events.at(-1)?.['response'] as Loose | undefined)?.['output']),
    plain: (answer) => answer.filter(({ type }) => type !== 'reasoning'),
  },
  messages: {
    request: (model, stream, answer = []) => ({
      path: '/v1/messages',
      body: {
        model,
        stream,
        max_tokens: 4096,
        thinking: { type: 'enabled', budget_tokens: 2048 },
        tools: [{ name: 'look', input_schema: parameters }],
        messages: [
          { role: 'user', content: question },
          ...(answer.length === 0
            ? []
            : [
                { role: 'assistant', content: answer },
                {
                  role: 'user',
                  content: [
                    {
                      type: 'tool_result',
                      tool_use_id: callId(answer, ({ id }) => id),
                      content: result,
                    },
                  ],
                },
              ]),
        ],
      },
    }),
    whole: (reply) => listOf(reply['content']),
    streamed: (events) => {
      const blocks: Loose[] = [];
      for (const event of events) {
        const block = blocks.at(-1) ?? {};
        const delta = (event['delta'] ?? {}) as Loose;
        if (event['type'] === 'content_block_start')
          blocks.push({ ...(event['content_block'] as Loose) });
        if (event['type'] !== 'content_block_delta') continue;
        for (const name of ['text', 'thinking', 'signature'])
          if (typeof delta[name] === 'string') block[name] = `${block[name] ?? ''}${delta[name]}`;
        if (typeof delta['partial_json'] === 'string')
          block['json'] = `${block['json'] ?? ''}${delta['partial_json']}`;
      }
      return blocks.map(({ json, ...block }) =>
        json === undefined ? block : { ...block, input: JSON.parse(String(json)) as JsonObject },
      );
    },
    plain: (answer) => answer.filter(({ type }) => type === 'tool_use' || type === 'text'),
  },
  gemini: {
    request: (model, stream, answer = []) => ({
      path: `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
      body: {
        generationConfig: { thinkingConfig: { includeThoughts: true, thinkingBudget: 2048 } },
        tools: [{ functionDeclarations: [{ name: 'look', parameters }] }],
        contents: [
          { role: 'user', parts: [{ text: question }] },
          // Google's SDK keeps each chunk of a stream as a content.
          ...answer.map((part) => ({ role: 'model', parts: [part] })),
          ...(answer.length === 0
            ? []
            : [
                {
                  role: 'user',
                  parts: [
                    {
                      functionResponse: {
                        id: callId(
                          answer,
                          (part) => (part['functionCall'] as Loose | undefined)?.['id'],
                        ),
                        name: 'look',
                        response: { content: result },
                      },
                    },
                  ],
                },
              ]),
        ],
      },
    }),
    whole: (reply) =>
      listOf((listOf(reply['candidates'])[0]?.['content'] as Loose | undefined)?.['parts']),
    streamed: (events) =>
      events
        .flatMap((event) => listOf(event['candidates']))
        .flatMap((candidate) => listOf((candidate['content'] as Loose | undefined)?.['parts'])),
    plain: (answer) =>
      answer
        .filter((part) => part['functionCall'] !== undefined)
        .map((part) => only(part, 'functionCall')),
  },
  cohere: {
    request: (model, stream, answer = []) => ({
      path: '/v2/chat',
      body: {
        model,
        stream,
        thinking: { type: 'enabled', token_budget: 2048 },
        tools: [tool],
        messages: [
          { role: 'user', content: question },
          ...answer,
          ...answer.slice(0, 1).map((message) => ({
            role: 'tool',
            tool_call_id: listOf(message['tool_calls'])[0]?.['id'],
            content: result,
          })),
        ],
      },
    }),
    whole: (reply) => [reply['message'] as Loose],
    streamed: (events) => {
      const messages = events.map((event) => (event['delta'] as Loose | undefined)?.['message']);
      const opened = (messages as (Loose | undefined)[])
        .map((message) => message?.['tool_calls'] as Loose | undefined)
        .find((call) => call?.['id'] !== undefined);
      const call = { ...opened, function: { name: 'look', arguments: '{"at":"sky"}' } };
      return [{ role: 'assistant', tool_calls: [call] }];
    },
    plain: ([message = {}]) => [only(message, 'role', 'tool_calls')],
  },
};
