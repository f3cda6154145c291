/**
 * Compared with Ollama's own SDK: our requests equal its requests, and recorded replies decode to
 * the same values.
 */
import '../../support/usage-equality.ts';
import { Ollama } from 'ollama';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Call } from '../../../src/core/canonical/provider.ts';
import type { JsonObject } from '../../../src/core/kernel/json.ts';
import { ollama } from '../../../src/core/providers/ollama/index.ts';
import { openAiChat } from '../../../src/core/relay/formats/openai-chat/index.ts';
import { openAiCompletions } from '../../../src/core/relay/formats/openai-completions/index.ts';
import { testCall } from '../../contract/providers/support/call.ts';
import {
  type Collected,
  collect,
  decodeChunks,
  fixtureBytes,
  fixtureJson,
} from '../../contract/providers/support/decode.ts';
import { effectsOf } from '../../contract/providers/support/effects.ts';
import { sendJson, startUpstream, type TestUpstream } from '../../support/upstream.ts';

let upstream: TestUpstream;
let sdk: Ollama;
let call: Call<never>;

beforeAll(async () => {
  upstream = await startUpstream();
  sdk = new Ollama({ host: upstream.url, headers: { authorization: 'Bearer the-key' } });
  call = testCall({ baseUrl: upstream.url, model: 'qwen3' }) as Call<never>;
});
afterAll(() => upstream.close());
beforeEach(() => {
  upstream.requests.length = 0;
});

const { chat, embedding } = ollama.operations;
const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const weather = { name: 'weather', description: 'Tells it.', parameters };
const tools = [{ type: 'function', function: weather }];
const question = { model: 'qwen3', messages: [{ role: 'user', content: 'hi' }] };

function answerLines(name: string): void {
  upstream.answer((response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    response.end(fixtureBytes('ollama', name));
  });
}

function read(name: string): Collected {
  const decoder = chat?.createStreamDecoder?.(call) ?? expect.fail('no stream');
  return collect(decodeChunks([fixtureBytes('ollama', name)], 'ndjson', decoder));
}

describe('Ollama is sent the same', () => {
  it('chat', async () => {
    upstream.answer((response) =>
      sendJson(response, 200, fixtureJson('ollama', 'reply-tools.json')),
    );
    const options = {
      temperature: 0.5,
      top_p: 0.9,
      seed: 7,
      num_predict: 100,
      stop: ['END'],
      frequency_penalty: 0.5,
    };
    await sdk.chat({
      model: call.model,
      messages: [
        { role: 'system', content: 'S' },
        { role: 'user', content: 'look', images: ['iVBORw0KGgo='] },
        {
          role: 'assistant',
          content: '',
          thinking: 'plan',
          tool_calls: [{ function: { name: 'weather', arguments: { city: 'Oslo' } } }],
        },
        { role: 'tool', content: 'rain', tool_name: 'weather' },
      ],
      tools,
      format: parameters,
      think: 'low',
      keep_alive: '10m',
      options: { ...options, num_ctx: 8192 },
    });
    const { num_predict: max_tokens, ...sampling } = options;
    const target = { name: 'weather', arguments: '{"city":"Oslo"}' };
    const request = openAiChat.readRequest({
      model: 'm',
      messages: [
        { role: 'system', content: 'S' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'look' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          reasoning_content: 'plan',
          tool_calls: [{ id: 'c1', type: 'function', function: target }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'rain' },
      ],
      tools,
      response_format: { type: 'json_schema', json_schema: { name: 'r', schema: parameters } },
      reasoning_effort: 'low',
      keep_alive: '10m',
      options: { num_ctx: 8192 },
      max_tokens,
      ...sampling,
    } as JsonObject);
    const encoded = chat?.encode(request, call);
    const [sent] = upstream.requests;
    expect(encoded?.url).toBe(upstream.url + (sent?.path ?? ''));
    expect(encoded?.headers.authorization).toBe(sent?.headers.authorization);
    expect(encoded?.body).toEqual(sent?.json);
  });

  it('text to go on with, and texts to embed', async () => {
    upstream.answer((response) =>
      sendJson(response, 200, { response: ' upon', done: true, embeddings: [[1]] }),
    );
    await sdk.generate({
      model: call.model,
      prompt: 'Once',
      stream: false,
      options: { num_predict: 9 },
    });
    await sdk.embed({ model: call.model, input: ['a', 'b'], dimensions: 2, truncate: true });
    const prompt = openAiCompletions.readRequest(
      { model: 'm', prompt: 'Once', max_tokens: 9 },
      { model: 'm', stream: false },
    );
    const texts = { model: 'm', input: ['a', 'b'], dimensions: 2, extra: { truncate: true } };
    const ours = [chat?.encode(prompt, call), embedding?.encode(texts, call)];
    expect(ours.map((one) => [one?.url, one?.body])).toEqual(
      upstream.requests.map(({ path, json }) => [upstream.url + path, json]),
    );
  });
});

describe('Ollama’s replies decode to the same values', () => {
  it.each(['stream-text.ndjson', 'stream-thinking.ndjson', 'stream-tools.ndjson'])(
    'in %s',
    async (name) => {
      answerLines(name);
      let text = '';
      let reasoning = '';
      const calls: { name: string; arguments: unknown }[] = [];
      let ended: { prompt?: number; completion?: number; reason?: string } = {};
      for await (const line of await sdk.chat({ ...question, stream: true })) {
        text += line.message.content;
        reasoning += line.message.thinking ?? '';
        calls.push(...(line.message.tool_calls ?? []).map((one) => one.function));
        if (line.done)
          ended = {
            prompt: line.prompt_eval_count,
            completion: line.eval_count,
            reason: line.done_reason,
          };
      }
      const ours = read(name);
      expect({ text: ours.text, reasoning: ours.reasoning }).toEqual({ text, reasoning });
      expect(ours.calls.map((one) => [one.name, JSON.parse(one.arguments)])).toEqual(
        calls.map((one) => [one.name, { ...(one.arguments as object) }]),
      );
      expect(ours.usage).toEqual({
        promptTokens: ended.prompt,
        completionTokens: ended.completion,
      });
      expect(ours.finishes).toEqual([calls.length > 0 ? 'tool-calls' : ended.reason]);
    },
  );

  it('in a text that goes on', async () => {
    answerLines('stream-generate.ndjson');
    let text = '';
    for await (const line of await sdk.generate({ model: 'qwen3', prompt: 'Once', stream: true }))
      text += line.response;
    expect(text).not.toBe('');
    expect(read('stream-generate.ndjson').text).toBe(text);
  });

  it('in one piece', async () => {
    upstream.answer((response) =>
      sendJson(response, 200, fixtureJson('ollama', 'reply-tools.json')),
    );
    const { message, prompt_eval_count, eval_count } = await sdk.chat(question);
    const reply = chat?.decode(fixtureJson('ollama', 'reply-tools.json'), call);
    const calls = message.tool_calls?.map(({ function: { name, arguments: given } }) => ({
      type: 'tool-call',
      name,
      arguments: JSON.stringify(given),
    }));
    expect(calls).toHaveLength(2);
    expect(reply?.choices[0]?.content).toMatchObject([
      { type: 'reasoning', text: message.thinking },
      ...(calls ?? []),
    ]);
    expect(reply?.usage).toEqual({ promptTokens: prompt_eval_count, completionTokens: eval_count });
  });

  it('in vectors and names of models', async () => {
    const [vectors, tags] = [
      fixtureJson('ollama', 'reply-embed.json'),
      fixtureJson('ollama', 'reply-tags.json'),
    ];
    upstream.answer((response, { path }) =>
      sendJson(response, 200, path === '/api/tags' ? tags : vectors),
    );
    const embedded = await sdk.embed({ model: 'm', input: ['a', 'b'] });
    expect(embedding?.decode(vectors, call).embeddings).toEqual(embedded.embeddings);
    const { models } = await sdk.list();
    const effects = effectsOf({ [`${upstream.url}/api/tags`]: tags });
    expect(await ollama.account?.listModels?.(call, effects)).toEqual(
      models.map(({ name }) => name),
    );
  });
});

describe('failures of Ollama are the same', () => {
  it.each([
    ['stream-error.ndjson', 'an error was encountered while running the model: signal: killed'],
    [
      'stream-error-first.ndjson',
      'model requires more system memory (8.0 GiB) than is available (4.1 GiB)',
    ],
    // The SDK has its own error for a reply that never ends with `done`.
    ['stream-unterminated.ndjson', undefined],
  ])('in %s', async (name, message) => {
    answerLines(name);
    const all = async () => {
      for await (const line of await sdk.chat({ ...question, stream: true }))
        expect(line.message.content).not.toBe('');
    };
    await (message === undefined
      ? expect(all()).rejects.toThrow()
      : expect(all()).rejects.toThrow(message));
    const { errors, finishes } = read(name);
    expect(errors).toMatchObject([{ status: 502, ...(message === undefined ? {} : { message }) }]);
    expect(finishes).toEqual([]);
  });

  it('with a failed status', async () => {
    const body = fixtureJson('ollama', 'failure-404.json');
    upstream.answer((response) => sendJson(response, 404, body));
    const failure: unknown = await sdk.chat(question).catch((error: unknown) => error);
    expect(ollama.readFailure({ status: 404, headers: {}, text: '', body })).toMatchObject({
      status: (failure as { status_code: number }).status_code,
      message: (failure as Error).message,
    });
  });
});
