/** Upstreams that stream without a request for it, ignore `stream`, or only stream. */
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import type OpenAI from 'openai';
import { toFile } from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deepseek as deepseekProvider } from '../../../../src/core/providers/deepseek/index.ts';
import { wav } from '../../../support/audio-files.ts';
import { type CallBench, startCallBench, startQuota } from '../../../support/calls.ts';
import { generateReply } from '../../../support/gemini-upstream.ts';
import { replaceProvider } from '../../../support/providers.ts';
import {
  type Answer,
  chatReply,
  chatStream,
  errorReply,
  messagesReply,
  sendJson,
  startUpstream,
  type TestUpstream,
} from '../../../support/upstream.ts';

// DeepSeek that only streams, and is never passed through.
const { chat } = deepseekProvider.operations;
if (chat === undefined) throw new Error('DeepSeek has chats');
const decode = () => {
  throw new Error('never called');
};
const operations = { chat: { ...chat, passThrough: [], streamOnly: true, decode } };
const providers = replaceProvider({ ...deepseekProvider, operations });

let bench: CallBench;
let spare: TestUpstream;
let claude: TestUpstream;
let gemini: TestUpstream;
let deepseek: TestUpstream;

beforeAll(async () => {
  bench = await startCallBench(
    'gpt-4o,gpt-3.5-turbo-instruct,gpt-4o-transcribe,dall-e-3,tts-1',
    {},
    providers,
  );
  [spare, claude, gemini, deepseek] = await Promise.all([
    startUpstream(),
    startUpstream(),
    startUpstream(),
    startUpstream(),
  ]);
  await bench.gateway.addChannel({ type: 1, baseUrl: spare.url, models: 'gpt-4o', priority: -1 });
  await bench.gateway.addChannel({
    type: 14,
    baseUrl: claude.url,
    models: 'claude-3-5-sonnet-20241022',
  });
  await bench.gateway.addChannel({ type: 24, baseUrl: gemini.url, models: 'gemini-2.0-flash' });
  await bench.gateway.addChannel({ type: 43, baseUrl: deepseek.url, models: 'deepseek-chat' });
});
afterAll(async () => {
  await bench.close();
  await Promise.all([spare, claude, gemini, deepseek].map((upstream) => upstream.close()));
});
beforeEach(() => {
  bench.upstream.requests.length = 0;
  spare.requests.length = 0;
  spare.answer(chatReply('from the spare'));
});

const hello = [{ role: 'user', content: 'Hello' } as const];
const newAnthropic = (apiKey: string) =>
  new Anthropic({ apiKey, baseURL: bench.gateway.url, maxRetries: 0 });
const newGoogle = (apiKey: string) =>
  new GoogleGenAI({ apiKey, httpOptions: { baseUrl: bench.gateway.url } });

/** Sends the plain reply even if the request has `stream: true`. */
const whole =
  (answer: Answer): Answer =>
  (response, request) =>
    answer(response, { ...request, json: { ...request.json, stream: false } });
const streamed =
  (answer: Answer): Answer =>
  (response, request) =>
    answer(response, { ...request, json: { ...request.json, stream: true } });
const withType =
  (contentType: string, answer: Answer): Answer =>
  (response, request) => {
    const { writeHead } = response;
    response.writeHead = ((status: number) =>
      writeHead.call(response, status, { 'content-type': contentType })) as typeof writeHead;
    return answer(response, request);
  };

async function textOf(stream: AsyncIterable<OpenAI.ChatCompletionChunk>) {
  const chunks: OpenAI.ChatCompletionChunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return { text: chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join(''), chunks };
}

describe('an upstream that replies with JSON to a stream request', () => {
  const order = { model: 'gpt-4o', messages: hello, stream: true } as const;

  it('becomes a stream for a chat, with usage where requested', async () => {
    bench.upstream.answer(whole(chatReply('Hello from upstream')));
    const customer = await bench.gateway.addCustomer(startQuota);
    const create = bench.openAi(customer.key).chat.completions;
    const { text, chunks } = await textOf(
      await create.create({ ...order, stream_options: { include_usage: true } }),
    );
    expect(text).toBe('Hello from upstream');
    expect(chunks.map(({ choices }) => choices[0]?.finish_reason).filter(Boolean)).toEqual([
      'stop',
    ]);
    expect(chunks.at(-1)?.usage).toMatchObject({ prompt_tokens: 1000, completion_tokens: 500 });
    expect(await bench.spent(customer.userId)).toBe(3500);
    expect((await bench.newestLog(customer.username)).row).toMatchObject({
      is_stream: true,
      prompt_tokens: 1000,
    });
    const plain = await textOf(await create.create(order));
    expect(plain.chunks.filter(({ choices }) => choices.length === 0)).toHaveLength(0);
  });

  it('keeps tool calls whole', async () => {
    const call = {
      id: 'call_1',
      type: 'function',
      function: { name: 'look', arguments: '{"at":"sky"}' },
    };
    bench.upstream.answer((response) =>
      sendJson(response, 200, {
        id: 'x',
        object: 'chat.completion',
        created: 1,
        model: 'gpt-4o',
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content: null, tool_calls: [call] },
            finish_reason: 'tool_calls',
          },
        ],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      }),
    );
    const { key } = await bench.gateway.addCustomer(startQuota);
    const runner = bench.openAi(key).chat.completions.stream({ model: 'gpt-4o', messages: hello });
    const message = (await runner.finalChatCompletion()).choices[0]?.message;
    expect(message?.tool_calls?.[0]).toMatchObject({
      id: 'call_1',
      function: { name: 'look', arguments: '{"at":"sky"}' },
    });
  });

  it.each([
    ['as JSON', (answer: Answer) => answer],
    [
      'with the content type of a stream',
      (answer: Answer) => withType('text/event-stream', answer),
    ],
  ])('and is an error %s, fails over to another channel', async (_, dress) => {
    await bench.gateway.set('RetryTimes', 1);
    bench.upstream.answer(
      dress((response) =>
        sendJson(response, 200, { error: { message: 'busy', type: 'server_error' } }),
      ),
    );
    const customer = await bench.gateway.addCustomer(startQuota);
    const { text } = await textOf(await bench.openAi(customer.key).chat.completions.create(order));
    expect(text).toBe('from the spare');
    const { route } = (await bench.newestLog(customer.username)).other.admin_info ?? {};
    expect(route).toMatchObject([{ status: 500, message: 'busy' }, { status: 200 }]);
    await bench.gateway.set('RetryTimes', 0);
  });

  it('becomes a stream for every caller', async () => {
    const { key, userId } = await bench.gateway.addCustomer(startQuota);
    claude.answer(whole(messagesReply('Hello from Claude')));
    const message = newAnthropic(key).messages.stream({
      model: 'claude-3-5-sonnet-20241022',
      max_tokens: 100,
      messages: hello,
    });
    expect(await message.finalText()).toBe('Hello from Claude');
    expect((await message.finalMessage()).usage).toMatchObject({
      output_tokens: 50,
      cache_read_input_tokens: 400,
    });

    gemini.answer((response, request) =>
      generateReply()(response, { ...request, path: ':generateContent' }),
    );
    let text = '';
    const chunks = await newGoogle(key).models.generateContentStream({
      model: 'gemini-2.0-flash',
      contents: 'hi',
    });
    for await (const chunk of chunks) text += chunk.text ?? '';
    expect(text).toBe('Hello from Gemini');

    bench.upstream.answer((response) =>
      sendJson(response, 200, {
        id: 'x',
        object: 'text_completion',
        choices: [{ index: 0, text: 'Once', finish_reason: 'stop' }],
      }),
    );
    const stream = await bench
      .openAi(key)
      .completions.create({ model: 'gpt-3.5-turbo-instruct', prompt: 'Tell', stream: true });
    const pieces: string[] = [];
    for await (const piece of stream) pieces.push(piece.choices[0]?.text ?? '');
    expect(pieces.join('')).toBe('Once');
    expect(await bench.spent(userId)).toBeGreaterThan(0);
  });

  it('reports the counted usage where the upstream reported none', async () => {
    const { key, username } = await bench.gateway.addCustomer(startQuota);
    const expectBilled = async (told: number | undefined) => {
      expect(told).toBeGreaterThan(0);
      expect((await bench.newestLog(username)).row).toMatchObject({ completion_tokens: told });
    };
    const silent =
      (body: object): Answer =>
      (response) =>
        sendJson(response, 200, body);
    const message = { role: 'assistant', content: 'Hello there' };
    bench.upstream.answer(
      silent({ id: 'x', choices: [{ index: 0, message, finish_reason: 'stop' }] }),
    );
    const create = bench.openAi(key).chat.completions;
    const { chunks } = await textOf(
      await create.create({ ...order, stream_options: { include_usage: true } }),
    );
    await expectBilled(chunks.at(-1)?.usage?.completion_tokens);
    const plain = await textOf(await create.create(order));
    expect(plain.chunks.filter(({ usage }) => usage)).toEqual([]);

    bench.upstream.answer(
      silent({ id: 'x', choices: [{ index: 0, text: 'Hello there', finish_reason: 'stop' }] }),
    );
    const completion = { model: 'gpt-3.5-turbo-instruct', prompt: 'Tell', stream: true } as const;
    let last: OpenAI.Completion | undefined;
    const asked = { ...completion, stream_options: { include_usage: true } };
    for await (const piece of await bench.openAi(key).completions.create(asked)) last = piece;
    await expectBilled(last?.usage?.completion_tokens);

    const content = [{ type: 'text', text: 'Hello there' }];
    claude.answer(silent({ type: 'message', role: 'assistant', content, stop_reason: 'end_turn' }));
    const spoken = newAnthropic(key).messages.stream({
      model: 'claude-3-5-sonnet-20241022',
      max_tokens: 100,
      messages: hello,
    });
    await expectBilled((await spoken.finalMessage()).usage.output_tokens);

    gemini.answer(
      silent({
        candidates: [
          { content: { role: 'model', parts: [{ text: 'Hello there' }] }, finishReason: 'STOP' },
        ],
      }),
    );
    const generated = await newGoogle(key).models.generateContentStream({
      model: 'gemini-2.0-flash',
      contents: 'hi',
    });
    let count: number | undefined;
    for await (const chunk of generated) count = chunk.usageMetadata?.candidatesTokenCount;
    await expectBilled(count);
  });

  it('becomes a stream where formats differ', async () => {
    bench.upstream.answer(whole(chatReply('Hello from upstream')));
    const customer = await bench.gateway.addCustomer(startQuota);
    const message = newAnthropic(customer.key).messages.stream({
      model: 'gpt-4o',
      max_tokens: 100,
      messages: hello,
    });
    expect(await message.finalText()).toBe('Hello from upstream');
    expect(await bench.spent(customer.userId)).toBe(3500);
    expect((await bench.newestLog(customer.username)).row).toMatchObject({ is_stream: true });
    bench.upstream.answer(errorReply(200, { message: 'no', type: 'invalid_request_error' }));
    const failed = newAnthropic(customer.key).messages.stream({
      model: 'gpt-4o',
      max_tokens: 100,
      messages: hello,
    });
    await expect(failed.finalText()).rejects.toMatchObject({ status: 400 });
  });

  it('becomes the events of calls that are no chat', async () => {
    const customer = await bench.gateway.addCustomer(startQuota);
    const client = bench.openAi(customer.key);
    bench.upstream.answer((response) => sendJson(response, 200, { text: 'Hello there' }));
    const file = await toFile(wav(3), 'talk.wav', { type: 'audio/wav' });
    const heard: unknown[] = [];
    for await (const event of await client.audio.transcriptions.create({
      model: 'gpt-4o-transcribe',
      file,
      stream: true,
    }))
      heard.push(event);
    expect(heard).toMatchObject([
      { type: 'transcript.text.delta', delta: 'Hello there' },
      { type: 'transcript.text.done' },
    ]);

    bench.upstream.answer((response) => sendJson(response, 200, { data: [{ b64_json: 'QUJD' }] }));
    const seen: unknown[] = [];
    for await (const event of await client.images.generate({
      model: 'dall-e-3',
      prompt: 'a lake',
      stream: true,
    }))
      seen.push(event);
    expect(seen).toMatchObject([{ type: 'image_generation.completed', b64_json: 'QUJD' }]);

    bench.upstream.answer((response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' });
      response.end('ABC');
    });
    const speech = { model: 'tts-1', input: 'hi', voice: 'alloy', stream_format: 'sse' };
    const spoken = await bench.post('/v1/audio/speech', customer.key, JSON.stringify(speech));
    expect(await spoken.text()).toContain('data: {"type":"speech.audio.delta","audio":"QUJD"}');
  });
});

it('a stream under another name is a stream', async () => {
  bench.upstream.answer(withType('text/plain', chatStream(['Hello ', 'there'])));
  const customer = await bench.gateway.addCustomer(startQuota);
  const order = { model: 'gpt-4o', messages: hello, stream: true } as const;
  expect((await textOf(await bench.openAi(customer.key).chat.completions.create(order))).text).toBe(
    'Hello there',
  );
  expect(await bench.spent(customer.userId)).toBe(3500);
});

describe('an upstream that streams without a request for it', () => {
  it('is passed on as the stream it is, in the format of the caller', async () => {
    const customer = await bench.gateway.addCustomer(startQuota);
    bench.upstream.answer(streamed(chatReply('Hello there')));
    const chat = await bench.post(
      '/v1/chat/completions',
      customer.key,
      JSON.stringify({ model: 'gpt-4o', messages: hello }),
    );
    expect(chat.headers.get('content-type')).toBe('text/event-stream');
    expect(await chat.text()).toContain('data: [DONE]');
    const body = { model: 'gpt-4o', max_tokens: 10, messages: hello };
    const messages = await bench.post('/v1/messages', customer.key, JSON.stringify(body));
    expect(messages.headers.get('content-type')).toBe('text/event-stream');
    expect(await messages.text()).toContain('event: message_stop');
    expect((await bench.newestLog(customer.username)).row).toMatchObject({ is_stream: true });
  });
});

describe('a provider that only streams', () => {
  const plain = { model: 'deepseek-chat', messages: hello } as const;

  it('serves a plain request with what its stream adds up to', async () => {
    deepseek.requests.length = 0;
    deepseek.answer(chatStream(['Hello ', 'there']));
    const customer = await bench.gateway.addCustomer(startQuota);
    const reply = await bench.openAi(customer.key).chat.completions.create(plain);
    expect(reply.choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { role: 'assistant', content: 'Hello there' },
    });
    expect(reply.usage).toMatchObject({ prompt_tokens: 1000, completion_tokens: 500 });
    expect(deepseek.requests[0]?.json).toMatchObject({ stream: true });
    expect((await bench.newestLog(customer.username)).row).toMatchObject({
      is_stream: false,
      prompt_tokens: 1000,
    });
  });

  it('and a streamed one with its stream', async () => {
    deepseek.answer(chatStream(['Hello ', 'there']));
    const { key } = await bench.gateway.addCustomer(startQuota);
    expect(
      (await textOf(await bench.openAi(key).chat.completions.create({ ...plain, stream: true })))
        .text,
    ).toBe('Hello there');
  });

  it.each<[string, Answer]>([
    ['is cut', chatStream(['Hello ', 'there'], null, { end: 'cut' })],
    [
      'holds an error',
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(
          'data: {"choices":[{"index":0,"delta":{"content":"Hel"}}]}\n\ndata: {"error":{"message":"broken","code":502}}\n\n',
        );
      },
    ],
  ])('costs nothing where its stream %s', async (_, answer) => {
    deepseek.answer(answer);
    const customer = await bench.gateway.addCustomer(startQuota);
    await expect(bench.openAi(customer.key).chat.completions.create(plain)).rejects.toMatchObject({
      status: 502,
    });
    expect(await bench.spent(customer.userId)).toBe(0);
  });
});
