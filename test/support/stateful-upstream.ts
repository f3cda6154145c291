/**
 * Upstreams that call a tool and repeat its result. Each refuses a conversation that its vendor
 * would refuse: a result without its call, or, for Responses, ids that it does not keep for the
 * key. So a second turn succeeds only with the whole context.
 */
import { messageItem, responsesReply } from './responses-upstream.ts';
import { type Answer, errorReply, sendJson } from './upstream.ts';

type Item = Record<string, unknown>;

const call = { name: 'get_weather', arguments: '{"city":"Paris"}' };
const sentence = (result: string) => `The tool said ${result}`;

/** Responses with a store of their own for each key. */
export function statefulResponses(): {
  readonly answer: Answer;
  readonly stored: Map<string, readonly Item[]>;
} {
  const stored = new Map<string, readonly Item[]>();
  const items = new Map<string, Item>();
  let serial = 0;
  const answer: Answer = (response, request) => {
    const key = String(request.headers.authorization);
    const [, deleted] = /^\/v1\/responses\/(.+)$/.exec(request.path) ?? [];
    if (request.method === 'DELETE') {
      const known = stored.delete(`${key} ${deleted}`);
      return known
        ? sendJson(response, 200, { id: deleted, deleted })
        : errorReply(404, { message: 'gone' })(response, request);
    }
    const { input, previous_response_id: previous, store = true } = request.json as Item;
    const given =
      typeof input === 'string'
        ? [{ type: 'message', role: 'user', content: input }]
        : (input as Item[]);
    const earlier =
      previous === undefined || previous === null ? [] : stored.get(`${key} ${String(previous)}`);
    if (earlier === undefined) {
      const message = `Previous response with id '${String(previous)}' not found.`;
      const code = 'previous_response_not_found';
      return errorReply(400, {
        message,
        type: 'invalid_request_error',
        param: 'previous_response_id',
        code,
      })(response, request);
    }
    const conversation: Item[] = [...earlier];
    for (const item of given) {
      const found =
        item['type'] === 'item_reference' ? items.get(`${key} ${String(item['id'])}`) : item;
      if (found === undefined) {
        const message = `Item with id '${String(item['id'])}' not found.`;
        return errorReply(404, {
          message,
          type: 'invalid_request_error',
          param: 'input',
          code: null,
        })(response, request);
      }
      conversation.push(found);
    }
    const result = conversation.findLast((item) => item['type'] === 'function_call_output');
    const called = conversation.some(
      (item) => item['type'] === 'function_call' && item['call_id'] === result?.['call_id'],
    );
    if (result !== undefined && !called) {
      const message = `No tool call found for function call output with call_id ${String(result['call_id'])}.`;
      return errorReply(400, {
        message,
        type: 'invalid_request_error',
        param: 'input',
        code: null,
      })(response, request);
    }
    serial += 1;
    const calls = result === undefined;
    const tail = `${Math.random().toString(36).slice(2)}${serial}`;
    const output: Item[] = calls
      ? [
          { id: `rs_${tail}`, type: 'reasoning', summary: [] },
          {
            id: `fc_${tail}`,
            type: 'function_call',
            status: 'completed',
            call_id: `call_${tail}`,
            ...call,
          },
        ]
      : [messageItem(sentence(String(result['output'])), `msg_${tail}`)];
    const id = `resp_${tail}`;
    if (store === true) {
      stored.set(`${key} ${id}`, [...conversation, ...output]);
      for (const item of output) items.set(`${key} ${String(item['id'])}`, item);
    }
    return responsesReply(output, {
      changes: { id, store, previous_response_id: previous ?? null },
    })(response, request);
  };
  return { answer, stored };
}

/** Anthropic's messages. */
export const statefulMessages: Answer = (response, request) => {
  const messages = (request.json['messages'] ?? []) as { role: string; content: string | Item[] }[];
  const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  const result = blocks.findLast(({ type }) => type === 'tool_result');
  if (
    result !== undefined &&
    !blocks.some(({ type, id }) => type === 'tool_use' && id === result['tool_use_id'])
  )
    return errorReply(400, {
      type: 'invalid_request_error',
      message: 'tool_result without tool_use',
    })(response, request);
  const text = result === undefined ? '' : sentence(textIn(result['content']));
  const id = `toolu_${Math.random().toString(36).slice(2)}`;
  const block =
    result === undefined
      ? { type: 'tool_use', id, name: call.name, input: JSON.parse(call.arguments) as Item }
      : { type: 'text', text };
  const usage = { input_tokens: 100, output_tokens: 50 };
  const reason = result === undefined ? 'tool_use' : 'end_turn';
  const message = {
    id: 'msg_test',
    type: 'message',
    role: 'assistant',
    model: request.json['model'],
    stop_sequence: null,
  };
  if (request.json['stream'] !== true)
    return sendJson(response, 200, { ...message, content: [block], stop_reason: reason, usage });
  const delta =
    result === undefined
      ? { type: 'input_json_delta', partial_json: call.arguments }
      : { type: 'text_delta', text };
  const start = result === undefined ? { ...block, input: {} } : { type: 'text', text: '' };
  const events: Item[] = [
    {
      type: 'message_start',
      message: {
        ...message,
        content: [],
        stop_reason: null,
        usage: { ...usage, output_tokens: 1 },
      },
    },
    { type: 'content_block_start', index: 0, content_block: start },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: reason, stop_sequence: null },
      usage: { output_tokens: 50 },
    },
    { type: 'message_stop' },
  ];
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events)
    response.write(`event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`);
  response.end();
};

function textIn(content: unknown): string {
  if (typeof content === 'string') return content;
  return (content as Item[]).map(({ text }) => String(text)).join('');
}

/** Gemini. */
export const statefulGemini: Answer = (response, request) => {
  const contents = (request.json['contents'] ?? []) as { parts: Item[] }[];
  const parts = contents.flatMap((content) => content.parts);
  const result = parts.findLast((part) => part['functionResponse'] !== undefined)?.[
    'functionResponse'
  ] as Item | undefined;
  if (result !== undefined && !parts.some((part) => part['functionCall'] !== undefined))
    return sendJson(response, 400, {
      error: {
        code: 400,
        message: 'functionResponse without functionCall',
        status: 'INVALID_ARGUMENT',
      },
    });
  const part =
    result === undefined
      ? { functionCall: { name: call.name, args: JSON.parse(call.arguments) as Item } }
      : { text: sentence(JSON.stringify(result['response'])) };
  const reply = {
    candidates: [{ content: { role: 'model', parts: [part] }, index: 0, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120 },
    modelVersion: 'gemini',
  };
  if (!request.path.includes(':streamGenerateContent')) return sendJson(response, 200, reply);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(`data: ${JSON.stringify(reply)}\r\n\r\n`);
};
