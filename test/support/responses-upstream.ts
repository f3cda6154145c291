import { type Answer, sendJson } from './upstream.ts';

type Body = Record<string, unknown>;

export const responsesUsage = {
  input_tokens: 1000,
  input_tokens_details: { cached_tokens: 400 },
  output_tokens: 500,
  output_tokens_details: { reasoning_tokens: 20 },
  total_tokens: 1500,
};

export function messageItem(text: string, id = 'msg_up'): Body {
  const content = [{ type: 'output_text', text, annotations: [], logprobs: [] }];
  return { id, type: 'message', status: 'completed', role: 'assistant', content };
}

/** A response object as OpenAI sends it, including fields unknown to the gateway. */
export function responseObject(model: unknown, output: readonly Body[], changes: Body = {}): Body {
  return {
    id: 'resp_up',
    object: 'response',
    created_at: 1_700_000_000,
    status: 'completed',
    error: null,
    incomplete_details: null,
    model,
    output,
    parallel_tool_calls: true,
    tools: [],
    tool_choice: 'auto',
    x_unknown: [1.5],
    usage: responsesUsage,
    ...changes,
  };
}

export interface ResponsesStream {
  /** Replaces the completed event; undefined: the completed event, null: none. */
  readonly last?: Body | null;
  /** Members of the response object. */
  readonly changes?: Body;
  /** How the connection ends. */
  readonly end?: 'proper' | 'cut' | 'hang';
}

/**
 * A reply of OpenAI's Responses with these items, plain or as events if the request asks for a
 * stream.
 */
export function responsesReply(
  items: readonly Body[] = [messageItem('Hello from Responses')],
  stream: ResponsesStream = {},
): Answer {
  return async (response, request) => {
    const whole = responseObject(request.json['model'], items, stream.changes);
    if (request.json['stream'] !== true) return sendJson(response, 200, whole);
    const started = { ...whole, status: 'in_progress', output: [], usage: null };
    const events: Body[] = [
      { type: 'response.created', response: started },
      { type: 'response.in_progress', response: started },
      ...items.flatMap(itemEvents),
    ];
    if (stream.last !== null)
      events.push(stream.last ?? { type: 'response.completed', response: whole });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const [sequence_number, { type, ...fields }] of events.entries()) {
      response.write(
        `event: ${String(type)}\ndata: ${JSON.stringify({ type, sequence_number, ...fields })}\n\n`,
      );
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (stream.end === 'cut') response.destroy();
    else if (stream.end !== 'hang') response.end();
  };
}

function itemEvents(item: Body, output_index: number): Body[] {
  const done = { type: 'response.output_item.done', output_index, item };
  const added = (fields: Body) => ({
    type: 'response.output_item.added',
    output_index,
    item: { ...item, ...fields },
  });
  const at = { item_id: item['id'], output_index };
  if (item['type'] === 'function_call') {
    const delta = {
      type: 'response.function_call_arguments.delta',
      ...at,
      delta: item['arguments'],
    };
    const whole = {
      type: 'response.function_call_arguments.done',
      ...at,
      name: item['name'],
      arguments: item['arguments'],
    };
    return [added({ arguments: '', status: 'in_progress' }), delta, whole, done];
  }
  if (item['type'] !== 'message') return [added({}), done];
  const part = (item['content'] as { text: string }[])[0];
  const place = { ...at, content_index: 0 };
  return [
    added({ content: [], status: 'in_progress' }),
    { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
    ...(part?.text ?? '').split(/(?<= )/).map((delta) => ({
      type: 'response.output_text.delta',
      ...place,
      delta,
      logprobs: [],
      obfuscation: 'x',
    })),
    { type: 'response.output_text.done', ...place, text: part?.text, logprobs: [] },
    { type: 'response.content_part.done', ...place, part },
    done,
  ];
}
