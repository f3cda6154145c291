/** Finish reasons and usage, from each format to each other. */
import { describe, expect, it } from 'vitest';
import { type Answer, sendJson } from '../../support/upstream.ts';
import { createConversionBench } from './bench.ts';
import { upstreamFormats } from './upstream-formats.ts';

type Name = (typeof upstreamFormats)[number]['name'];
type Body = Record<string, unknown>;

const names = ['chat', 'messages', 'Gemini', 'Responses'] as const;

/**
 * Prompt 100, of which 30 are read from a cache; output 25, of which 5 are thinking. Only messages
 * reports 20 written to a cache.
 */
const usage: Readonly<Record<Name, Body>> = {
  chat: {
    prompt_tokens: 100,
    completion_tokens: 25,
    total_tokens: 125,
    prompt_tokens_details: { cached_tokens: 30 },
    completion_tokens_details: { reasoning_tokens: 5 },
  },
  messages: {
    input_tokens: 50,
    cache_read_input_tokens: 30,
    cache_creation_input_tokens: 20,
    output_tokens: 25,
  },
  Gemini: {
    promptTokenCount: 90,
    toolUsePromptTokenCount: 10,
    cachedContentTokenCount: 30,
    candidatesTokenCount: 20,
    thoughtsTokenCount: 5,
    totalTokenCount: 125,
  },
  Responses: {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 30 },
    output_tokens: 25,
    output_tokens_details: { reasoning_tokens: 5 },
    total_tokens: 125,
  },
};

/** The same usage as a caller reads it, by provider. */
function usageFor(caller: Name, provider: Name): Body {
  const written = provider === 'messages' ? 20 : 0;
  const thought = provider === 'messages' ? 0 : 5;
  switch (caller) {
    case 'chat':
      return {
        ...usage.chat,
        prompt_tokens_details: {
          cached_tokens: 30,
          ...(written > 0 ? { cached_creation_tokens: written } : {}),
        },
        completion_tokens_details: { reasoning_tokens: thought },
      };
    case 'messages':
      return {
        input_tokens: 70 - written,
        cache_read_input_tokens: 30,
        cache_creation_input_tokens: written,
        output_tokens: 25,
      };
    case 'Gemini':
      return {
        promptTokenCount: 100,
        cachedContentTokenCount: 30,
        candidatesTokenCount: 25 - thought,
        ...(thought > 0 ? { thoughtsTokenCount: thought } : {}),
        totalTokenCount: 125,
      };
    case 'Responses':
      return {
        ...usage.Responses,
        input_tokens_details: {
          cached_tokens: 30,
          ...(written > 0 ? { cache_write_tokens: written } : {}),
        },
        output_tokens_details: { reasoning_tokens: thought },
      };
  }
}

/** Finish reasons; for Responses the status or the reason why the response is incomplete. */
type Ending = Readonly<Record<Name, string>>;
const done: Ending = { chat: 'stop', messages: 'end_turn', Gemini: 'STOP', Responses: 'completed' };
const cut: Ending = {
  chat: 'length',
  messages: 'max_tokens',
  Gemini: 'MAX_TOKENS',
  Responses: 'max_output_tokens',
};
const stopped: Ending = {
  chat: 'content_filter',
  messages: 'refusal',
  Gemini: 'SAFETY',
  Responses: 'content_filter',
};

const endings: readonly (readonly [provider: Name, word: string, means: Ending])[] = [
  ...names.flatMap((name) =>
    [done, cut, stopped].map((ending) => [name, ending[name], ending] as const),
  ),
  ['messages', 'stop_sequence', done],
  ['messages', 'pause_turn', done],
  ['messages', 'model_context_window_exceeded', cut],
  ['Gemini', 'RECITATION', stopped],
  ['Gemini', 'PROHIBITED_CONTENT', stopped],
  ['Gemini', 'LANGUAGE', stopped],
];

const text = 'Hi';

function responseWith(word: string): Body {
  const complete = word === 'completed';
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: [{ type: 'output_text', text, annotations: [] }],
  };
  return {
    id: 'resp_1',
    object: 'response',
    status: complete ? 'completed' : 'incomplete',
    incomplete_details: complete ? null : { reason: word },
    output: [message],
    usage: usage.Responses,
  };
}

const wholes: Readonly<Record<Name, (word: string) => Body>> = {
  chat: (word) => ({
    id: 'chatcmpl-1',
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: word }],
    usage: usage.chat,
  }),
  messages: (word) => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text }],
    stop_reason: word,
    usage: usage.messages,
  }),
  Gemini: (word) => ({
    candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, finishReason: word }],
    usageMetadata: usage.Gemini,
  }),
  Responses: responseWith,
};

/**
 * Usage is placed where each format defines it: messages reports the prompt first and the output
 * last.
 */
const streams: Readonly<Record<Name, (word: string) => readonly Body[]>> = {
  chat: (word) => [
    {
      id: 'chatcmpl-1',
      choices: [{ index: 0, delta: { role: 'assistant', content: text }, finish_reason: null }],
    },
    { id: 'chatcmpl-1', choices: [{ index: 0, delta: {}, finish_reason: word }] },
    { id: 'chatcmpl-1', choices: [], usage: usage.chat },
  ],
  messages: (word) => [
    {
      type: 'message_start',
      message: { id: 'msg_1', usage: { ...usage.messages, output_tokens: 1 } },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: word }, usage: { output_tokens: 25 } },
    { type: 'message_stop' },
  ],
  Gemini: (word) => [wholes.Gemini(word)],
  Responses: (word) => [
    { type: 'response.created', response: { id: 'resp_1', status: 'in_progress' } },
    {
      type: 'response.output_text.delta',
      item_id: 'msg_1',
      output_index: 0,
      content_index: 0,
      delta: text,
    },
    {
      type: word === 'completed' ? 'response.completed' : 'response.incomplete',
      response: responseWith(word),
    },
  ],
};

const answerWith =
  (name: Name, word: string, stream: boolean): Answer =>
  (response) => {
    if (!stream) return sendJson(response, 200, wholes[name](word));
    const events = streams[name](word).map((event) => `data: ${JSON.stringify(event)}\n\n`);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(events.join(''));
  };

function ask(caller: Name, model: string, stream: boolean): readonly [path: string, body: Body] {
  const messages = [{ role: 'user', content: 'Hi' }];
  switch (caller) {
    case 'chat':
      return [
        '/v1/chat/completions',
        { model, messages, stream, ...(stream ? { stream_options: { include_usage: true } } : {}) },
      ];
    case 'messages':
      return ['/v1/messages', { model, max_tokens: 100, messages, stream }];
    case 'Gemini': {
      const action = stream ? 'streamGenerateContent?alt=sse' : 'generateContent';
      return [`/v1beta/models/${model}:${action}`, { contents: [{ parts: [{ text: 'Hi' }] }] }];
    }
    case 'Responses':
      return ['/v1/responses', { model, input: 'Hi', stream }];
  }
}

/**
 * Finish reason and usage of a plain reply or of a stream's values; the last reported value counts.
 */
function read(caller: Name, values: readonly Body[]): { word: unknown; usage: unknown } {
  let word: unknown;
  let told: unknown;
  for (const value of values) {
    const inner = (value['response'] ?? value) as Body;
    const [first] = (inner['choices'] ?? inner['candidates'] ?? []) as Body[];
    const incomplete = inner['incomplete_details'] as Body | null | undefined;
    const words: Record<Name, unknown> = {
      chat: first?.['finish_reason'],
      messages: ((inner['delta'] ?? inner) as Body)['stop_reason'],
      Gemini: first?.['finishReason'],
      Responses: incomplete?.['reason'] ?? inner['status'],
    };
    word = words[caller] ?? word;
    told = inner[caller === 'Gemini' ? 'usageMetadata' : 'usage'] ?? told;
  }
  return { word, usage: told };
}

const bench = createConversionBench();

for (const [provider, word, means] of endings) {
  const format = upstreamFormats.find(({ name }) => name === provider);
  if (format === undefined) throw new Error(`no upstream ${provider}`);
  describe(`${word} of ${provider}`, () => {
    for (const caller of names.filter((name) => name !== provider)) {
      it.each([false, true])(`is ${means[caller]} for ${caller}, streamed %s`, async (stream) => {
        bench.upstream(provider).answer(answerWith(provider, word, stream));
        const [path, body] = ask(caller, format.model, stream);
        const reply = await fetch(bench.gateway.url + path, {
          method: 'POST',
          headers: { authorization: `Bearer ${bench.key}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        const text = await reply.text();
        expect(reply.status, text).toBe(200);
        const values = stream
          ? [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json = '']) => json)
          : [text];
        const got = read(
          caller,
          values.map((json) => JSON.parse(json) as Body),
        );
        expect(got.word).toBe(means[caller]);
        expect(got.usage).toEqual(usageFor(caller, provider));
      });
    }
  });
}
