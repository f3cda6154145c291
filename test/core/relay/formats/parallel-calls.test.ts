/**
 * Parallel calls between every pair of wire formats: written as they come, in the order of the
 * upstream.
 */
import { Anthropic } from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { CohereClientV2 } from 'cohere-ai';
import { OpenAI } from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFrameReader } from '../../../../src/core/canonical/kit/frames.ts';
import type { StreamDecoder } from '../../../../src/core/canonical/pass-through.ts';
import { builtInProviders } from '../../../../src/core/providers/index.ts';
import { ResponsesStreamDecoder } from '../../../../src/core/providers/openai-responses/decode-stream.ts';
import { anthropicMessages } from '../../../../src/core/relay/formats/anthropic-messages/index.ts';
import { cohereChat } from '../../../../src/core/relay/formats/cohere-chat/index.ts';
import { geminiGenerate } from '../../../../src/core/relay/formats/gemini-generate/index.ts';
import { openAiChat } from '../../../../src/core/relay/formats/openai-chat/index.ts';
import { openAiResponses } from '../../../../src/core/relay/formats/openai-responses/index.ts';
import type { ChatTranslation } from '../../../../src/core/relay/formats/shared/chat-translation.ts';
import { testCall } from '../../../contract/providers/support/call.ts';
import { type CallStep, upstreams } from './support/call-streams.ts';
import { type Loopback, startLoopback } from './support/loopback.ts';

let server: Loopback;
beforeAll(async () => {
  server = await startLoopback();
});
afterAll(() => server.close());

/** Content in the order of the answer: `text …`, or `name arguments`. */
type Content = readonly string[];

const question = { model: 'asked', messages: [{ role: 'user' as const, content: 'hi' }] };
const called = (name: string | undefined, input: unknown) => `${name} ${JSON.stringify(input)}`;
const joined = (parts: Content): Content =>
  parts.reduce<string[]>((all, part) => {
    const before = all.at(-1);
    if (part.startsWith('text ') && before?.startsWith('text '))
      all.splice(-1, 1, before + part.slice('text '.length));
    else all.push(part);
    return all;
  }, []);

interface Caller {
  readonly format: ChatTranslation;
  /** The format has a place for text after calls. */
  readonly ordered: boolean;
  /** A call is written in one piece. */
  readonly whole?: boolean;
  read(): Promise<Content>;
}

const openai = () => new OpenAI({ apiKey: 'k', baseURL: `${server.url}/v1`, maxRetries: 0 });

const callers: Readonly<Record<string, Caller>> = {
  chat: {
    format: openAiChat,
    ordered: false,
    async read() {
      const { choices } = await openai().chat.completions.stream(question).finalChatCompletion();
      const { content, tool_calls = [] } = choices[0]?.message ?? {};
      const calls = tool_calls.map((call) =>
        call.type === 'function'
          ? called(call.function.name, JSON.parse(call.function.arguments))
          : '',
      );
      return [`text ${content}`, ...calls];
    },
  },
  messages: {
    format: anthropicMessages,
    ordered: true,
    async read() {
      const client = new Anthropic({ apiKey: 'k', baseURL: server.url, maxRetries: 0 });
      const { content } = await client.messages
        .stream({ ...question, max_tokens: 9 })
        .finalMessage();
      return content.map((block) =>
        block.type === 'tool_use'
          ? called(block.name, block.input)
          : block.type === 'text'
            ? `text ${block.text}`
            : '',
      );
    },
  },
  responses: {
    format: openAiResponses,
    ordered: true,
    async read() {
      const { output } = await openai()
        .responses.stream({ model: 'asked', input: 'hi' })
        .finalResponse();
      return output.map((item) => {
        if (item.type === 'function_call') return called(item.name, JSON.parse(item.arguments));
        return item.type === 'message' && item.content[0]?.type === 'output_text'
          ? `text ${item.content[0].text}`
          : '';
      });
    },
  },
  Gemini: {
    format: geminiGenerate,
    ordered: true,
    whole: true,
    async read() {
      const client = new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: server.url } });
      const parts: string[] = [];
      for await (const { candidates } of await client.models.generateContentStream({
        model: 'asked',
        contents: 'hi',
      }))
        for (const { text, functionCall } of candidates?.[0]?.content?.parts ?? [])
          if (functionCall !== undefined) parts.push(called(functionCall.name, functionCall.args));
          else if (text !== '') parts.push(`text ${text}`);
      return joined(parts);
    },
  },
  Cohere: {
    format: cohereChat,
    ordered: true,
    async read() {
      const parts: string[] = [];
      const client = new CohereClientV2({ token: 'k', environment: server.url, maxRetries: 0 });
      for await (const event of await client.chatStream(question)) {
        if (event.type === 'content-delta')
          parts.push(`text ${event.delta?.message?.content?.text}`);
        else if (event.type === 'tool-call-start')
          parts.push(`${event.delta?.message?.toolCalls?.function?.name} `);
        else if (event.type === 'tool-call-delta')
          parts.push(parts.pop() + (event.delta?.message?.toolCalls?.function?.arguments ?? ''));
      }
      return joined(parts);
    },
  },
};

/** What the caller is sent for each step, and at the end. */
function translate(slug: string, format: ChatTranslation, steps: readonly CallStep[]) {
  const adapter = builtInProviders.all.find((provider) => provider.slug === slug)?.operations.chat;
  const decoder: StreamDecoder | undefined =
    slug === 'openai-responses'
      ? new ResponsesStreamDecoder()
      : adapter?.createStreamDecoder?.(testCall());
  if (decoder === undefined) throw new Error(`${slug} does not stream`);
  const { callsInTurn } = decoder;
  const encoder = format.createStreamEncoder({
    id: 'ours',
    model: 'asked',
    created: 1,
    callsInTurn,
  });
  const frames = createFrameReader('sse');
  const written = steps.map(({ event }) =>
    frames
      .push(Buffer.from(event))
      .flatMap((frame) => decoder.push(frame))
      .map((part) => encoder.push(part))
      .join(''),
  );
  const last = decoder.end().map((part) => encoder.push(part));
  return { written, last: last.join('') + encoder.end() };
}

describe.each(Object.entries(callers))(
  'callers of %s',
  (_caller, { format, ordered, whole = false, read }) => {
    it.each(Object.entries(upstreams))(
      'get the calls of %s in order, as they come',
      async (_upstream, upstream) => {
        const { slug, steps, content, streams } = upstream;
        const { written, last } = translate(slug, format, steps);
        server.answer(written.join('') + last, { contentType: 'text/event-stream' });
        const got = await read();
        if (ordered) expect(got).toEqual(content);
        else {
          const isText = (part: string) => part.startsWith('text ');
          const text = content.filter(isText).map((part) => part.slice('text '.length));
          expect(got).toEqual([
            `text ${text.join('')}`,
            ...content.filter((part) => !isText(part)),
          ]);
        }
        const late = steps.flatMap(({ word }, at) =>
          word === undefined || written[at]?.includes(word) ? [] : [word],
        );
        if (!whole && streams) expect(late).toEqual([]);
        // Calls after which something comes are written before the end.
        expect(written.join('')).toContain('Oslo');
      },
    );
  },
);

describe('calls that interleave by index', () => {
  const { slug, steps } = upstreams['chat, interleaved'] ?? { slug: '', steps: [] };

  it.each(['messages', 'responses', 'Cohere'])(
    'keep only the second call waiting for %s, until the first is complete',
    (name) => {
      const { written } = translate(slug, callers[name]?.format ?? openAiChat, steps);
      const at = (word: string) => written.findIndex((text) => text.includes(word));
      const step = (word: string) => steps.findIndex((one) => one.word === word);
      expect(at('Oslo')).toBe(step('Oslo'));
      expect(at('Nord')).toBe(step('Nord'));
      expect(at('Rome')).toBe(step('Nord'));
      expect(at('Sud')).toBe(step('Sud'));
    },
  );
});
