/**
 * A scripted upstream on a loopback socket: records requests and sends the replies set by the test.
 */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { late } from './slow.ts';

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly bytes: Buffer;
  /** The parsed body. */
  readonly json: Record<string, unknown>;
}

export type Answer = (response: ServerResponse, request: ReceivedRequest) => void | Promise<void>;

export interface TestUpstream {
  readonly url: string;
  readonly requests: ReceivedRequest[];
  /** Number of connections closed by the client before the reply was complete. */
  readonly aborted: number;
  /** Replies to the next requests; the last one is used for all later ones. */
  answer(...answers: Answer[]): void;
  close(): Promise<void>;
}

export async function startUpstream(): Promise<TestUpstream> {
  const requests: ReceivedRequest[] = [];
  let answers: Answer[] = [chatReply()];
  let aborted = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    response.on('close', () => {
      if (!response.writableFinished) aborted += 1;
    });
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const bytes = Buffer.concat(chunks);
      const text = bytes.toString('utf8');
      const received = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        text,
        bytes,
        json: parse(text),
      };
      requests.push(received);
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      void late(0, 300).then(() => answer?.(response, received));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    get aborted() {
      return aborted;
    },
    answer: (...next) => {
      answers = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

export const defaultUsage = {
  prompt_tokens: 1000,
  completion_tokens: 500,
  total_tokens: 1500,
  prompt_tokens_details: { cached_tokens: 400 },
};

/** A chat completion, plain or as a stream if the request asks for one. */
export function chatReply(
  content = 'Hello from upstream',
  usage: object | null = defaultUsage,
): Answer {
  return (response, request) => {
    if (request.json['stream'] === true)
      return chatStream(content.split(/(?<= )/), usage)(response, request);
    sendJson(response, 200, {
      id: 'chatcmpl-test',
      object: 'chat.completion',
      created: 1_700_000_000,
      model: request.json['model'],
      choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
      ...(usage === null ? {} : { usage }),
    });
  };
}

export interface StreamOptions {
  /** Milliseconds between two events. */
  readonly gap?: number;
  /** How the stream ends, instead of properly. */
  readonly end?: 'proper' | 'no-done' | 'cut' | 'hang' | 'eof';
}

export function chatStream(
  words: Iterable<string> | AsyncIterable<string>,
  usage: object | null = defaultUsage,
  { gap = 0, end = 'proper' }: StreamOptions = {},
): Answer {
  return async (response, request) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const head = {
      id: 'chatcmpl-test',
      object: 'chat.completion.chunk',
      created: 1_700_000_000,
      model: request.json['model'],
    };
    const send = async (fields: object) => {
      response.write(`data: ${JSON.stringify({ ...head, ...fields })}\n\n`);
      await new Promise((resolve) => (gap > 0 ? setTimeout(resolve, gap) : setImmediate(resolve)));
    };
    await send({
      choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }],
    });
    for await (const content of words)
      await send({ choices: [{ index: 0, delta: { content }, finish_reason: null }] });
    if (end === 'cut') return void response.destroy();
    if (end === 'hang') return;
    if (end === 'eof') return void response.end();
    await send({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
    const wantsUsage =
      (request.json['stream_options'] as { include_usage?: boolean } | undefined)?.include_usage ===
      true;
    if (usage !== null && wantsUsage) await send({ choices: [], usage });
    response.end(end === 'no-done' ? '' : 'data: [DONE]\n\n');
  };
}

export function errorReply(
  status: number,
  error: object,
  headers: Record<string, string> = {},
): Answer {
  return (response) => sendJson(response, status, { error }, headers);
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

const anthropicUsage = {
  input_tokens: 100,
  cache_read_input_tokens: 400,
  cache_creation_input_tokens: 200,
  output_tokens: 50,
};

/** A reply of Anthropic's messages, plain or streamed. */
export function messagesReply(text = 'Hello from Claude', usage: object = anthropicUsage): Answer {
  return (response, request) => {
    const message = {
      id: 'msg_test',
      type: 'message',
      role: 'assistant',
      model: request.json['model'],
    };
    if (request.json['stream'] !== true) {
      const content = [{ type: 'text', text }];
      return sendJson(response, 200, {
        ...message,
        content,
        stop_reason: 'end_turn',
        stop_sequence: null,
        usage,
      });
    }
    const events: Record<string, unknown>[] = [
      {
        type: 'message_start',
        message: {
          ...message,
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { ...usage, output_tokens: 1 },
        },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'ping' },
      ...text.split(/(?<= )/).map((word) => ({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'text_delta', text: word },
      })),
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: (usage as typeof anthropicUsage).output_tokens },
      },
      { type: 'message_stop' },
    ];
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of events)
      response.write(`event: ${event['type']}\ndata: ${JSON.stringify(event)}\n\n`);
    response.end();
  };
}
