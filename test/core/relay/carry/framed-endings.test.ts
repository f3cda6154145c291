/**
 * Upstreams that send frames or lines instead of events: an answer that is complete stays so when its
 * connection breaks, and one that is cut, in a frame or between two, ends with an error that clients
 * of every format see (docs/rules/streams.md#broken-streams, #missing-endings).
 */
import { request, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readLogOther } from '../../../../src/core/contract/log-other.ts';
import { eventFrame } from '../../../support/aws-frames.ts';
import { type Caller, callers, question } from '../../../support/five-callers.ts';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { startUpstream, type TestUpstream } from '../../../support/upstream.ts';

interface Framed {
  readonly channel: Readonly<Record<string, unknown>>;
  readonly model: string;
  readonly contentType: string;
  readonly answer: readonly Buffer[];
  /** What says that the answer is complete, with its usage. */
  readonly ending: readonly Buffer[];
}

const said = 'Half a sentence';
const aws = { contentType: 'application/vnd.amazon.eventstream' };
const bedrock = { type: 33, key: 'AKIDEXAMPLE|secret|us-east-1' };
const line = (value: object) => Buffer.from(`${JSON.stringify(value)}\n`);
const ollama = { model: 'llama3', created_at: '2026-01-01T00:00:00Z' };

const upstreams: Readonly<Record<string, Framed>> = {
  'Bedrock, invoke': {
    ...aws,
    channel: bedrock,
    model: 'claude-3-haiku-20240307',
    answer: [
      {
        type: 'message_start',
        message: { id: 'm', role: 'assistant', content: [], usage: { input_tokens: 9 } },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: said } },
    ].map((event) => eventFrame(event)),
    ending: [
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 4 } },
      { type: 'message_stop' },
    ].map((event) => eventFrame(event)),
  },
  'Bedrock, Converse': {
    ...aws,
    channel: bedrock,
    model: 'nova-lite-v1:0',
    answer: [
      eventFrame({ role: 'assistant' }, 'messageStart'),
      eventFrame({ contentBlockIndex: 0, delta: { text: said } }, 'contentBlockDelta'),
    ],
    ending: [
      eventFrame({ contentBlockIndex: 0 }, 'contentBlockStop'),
      eventFrame({ stopReason: 'end_turn' }, 'messageStop'),
      eventFrame({ usage: { inputTokens: 9, outputTokens: 4, totalTokens: 13 } }, 'metadata'),
    ],
  },
  Ollama: {
    channel: { type: 4, setting: JSON.stringify({ native_api: true }) },
    model: 'llama3',
    contentType: 'application/x-ndjson',
    answer: [line({ ...ollama, done: false, message: { role: 'assistant', content: said } })],
    ending: [
      line({
        ...ollama,
        done: true,
        done_reason: 'stop',
        prompt_eval_count: 9,
        eval_count: 4,
        message: { role: 'assistant', content: '' },
      }),
    ],
  },
};

/** A normal ending in the caller's format. */
const endings: Readonly<Record<Caller, RegExp>> = {
  chat: /"finish_reason":"|\[DONE\]/,
  messages: /message_delta|message_stop/,
  Gemini: /finishReason|DONE/,
  Responses: /response\.completed|response\.incomplete/,
  Cohere: /COMPLETE|\[DONE\]/,
};

/** After the answer: the rest, and what is done to the connection. */
type Ending = (upstream: Framed) => readonly [rest: Buffer, end: 'end' | 'destroy'];
const cuts: Readonly<Record<string, Ending>> = {
  'a clean end': () => [Buffer.alloc(0), 'end'],
  'a clean end inside a frame': ({ ending: [first = Buffer.alloc(0)] }) => [
    first.subarray(0, -5),
    'end',
  ],
  'a reset': () => [Buffer.alloc(0), 'destroy'],
  'a reset inside a frame': ({ ending: [first = Buffer.alloc(0)] }) => [
    first.subarray(0, -5),
    'destroy',
  ],
};
const complete: Readonly<Record<string, Ending>> = {
  'a clean end': ({ ending }) => [Buffer.concat(ending), 'end'],
  'a reset': ({ ending }) => [Buffer.concat(ending), 'destroy'],
};

let gateway: TestGateway;
let upstream: TestUpstream;

beforeAll(async () => {
  gateway = await startTestGateway();
  upstream = await startUpstream();
  await gateway.set('SelfUseModeEnabled', true);
  await gateway.set('RetryTimes', 0);
  for (const { channel, model } of Object.values(upstreams))
    await gateway.addChannel({ type: 1, baseUrl: upstream.url, models: model, ...channel });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

/** Resolves once the client has the answer so far, so that it is no error before the first word. */
let begun: Promise<void>;

function serve(framed: Framed, ending: Ending): void {
  upstream.answer(async (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': framed.contentType });
    response.write(Buffer.concat(framed.answer));
    await begun;
    const [rest, end] = ending(framed);
    if (rest.length > 0) await new Promise((written) => response.write(rest, written));
    response[end]();
  });
}

/** All that comes of the stream, also where its connection is cut after it. */
function streamed(caller: Caller, model: string, key: string): Promise<string> {
  const { path, body } = question(caller, model, true);
  const { promise, resolve: begin } = Promise.withResolvers<void>();
  begun = promise;
  return new Promise((resolve, reject) => {
    const sent = request(gateway.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    });
    sent.on('error', reject);
    sent.on('response', (reply) => {
      let text = '';
      expect(reply.statusCode).toBe(200);
      reply.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
        if (text.includes(said)) begin();
      });
      reply.on('error', () => undefined).on('close', () => resolve(text));
    });
    sent.end(JSON.stringify(body));
  });
}

const pairs = callers.flatMap((caller) =>
  Object.keys(upstreams).map((name) => [caller, name] as const),
);

describe('a caller of', () => {
  it.each(pairs)('%s sees that an answer of %s was cut', async (caller, name) => {
    const framed = upstreams[name] as Framed;
    const { key, username } = await gateway.addCustomer(10_000_000);
    for (const [cut, ending] of Object.entries(cuts)) {
      serve(framed, ending);
      const text = await streamed(caller, framed.model, key);
      expect(text, cut).not.toMatch(endings[caller]);
      expect(text, cut).toMatch(/"error"/);
    }
    const { items } = await gateway.client.log.list({ username, type: 2 });
    expect(items.map(({ other }) => readLogOther(other))).toEqual(
      Object.keys(cuts).map(() => expect.objectContaining({ ended: 'upstream_cut' })),
    );
  });

  it.each(pairs)('%s has a complete answer of %s, however it ends', async (caller, name) => {
    const framed = upstreams[name] as Framed;
    const { key, username } = await gateway.addCustomer(10_000_000);
    for (const [end, ending] of Object.entries(complete)) {
      serve(framed, ending);
      const text = await streamed(caller, framed.model, key);
      expect(text, end).toMatch(endings[caller]);
      expect(text, end).not.toMatch(/"error":[^n]/);
    }
    const { items } = await gateway.client.log.list({ username, type: 2 });
    expect(items.map(({ other }) => readLogOther(other).ended)).toEqual([undefined, undefined]);
    // By the vendor's figures, both of them.
    expect(items.map((item) => [item.prompt_tokens, item.completion_tokens])).toEqual([
      [9, 4],
      [9, 4],
    ]);
  });
});
