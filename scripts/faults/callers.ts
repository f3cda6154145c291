/** Requests as clients of each API send them, and whether what comes back is a whole answer. */
import { type Format, modelOf, type Order, promptOf } from './orders.ts';

/** What a client makes of a reply. */
export interface Reading {
  readonly text: string;
  /** The client takes it for a whole answer. */
  readonly isWhole: boolean;
}

interface Caller {
  request(order: Order): { readonly path: string; readonly body: object };
  whole(body: Json): Reading;
  /** `events`: the data of each event that is JSON; `raw`: all of it. */
  stream(events: readonly Json[], raw: string): Reading;
}

type Json = Readonly<Record<string, unknown>>;

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null;
/** What is found by a path of names and numbers; undefined: nothing. */
function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((inner, key) => (isJson(inner) ? inner[key] : undefined), value);
}
const textAt = (value: unknown, ...path: readonly (string | number)[]): string => {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : '';
};
const joined = (events: readonly Json[], ...path: readonly (string | number)[]): string =>
  events.map((event) => textAt(event, ...path)).join('');

const conversation = (order: Order) => [{ role: 'user', content: promptOf(order) }];

const chat: Caller = {
  request: (order) => ({
    path: '/v1/chat/completions',
    body: {
      model: modelOf(order.wire),
      messages: conversation(order),
      stream: order.stream,
      ...(order.stream && { stream_options: { include_usage: true } }),
    },
  }),
  whole: (body) => ({
    text: textAt(body, 'choices', 0, 'message', 'content'),
    isWhole: at(body, 'choices', 0, 'finish_reason') === 'stop' && body['error'] === undefined,
  }),
  stream: (events, raw) => ({
    text: joined(events, 'choices', 0, 'delta', 'content'),
    isWhole:
      raw.includes('data: [DONE]') &&
      events.some((event) => at(event, 'choices', 0, 'finish_reason') === 'stop') &&
      events.every((event) => event['error'] === undefined),
  }),
};

const messages: Caller = {
  request: (order) => ({
    path: '/v1/messages',
    body: {
      model: modelOf(order.wire),
      messages: conversation(order),
      max_tokens: 500,
      stream: order.stream,
    },
  }),
  whole: (body) => ({
    text: textAt(body, 'content', 0, 'text'),
    isWhole: body['stop_reason'] === 'end_turn',
  }),
  stream: (events) => ({
    text: joined(events, 'delta', 'text'),
    isWhole:
      events.at(-1)?.['type'] === 'message_stop' &&
      events.some((event) => at(event, 'delta', 'stop_reason') === 'end_turn'),
  }),
};

const responses: Caller = {
  request: (order) => ({
    path: '/v1/responses',
    body: { model: modelOf(order.wire), input: promptOf(order), stream: order.stream },
  }),
  whole: (body) => ({
    text: textAt(body, 'output', 0, 'content', 0, 'text'),
    isWhole: body['status'] === 'completed',
  }),
  stream: (events) => ({
    text: joined(
      events.filter((event) => event['type'] === 'response.output_text.delta'),
      'delta',
    ),
    isWhole: events.at(-1)?.['type'] === 'response.completed',
  }),
};

const gemini: Caller = {
  request: (order) => ({
    path: `/v1beta/models/${modelOf(order.wire)}:${order.stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: { contents: [{ role: 'user', parts: [{ text: promptOf(order) }] }] },
  }),
  whole: (body) => ({
    text: textAt(body, 'candidates', 0, 'content', 'parts', 0, 'text'),
    isWhole: at(body, 'candidates', 0, 'finishReason') === 'STOP',
  }),
  stream: (events) => ({
    text: joined(events, 'candidates', 0, 'content', 'parts', 0, 'text'),
    isWhole:
      events.some((event) => at(event, 'candidates', 0, 'finishReason') === 'STOP') &&
      events.every((event) => event['error'] === undefined),
  }),
};

const callers: Readonly<Record<Format, Caller>> = { chat, messages, responses, gemini };

export function requestOf(order: Order): { readonly path: string; readonly body: string } {
  const { path, body } = callers[order.format].request(order);
  return { path, body: JSON.stringify(body) };
}

/** What a client makes of a reply with status 200, as far as it came. */
export function readReply({ format, stream }: Order, text: string): Reading {
  if (stream) return callers[format].stream(eventsIn(text), text);
  const body = parse(text);
  return body === undefined ? { text: '', isWhole: false } : callers[format].whole(body);
}

function eventsIn(text: string): readonly Json[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => parse(line.slice('data:'.length)))
    .filter((event) => event !== undefined);
}

function parse(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJson(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
