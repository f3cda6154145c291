/**
 * Sources of a reply: from each upstream format, plain and streamed, to what each caller's SDK
 * reads.
 */
import Anthropic from '@anthropic-ai/sdk';
import { type GenerateContentResponse, GoogleGenAI, type GroundingMetadata } from '@google/genai';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { foreignSignature } from '../../../src/core/canonical/kit/foreign-signature.ts';
import { type Answer, sendJson } from '../../support/upstream.ts';
import { createConversionBench } from './bench.ts';
import { pieces } from './scenarios.ts';
import { type UpstreamFormat, upstreamFormats } from './upstream-formats.ts';

type Body = Record<string, unknown>;
type Name = UpstreamFormat['name'];

/** Characters beyond the basic plane and beyond ASCII: the wires count differently. */
const first = 'Oslo is cold 👋.';
const second = 'Rome – 罗马 – is warm.';
const text = `${first} ${second}`;
const oslo = { url: 'https://oslo.example/a', title: 'Oslo' };
const rome = { url: 'https://rome.example/b', title: 'Rome' };
const count = (words: string) => [...words].length;
const bytes = (words: string) => Buffer.byteLength(words);

const places = [
  { ...oslo, start_index: 0, end_index: count(first) },
  { ...rome, start_index: count(first) + 1, end_index: count(text) },
];
const annotations = places.map((place) => ({ type: 'url_citation', url_citation: place }));
const outputAnnotations = places.map((place) => ({ type: 'url_citation', ...place }));
const citation = ({ url, title }: typeof oslo) => ({
  type: 'web_search_result_location',
  url,
  title,
  encrypted_index: 'RWpv',
  cited_text: `${title}, words of the page`,
});
const blocks = [
  { type: 'text', text: first, citations: [citation(oslo)] },
  { type: 'text', text: ' ' },
  { type: 'text', text: second, citations: [citation(rome)] },
];
const groundingMetadata = {
  groundingChunks: [oslo, rome].map(({ url, title }) => ({ web: { uri: url, title } })),
  groundingSupports: [
    { segment: { endIndex: bytes(first), text: first }, groundingChunkIndices: [0] },
    {
      segment: { startIndex: bytes(first) + 1, endIndex: bytes(text), text: second },
      groundingChunkIndices: [1],
    },
  ],
};

const message = { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed' };
const response = (status: string, output: Body[]) => ({
  id: 'resp_1',
  object: 'response',
  status,
  output,
  usage: null,
});
const finished = response('completed', [
  {
    ...message,
    content: [{ type: 'output_text', text, annotations: outputAnnotations, logprobs: [] }],
  },
]);
const candidate = (words: string, more: Body) => ({
  candidates: [{ index: 0, content: { role: 'model', parts: [{ text: words }] }, ...more }],
});

const wholes: Readonly<Record<Name, Body>> = {
  chat: {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: text, annotations },
        finish_reason: 'stop',
      },
    ],
  },
  messages: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: blocks,
    stop_reason: 'end_turn',
  },
  Gemini: candidate(text, { finishReason: 'STOP', groundingMetadata }),
  Responses: finished,
};

const delta = (fields: Body, finish_reason: string | null = null) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta: fields, finish_reason }],
});
const item = { item_id: 'msg_1', output_index: 0, content_index: 0 };
const streams: Readonly<Record<Name, readonly Body[]>> = {
  chat: [
    ...pieces(text).map((content) => delta({ content })),
    delta({ annotations }),
    delta({}, 'stop'),
  ],
  messages: [
    {
      type: 'message_start',
      message: { id: 'msg_1', type: 'message', role: 'assistant', content: [], usage: {} },
    },
    ...blocks.flatMap((block, index) => [
      { type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
      ...pieces(block.text).map((words) => ({
        type: 'content_block_delta',
        index,
        delta: { type: 'text_delta', text: words },
      })),
      ...(block.citations ?? []).map((one) => ({
        type: 'content_block_delta',
        index,
        delta: { type: 'citations_delta', citation: one },
      })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 9 } },
    { type: 'message_stop' },
  ],
  Gemini: [
    ...pieces(text).map((words) => candidate(words, {})),
    candidate('', { finishReason: 'STOP', groundingMetadata }),
  ],
  Responses: [
    { type: 'response.created', response: response('in_progress', []) },
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { ...message, status: 'in_progress', content: [] },
    },
    {
      type: 'response.content_part.added',
      ...item,
      part: { type: 'output_text', text: '', annotations: [] },
    },
    ...pieces(text).map((words) => ({ type: 'response.output_text.delta', ...item, delta: words })),
    ...outputAnnotations.map((annotation, annotation_index) => ({
      type: 'response.output_text.annotation.added',
      ...item,
      annotation_index,
      annotation,
    })),
    { type: 'response.output_item.done', output_index: 0, item: finished.output[0] },
    { type: 'response.completed', response: finished },
  ],
};

const answer =
  (name: Name): Answer =>
  (reply, { json, path }) => {
    if (json['stream'] !== true && !path.includes('stream'))
      return sendJson(reply, 200, wholes[name]);
    const events = streams[name].map(
      (event) => `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`,
    );
    reply.writeHead(200, { 'content-type': 'text/event-stream' }).end(events.join(''));
  };

/** A source and the part of the reply that it supports. */
interface Source {
  readonly url: string | undefined;
  readonly title: string | null | undefined;
  readonly words: string;
}

const bench = createConversionBench();
const placed = ({ url, title, start_index, end_index }: (typeof places)[number]): Source => ({
  url,
  title,
  words: [...text].slice(start_index, end_index).join(''),
});

async function askChat(model: string, stream: boolean): Promise<Source[]> {
  const client = new OpenAI({
    apiKey: bench.key,
    baseURL: `${bench.gateway.url}/v1`,
    maxRetries: 0,
  });
  const order = { model, messages: [{ role: 'user' as const, content: 'Hi' }] };
  type Told = { annotations?: OpenAI.ChatCompletionMessage.Annotation[] } | undefined;
  const told: Told[] = [];
  if (stream) {
    const chunks = await client.chat.completions.create({ ...order, stream: true });
    for await (const chunk of chunks) told.push(chunk.choices[0]?.delta as Told);
  } else told.push((await client.chat.completions.create(order)).choices[0]?.message);
  return told
    .flatMap((one) => one?.annotations ?? [])
    .map(({ url_citation }) => placed(url_citation));
}

async function askMessages(model: string, stream: boolean): Promise<Source[]> {
  const client = new Anthropic({ apiKey: bench.key, baseURL: bench.gateway.url, maxRetries: 0 });
  const order = { model, max_tokens: 100, messages: [{ role: 'user' as const, content: 'Hi' }] };
  const reply = stream
    ? await client.messages.stream(order).finalMessage()
    : await client.messages.create(order);
  const texts = reply.content.flatMap((block) => (block.type === 'text' ? [block] : []));
  expect(texts.map((block) => block.text).join('')).toBe(text);
  return texts.flatMap((block) =>
    (block.citations ?? []).flatMap((one) =>
      one.type === 'web_search_result_location'
        ? [{ url: one.url, title: one.title, words: block.text }]
        : [],
    ),
  );
}

async function askGemini(model: string, stream: boolean): Promise<Source[]> {
  const client = new GoogleGenAI({
    apiKey: bench.key,
    httpOptions: { baseUrl: bench.gateway.url },
  });
  const order = { model, contents: 'Hi' };
  const replies: GenerateContentResponse[] = [];
  if (stream)
    for await (const chunk of await client.models.generateContentStream(order)) replies.push(chunk);
  else replies.push(await client.models.generateContent(order));
  const said = Buffer.from(replies.map((reply) => reply.text ?? '').join(''));
  const told: GroundingMetadata[] = replies.flatMap(
    (reply) => reply.candidates?.[0]?.groundingMetadata ?? [],
  );
  return told.flatMap(({ groundingChunks = [], groundingSupports = [] }) =>
    groundingSupports.flatMap(({ segment, groundingChunkIndices = [] }) => {
      const words = said.toString('utf8', segment?.startIndex, segment?.endIndex);
      expect(segment?.text).toBe(words);
      return groundingChunkIndices.map((index) => {
        const { uri, title } = groundingChunks[index]?.web ?? {};
        return { url: uri, title, words };
      });
    }),
  );
}

async function askResponses(model: string, stream: boolean): Promise<Source[]> {
  const client = new OpenAI({
    apiKey: bench.key,
    baseURL: `${bench.gateway.url}/v1`,
    maxRetries: 0,
  });
  const order = { model, input: 'Hi' };
  const reply = stream
    ? await client.responses.stream(order).finalResponse()
    : await client.responses.create(order);
  const parts = reply.output.flatMap((one) => (one.type === 'message' ? one.content : []));
  return parts.flatMap((part) =>
    part.type === 'output_text'
      ? part.annotations.flatMap((one) => (one.type === 'url_citation' ? [placed(one)] : []))
      : [],
  );
}

const callers: Readonly<Record<Name, (model: string, stream: boolean) => Promise<Source[]>>> = {
  chat: askChat,
  messages: askMessages,
  Gemini: askGemini,
  Responses: askResponses,
};

const everywhere: readonly Source[] = [
  { ...oslo, words: first },
  { ...rome, words: second },
];
/**
 * Claude splits a reply into several message blocks; replies of other providers become one block.
 */
const inOneBlock = everywhere.map((source) => ({ ...source, words: text }));

for (const { name: provider, model } of upstreamFormats) {
  describe(`sources from ${provider}`, () => {
    for (const [caller, ask] of Object.entries(callers)) {
      it.each([false, true])(`reach a caller of ${caller}, streamed %s`, async (stream) => {
        bench.upstream(provider).answer(answer(provider));
        const expected = caller === 'messages' && provider !== 'messages' ? inOneBlock : everywhere;
        expect(await ask(model, stream)).toEqual(expected);
      });
    }
  });
}

it('sources of others are not sent to Claude as if they were its own', async () => {
  const client = new Anthropic({ apiKey: bench.key, baseURL: bench.gateway.url, maxRetries: 0 });
  const [chat, claude] = upstreamFormats;
  if (chat === undefined || claude === undefined) throw new Error('no formats');
  bench.upstream('chat').answer(answer('chat'));
  bench.upstream('messages').answer(answer('messages'));
  bench.upstream('messages').requests.length = 0;
  const question = { role: 'user', content: 'Hi' } as const;
  const order = { max_tokens: 100, messages: [question] };
  const { content } = await client.messages.create({ ...order, model: chat.model });
  expect(JSON.stringify(content)).toContain(foreignSignature);
  const own = { role: 'assistant', content: blocks } as Anthropic.MessageParam;
  const history = [question, { role: 'assistant' as const, content }, question, own, question];
  await client.messages.create({ ...order, messages: history, model: claude.model });
  const sent = bench.upstream('messages').requests[0]?.json['messages'] as Body[];
  expect(sent[1]).toEqual({ role: 'assistant', content: [{ type: 'text', text }] });
  expect(sent[3]).toEqual(own);
});
