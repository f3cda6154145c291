// Covers src/core/relay/formats/anthropic-messages.
/** What the official clients make of our replies and streams. */
import { Anthropic } from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { OpenAI } from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChatReply, StreamPart } from '../../../../src/core/canonical/chat-reply.ts';
import { foreignSignature } from '../../../../src/core/canonical/kit/foreign-signature.ts';
import { builtInProviders } from '../../../../src/core/providers/index.ts';
import { anthropicMessages } from '../../../../src/core/relay/formats/anthropic-messages/index.ts';
import { anthropicFamily } from '../../../../src/core/relay/formats/families/anthropic.ts';
import { geminiFamily } from '../../../../src/core/relay/formats/families/gemini.ts';
import { openAiFamily } from '../../../../src/core/relay/formats/families/openai.ts';
import {
  geminiGenerate,
  geminiGenerateArray,
} from '../../../../src/core/relay/formats/gemini-generate/index.ts';
import { openAiChat } from '../../../../src/core/relay/formats/openai-chat/index.ts';
import { openAiCompletions } from '../../../../src/core/relay/formats/openai-completions/index.ts';
import type {
  ChatTranslation,
  ReplyContext,
} from '../../../../src/core/relay/formats/shared/chat-translation.ts';
import { testCall } from '../../../contract/providers/support/call.ts';
import {
  decodeChunks,
  fixtureBytes,
  fixtureJson,
} from '../../../contract/providers/support/decode.ts';
import { type Loopback, startLoopback } from './support/loopback.ts';

let server: Loopback;
let openai: OpenAI;
let anthropic: Anthropic;
let google: GoogleGenAI;

beforeAll(async () => {
  server = await startLoopback();
  openai = new OpenAI({ apiKey: 'k', baseURL: `${server.url}/v1`, maxRetries: 0 });
  google = new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: server.url } });
  anthropic = new Anthropic({ apiKey: 'k', baseURL: server.url, maxRetries: 0 });
});
afterAll(() => server.close());

const context: ReplyContext = {
  id: 'ours',
  model: 'asked',
  created: 1_700_000_000,
  includeUsage: true,
};

function recorded(slug: string, name: string): StreamPart[] {
  const adapter = builtInProviders.all.find((provider) => provider.slug === slug)?.operations.chat;
  const decoder = adapter?.createStreamDecoder?.(testCall());
  if (decoder === undefined) throw new Error(`${slug} does not stream`);
  return decodeChunks([fixtureBytes(slug, name)], 'sse', decoder);
}

function reply(slug: string, name: string): ChatReply {
  const adapter = builtInProviders.all.find((provider) => provider.slug === slug)?.operations.chat;
  if (adapter === undefined) throw new Error(`${slug} does not chat`);
  return adapter.decode(fixtureJson(slug, name), testCall());
}

function write(
  format: ChatTranslation,
  parts: readonly StreamPart[],
  changes: Partial<ReplyContext> = {},
): string {
  const encoder = format.createStreamEncoder({ ...context, ...changes });
  return parts.map((part) => encoder.push(part)).join('') + encoder.end();
}

function stream(text: string): void {
  server.answer(text, { contentType: 'text/event-stream' });
}

const ask = { model: 'asked', messages: [{ role: 'user' as const, content: 'hi' }] };

async function openAiAnswer(parts: readonly StreamPart[]) {
  stream(write(openAiChat, parts));
  const running = openai.chat.completions.stream({
    ...ask,
    stream_options: { include_usage: true },
  });
  return running.finalChatCompletion();
}

async function anthropicAnswer(parts: readonly StreamPart[]) {
  stream(write(anthropicMessages, parts));
  return anthropic.messages.stream({ ...ask, max_tokens: 10 }).finalMessage();
}

describe('the OpenAI client', () => {
  it('reads Claude’s calls', async () => {
    const answer = await openAiAnswer(recorded('anthropic', 'stream-tools.sse'));
    expect(answer).toMatchObject({ id: 'chatcmpl-ours', model: 'asked', created: 1_700_000_000 });
    const [choice] = answer.choices;
    expect(choice?.finish_reason).toBe('tool_calls');
    expect(choice?.message.content).toBe('Okay, ');
    expect(
      choice?.message.tool_calls?.map((call) =>
        call.type === 'function' ? [call.id, call.function.name, call.function.arguments] : [],
      ),
    ).toEqual([
      ['toolu_01T1x1fJ34qAmk2tNTrN7Up6', 'get_weather', '{"location": "Paris"}'],
      ['toolu_02', 'get_time', '{}'],
      ['toolu_03', 'ready', '{"a":1}'],
    ]);
    expect(answer.usage).toMatchObject({
      prompt_tokens: 472,
      completion_tokens: 89,
      total_tokens: 561,
    });
  });

  it('reads Claude’s cache as part of the prompt', async () => {
    const answer = await openAiAnswer(recorded('anthropic', 'stream-text.sse'));
    expect(answer.usage).toMatchObject({
      prompt_tokens: 622,
      prompt_tokens_details: { cached_tokens: 100, cached_creation_tokens: 50 },
    });
    expect(answer.choices[0]?.finish_reason).toBe('stop');
  });

  it('reads Gemini’s thoughts, calls and candidates', async () => {
    const tools = await openAiAnswer(recorded('gemini', 'stream-tools.sse'));
    expect(tools.choices[0]?.message).toMatchObject({
      reasoning_content: 'Think',
      tool_calls: [
        {
          function: { name: 'get_weather' },
          extra_content: { google: { thought_signature: 'CiQB' } },
        },
        { function: { name: 'get_time' } },
      ],
    });
    const several = await openAiAnswer(recorded('gemini', 'stream-candidates.sse'));
    expect(
      several.choices.map(({ message, finish_reason }) => [message.content, finish_reason]),
    ).toEqual([
      ['A', 'length'],
      ['B', 'stop'],
    ]);
  });

  it('reads whole replies', async () => {
    server.answer(
      JSON.stringify(openAiChat.writeReply(reply('anthropic', 'reply-tools.json'), context)),
    );
    const answer = await openai.chat.completions.create(ask);
    expect(answer.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: {
        role: 'assistant',
        content: 'I check.',
        reasoning_content: 'First…',
        refusal: null,
      },
    });
    expect(answer.choices[0]?.message.tool_calls).toHaveLength(2);
  });

  it('reads text completions translated from a chat', async () => {
    stream(write(openAiCompletions, recorded('anthropic', 'stream-text.sse')));
    let text = '';
    let finish: string | null | undefined;
    for await (const chunk of await openai.completions.create({
      model: 'asked',
      prompt: 'hi',
      stream: true,
    })) {
      text += chunk.choices[0]?.text ?? '';
      finish = chunk.choices[0]?.finish_reason ?? finish;
      expect(chunk.object).toBe('text_completion');
    }
    expect([text, finish]).toEqual(['Hello 世界!', 'stop']);
  });

  it('reads errors, before and inside a stream', async () => {
    const error = {
      status: 429,
      message: 'slow down',
      type: 'rate_limit_error',
      code: 'rate_limit_exceeded',
    };
    server.answer(JSON.stringify(openAiFamily.errorBody(error)), { status: 429 });
    await expect(openai.chat.completions.create(ask)).rejects.toMatchObject({
      status: 429,
      code: 'rate_limit_exceeded',
      param: '429',
    });
    const encoder = openAiChat.createStreamEncoder(context);
    stream(encoder.push({ type: 'text-delta', text: 'Hal' }) + encoder.fail(error));
    const read = async () => {
      for await (const _ of await openai.chat.completions.create({ ...ask, stream: true })) void _;
    };
    await expect(read()).rejects.toThrow('slow down');
  });
});

describe('the Anthropic client', () => {
  it('reads OpenAI’s parallel calls', async () => {
    const answer = await anthropicAnswer(recorded('openai', 'stream-tools.sse'));
    expect(answer).toMatchObject({
      id: 'msg_ours',
      model: 'asked',
      stop_reason: 'tool_use',
      stop_sequence: null,
    });
    expect(answer.content).toMatchObject([
      { type: 'tool_use', id: 'call_a1', name: 'get_weather', input: { city: 'Paris' } },
      { type: 'tool_use', id: 'call_a2', name: 'get_time', input: {} },
    ]);
    expect(answer.usage).toMatchObject({
      input_tokens: 86,
      cache_read_input_tokens: 1920,
      output_tokens: 300,
    });
  });

  it('reads thinking of others under our mark', async () => {
    const answer = await anthropicAnswer(recorded('deepseek', 'stream-reasoning.sse'));
    expect(answer.content).toMatchObject([
      { type: 'thinking', thinking: '9.11 is', signature: foreignSignature },
      { type: 'text', text: '9.8' },
    ]);
    expect(answer.stop_reason).toBe('end_turn');
  });

  it('reads its own kind after a translation without loss', async () => {
    const answer = await anthropicAnswer(recorded('anthropic', 'stream-thinking.sse'));
    expect(answer.content).toMatchObject([
      {
        type: 'thinking',
        thinking: 'Let me solve this',
        signature: 'EqQBCgIYAhIM1gbcDa9GJwZA2b3h',
      },
      { type: 'redacted_thinking', data: 'EmwKAhgBEgy3va3p' },
      { type: 'text', text: '27 * 453 = 12,231' },
    ]);
    expect(answer.id).toBe('msg_014p7gG3wDgGV9EUtLvnow3U');
    const stopped = await anthropicAnswer(recorded('anthropic', 'stream-text.sse'));
    expect([stopped.stop_reason, stopped.stop_sequence]).toEqual(['stop_sequence', 'END']);
    expect(stopped.usage).toMatchObject({
      input_tokens: 472,
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 50,
    });
  });

  it('reads interleaved calls as blocks one after another', async () => {
    const call = (index: number, fields: object) =>
      ({ type: 'tool-call-delta', index, arguments: '', ...fields }) as StreamPart;
    const answer = await anthropicAnswer([
      call(0, { id: 'a', name: 'f' }),
      call(1, { id: 'b:1', name: 'g', arguments: '{"x"' }),
      call(0, { arguments: '{"y":1}' }),
      call(1, { arguments: ':2}' }),
      { type: 'finish', reason: 'stop', raw: 'stop' },
    ]);
    expect(answer.content).toMatchObject([
      { id: 'a', input: { y: 1 } },
      { id: 'b_1', input: { x: 2 } },
    ]);
    expect(answer.stop_reason).toBe('tool_use');
  });

  it('reads a reply without content', async () => {
    const answer = await anthropicAnswer([{ type: 'finish', reason: 'stop', raw: 'stop' }]);
    expect(answer).toMatchObject({
      content: [],
      stop_reason: 'end_turn',
      usage: { output_tokens: 0 },
    });
  });

  it('reads whole replies', async () => {
    server.answer(
      JSON.stringify(anthropicMessages.writeReply(reply('gemini', 'reply-tools.json'), context)),
    );
    const answer = await anthropic.messages.create({ ...ask, max_tokens: 10 });
    expect(answer.content.map(({ type }) => type)).toEqual([
      'thinking',
      'text',
      'text',
      'tool_use',
    ]);
    expect(answer.usage).toMatchObject({ input_tokens: 15, output_tokens: 27 });
  });

  it('reads errors, before and inside a stream', async () => {
    const error = { status: 529, message: 'busy', type: 'new_api_error', code: 'upstream_error' };
    server.answer(JSON.stringify(anthropicFamily.errorBody(error)), { status: 529 });
    await expect(anthropic.messages.create({ ...ask, max_tokens: 1 })).rejects.toMatchObject({
      status: 529,
      error: { type: 'error', error: { type: 'overloaded_error', message: 'busy' } },
    });
    const encoder = anthropicMessages.createStreamEncoder(context);
    stream(
      encoder.push({ type: 'text-delta', text: 'Hal' }) +
        anthropicMessages.family.keepAlive +
        encoder.fail(error),
    );
    await expect(
      anthropic.messages.stream({ ...ask, max_tokens: 1 }).finalMessage(),
    ).rejects.toThrow('busy');
  });
});

describe('the Google client', () => {
  const question = { model: 'asked', contents: 'hi' };

  async function answerOf(text: string) {
    stream(text);
    const chunks = [];
    for await (const chunk of await google.models.generateContentStream(question))
      chunks.push(chunk);
    const parts = chunks.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? []);
    return { parts, last: chunks.at(-1) };
  }

  it('reads complete tool calls of OpenAI, and usage in its own fields', async () => {
    const { parts, last } = await answerOf(
      write(geminiGenerate, recorded('openai', 'stream-tools.sse')),
    );
    expect(parts).toEqual([
      { functionCall: { id: 'call_a1', name: 'get_weather', args: { city: 'Paris' } } },
      { functionCall: { id: 'call_a2', name: 'get_time', args: {} } },
    ]);
    expect(last?.candidates?.[0]?.finishReason).toBe('STOP');
    expect(last?.usageMetadata).toMatchObject({
      promptTokenCount: 2006,
      cachedContentTokenCount: 1920,
      candidatesTokenCount: 300,
      totalTokenCount: 2306,
    });
    expect(last?.modelVersion).toBe('asked');
  });

  it('reads thoughts, and skips keep-alive newlines', async () => {
    const encoder = geminiGenerate.createStreamEncoder(context);
    const text =
      recorded('deepseek', 'stream-reasoning.sse')
        .map((part) => encoder.push(part) + geminiGenerate.family.keepAlive)
        .join('') + encoder.end();
    const { parts, last } = await answerOf(text);
    expect(parts.slice(0, 2)).toEqual([{ text: '9.11 is', thought: true }, { text: '9.8' }]);
    expect(last?.usageMetadata).toMatchObject({ candidatesTokenCount: 5, thoughtsTokenCount: 4 });
  });

  it('reads whole replies and errors', async () => {
    server.answer(
      JSON.stringify(geminiGenerate.writeReply(reply('anthropic', 'reply-tools.json'), context)),
    );
    const answer = await google.models.generateContent(question);
    expect(answer.functionCalls).toEqual([
      { id: 'toolu_1', name: 'get_weather', args: { city: 'Paris' } },
      { id: 'toolu_2', name: 'get_time', args: {} },
    ]);
    expect(answer.text).toBe('I check.');
    server.answer(
      JSON.stringify(geminiFamily.errorBody({ status: 404, message: 'no such model' })),
      { status: 404 },
    );
    await expect(google.models.generateContent(question)).rejects.toMatchObject({ status: 404 });
    const encoder = geminiGenerate.createStreamEncoder(context);
    await expect(
      answerOf(
        encoder.push({ type: 'text-delta', text: 'x' }) +
          encoder.fail({ status: 503, message: 'busy' }),
      ),
    ).rejects.toThrow('busy');
  });

  it('without alt=sse gets one JSON array', () => {
    const array = JSON.parse(
      write(geminiGenerateArray, recorded('anthropic', 'stream-text.sse')),
    ) as {
      candidates: { finishReason?: string }[];
    }[];
    expect(array.map(({ candidates }) => candidates[0]?.finishReason)).toEqual([
      undefined,
      undefined,
      'STOP',
    ]);
    expect(JSON.parse(write(geminiGenerateArray, []))).toHaveLength(1);
  });
});
