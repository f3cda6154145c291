/**
 * An answer that a model or its filter refuses reads the same whole and streamed, in every format:
 * how it ended, and the explanation where the vendor gives one (docs/rules/formats.md#finish-reasons).
 */
import { describe, expect, it } from 'vitest';
import {
  type Loose,
  recordOf,
  recordsOf,
  textOf,
} from '../../../src/core/canonical/kit/read-json.ts';
import { type Caller, callers, question } from '../../support/five-callers.ts';
import { sse } from '../../support/half-answers.ts';
import { sendJson } from '../../support/upstream.ts';
import { createConversionBench } from './bench.ts';
import { upstreamFormats } from './upstream-formats.ts';

type Name = (typeof upstreamFormats)[number]['name'];
const why = 'I will not say.';
const pieces = [why.slice(0, 7), why.slice(7)];

const claudeUsage = { input_tokens: 9, output_tokens: 4 };
const message = { id: 'msg_1', type: 'message', role: 'assistant', content: [] };
const stop = {
  stop_reason: 'refusal',
  stop_details: { type: 'refusal', category: 'cyber', explanation: why },
};
const blocked = {
  candidates: [{ index: 0, finishReason: 'SAFETY', finishMessage: why }],
  usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 4, totalTokenCount: 13 },
};
const item = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'refusal', refusal: why }],
};
const response = {
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  output: [item],
  usage: { input_tokens: 9, output_tokens: 4, total_tokens: 13 },
};
const place = { item_id: 'msg_1', output_index: 0, content_index: 0 };
const chunk = (delta: object, finish_reason: string | null = null) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  model: 'm',
  choices: [{ index: 0, delta, finish_reason }],
});

/** The same refusal as each vendor writes it. */
const refusals: Readonly<Record<Name, readonly [whole: object, events: readonly object[]]>> = {
  chat: [
    {
      id: 'chatcmpl-1',
      choices: [
        {
          index: 0,
          finish_reason: 'stop',
          message: { role: 'assistant', content: null, refusal: why },
        },
      ],
      usage: { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 },
    },
    [
      chunk({ role: 'assistant', content: null, refusal: null }),
      ...pieces.map((refusal) => chunk({ refusal })),
      chunk({}, 'stop'),
    ],
  ],
  messages: [
    { ...message, ...stop, usage: claudeUsage },
    [
      { type: 'message_start', message: { ...message, usage: claudeUsage } },
      { type: 'message_delta', delta: stop, usage: claudeUsage },
      { type: 'message_stop' },
    ],
  ],
  Gemini: [blocked, [blocked]],
  Responses: [
    response,
    [
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { ...item, content: [] },
      },
      ...pieces.map((delta) => ({ type: 'response.refusal.delta', ...place, delta })),
      { type: 'response.refusal.done', ...place, refusal: why },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response },
    ],
  ],
};

interface Read {
  readonly text: string;
  readonly explanation: string;
  readonly end: unknown;
}
const joined = (values: readonly unknown[]) => values.map((value) => textOf(value) ?? '').join('');

/** What a client of the format has of a reply, or of the events of a stream. */
function read(caller: Caller, values: readonly Loose[]): Read {
  const last = values.at(-1) ?? {};
  switch (caller) {
    case 'chat': {
      const choices = values.flatMap(({ choices }) => recordsOf(choices));
      const said = choices.map(({ message, delta }) => recordOf(message ?? delta) ?? {});
      return {
        text: joined(said.map(({ content }) => content)),
        explanation: joined(said.map(({ refusal }) => refusal)),
        end: choices.at(-1)?.['finish_reason'],
      };
    }
    case 'messages': {
      const blocks = values.flatMap(({ content }) => recordsOf(content));
      const deltas = values.map(({ delta }) => recordOf(delta) ?? {});
      return {
        text: joined([...blocks, ...deltas].map(({ text }) => text)),
        explanation: joined(
          [last, ...deltas].map((one) => recordOf(one['stop_details'])?.['explanation']),
        ),
        end: last['stop_reason'] ?? deltas.find((delta) => 'stop_reason' in delta)?.['stop_reason'],
      };
    }
    case 'Gemini': {
      const candidates = values.flatMap((value) => recordsOf(value['candidates']));
      const parts = candidates.flatMap(({ content }) => recordsOf(recordOf(content)?.['parts']));
      return {
        text: joined(parts.map(({ text }) => text)),
        explanation: joined(candidates.map(({ finishMessage }) => finishMessage)),
        end: candidates.at(-1)?.['finishReason'],
      };
    }
    case 'Responses': {
      const final = recordOf(last['response']) ?? last;
      const content = recordsOf(final['output']).flatMap((one) => recordsOf(one['content']));
      return {
        text: joined(content.map(({ text }) => text)),
        explanation: joined(content.map(({ refusal }) => refusal)),
        end: recordOf(final['incomplete_details'])?.['reason'] ?? final['status'],
      };
    }
    case 'Cohere': {
      const said = values.map(
        (value) => recordOf(value['message'] ?? recordOf(value['delta'])?.['message']) ?? {},
      );
      const content = said.flatMap((one) =>
        Array.isArray(one['content'])
          ? recordsOf(one['content'])
          : [recordOf(one['content']) ?? {}],
      );
      const ends = values.map((value) => recordOf(value['delta']) ?? value);
      return {
        text: joined(content.map(({ text }) => text)),
        explanation: '',
        end: ends.map((one) => one['finish_reason']).find((word) => word !== undefined),
      };
    }
  }
}

const bench = createConversionBench();

async function ask(caller: Caller, provider: Name, stream: boolean): Promise<Read> {
  const [whole, events] = refusals[provider];
  bench.upstream(provider).answer((reply, { path, json }) => {
    if (json['stream'] !== true && !path.includes('stream')) return sendJson(reply, 200, whole);
    const end = provider === 'chat' ? 'data: [DONE]\n\n' : '';
    reply.writeHead(200, { 'content-type': 'text/event-stream' }).end(sse(...events) + end);
  });
  const model = upstreamFormats.find(({ name }) => name === provider)?.model ?? '';
  const { path, body } = question(caller, model, stream);
  const reply = await fetch(bench.gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${bench.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await reply.text();
  expect(reply.status, text).toBe(200);
  const values = stream
    ? [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json = '']) => JSON.parse(json) as Loose)
    : [JSON.parse(text) as Loose];
  return read(caller, values);
}

type Ends = Readonly<Record<Caller, string>>;
/** OpenAI's models explain themselves in an answer that ends as any other. */
const explained: Ends = {
  chat: 'stop',
  messages: 'refusal',
  Gemini: 'SAFETY',
  Responses: 'completed',
  Cohere: 'COMPLETE',
};
const filtered: Ends = {
  ...explained,
  chat: 'content_filter',
  Responses: 'content_filter',
  Cohere: 'ERROR_TOXIC',
};
const ends: Readonly<Record<Name, Ends>> = {
  chat: explained,
  Responses: explained,
  messages: filtered,
  Gemini: filtered,
};

describe.each(upstreamFormats.map(({ name }) => name))('a refusal of %s', (provider) => {
  it.each(callers)('reads the same whole and streamed for a caller of %s', async (caller) => {
    const whole = await ask(caller, provider, false);
    const streamed = await ask(caller, provider, true);
    expect(streamed).toEqual(whole);
    expect(`${whole.text}${whole.explanation}`).toBe(why);
    expect(whole.end).toBe(ends[provider][caller]);
  });
});
