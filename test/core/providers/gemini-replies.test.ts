// Covers src/core/providers/gemini.
import '../../support/usage-equality.ts';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/kernel/json.ts';
import { blockedPrompt } from '../../../src/core/providers/gemini/decode-parts.ts';
import { gemini } from '../../../src/core/providers/gemini/index.ts';
import { PartialArguments } from '../../../src/core/providers/gemini/partial-arguments.ts';
import { testCall } from '../../contract/providers/support/call.ts';
import {
  collect,
  decodeChunks,
  fixtureBytes,
  fixtureJson,
} from '../../contract/providers/support/decode.ts';

const chat = gemini.operations.chat;
if (chat === undefined) throw new Error('Gemini chats');

function stream(name: string) {
  const decoder = chat?.createStreamDecoder?.(testCall());
  if (decoder === undefined) throw new Error('no decoder');
  return decodeChunks([fixtureBytes('gemini', name)], 'sse', decoder);
}

describe('streams of Gemini', () => {
  it('text, keeping lone newlines', () => {
    expect(collect(stream('stream-text.sse'))).toMatchObject({
      id: 'mAitaLmkHPPlz7IPvtfUqQ4',
      text: 'Sure, 好的\n\n',
      usage: {
        promptTokens: 8,
        completionTokens: 25,
        reasoningTokens: 20,
        cachedTokens: 3,
        promptImageTokens: 2,
      },
      finishes: ['stop'],
    });
  });

  it('a thought and a call in the first chunk; STOP alone at the end', () => {
    const parts = stream('stream-tools.sse');
    expect(collect(parts)).toMatchObject({
      reasoning: 'Think',
      text: '',
      calls: [
        {
          id: 'call_mAitaLmkHPPlz7IPvtfUqQ4_0',
          name: 'get_weather',
          arguments: '{"city":"Paris"}',
        },
        { id: 'call_mAitaLmkHPPlz7IPvtfUqQ4_1', name: 'get_time', arguments: '{}' },
      ],
      finishes: ['tool-calls'],
    });
    expect(parts.find(({ type }) => type === 'tool-call-delta')).toMatchObject({
      signature: 'CiQB',
    });
  });

  it('arguments piece by piece', () => {
    expect(collect(stream('stream-partial-args.sse')).calls).toEqual([
      {
        id: 'call_mAitaLmkHPPlz7IPvtfUqQ4_0',
        name: 'book',
        arguments: '{"city":"Paris","days":[{"n":2}]}',
      },
    ]);
  });

  it('arguments without lists longer than anyone would write', () => {
    const pieces = new PartialArguments();
    pieces.add([
      { jsonPath: '$.a[4000000000]', numberValue: 1 },
      { jsonPath: '$.a[1]', numberValue: 2 },
    ]);
    expect(pieces.text).toBe('{"a":[null,2]}');
  });

  it('candidates', () => {
    const parts = stream('stream-candidates.sse');
    expect([collect(parts, 0).finishes, collect(parts, 1).finishes]).toEqual([
      ['length'],
      ['stop'],
    ]);
  });

  it.each([
    ['stream-blocked.sse', blockedPrompt('PROHIBITED_CONTENT')],
    [
      'stream-error-array.sse',
      { status: 503, code: 'UNAVAILABLE', message: 'The model is overloaded.' },
    ],
    ['stream-error.sse', { status: 500, code: 'INTERNAL', message: 'Internal' }],
    [
      'stream-malformed-call.sse',
      {
        status: 502,
        code: 'MALFORMED_FUNCTION_CALL',
        message: 'Malformed function call: print(x)',
      },
    ],
  ])('%s fails', (name, error) => expect(collect(stream(name)).errors).toEqual([error]));
});

describe('replies of Gemini', () => {
  it('with everything in them', () => {
    const reply = chat.decode(fixtureJson('gemini', 'reply-tools.json'), testCall());
    expect(reply.choices[0]).toMatchObject({
      content: [
        { type: 'reasoning', text: 'Hidden.', origin: 'gemini-generate' },
        { type: 'text', text: 'One two' },
        { type: 'image', mediaType: 'image/png', data: 'aGk=' },
        {
          type: 'tool-call',
          id: 'call_r-1_0',
          name: 'get_weather',
          arguments: '{"city":"Paris"}',
          signature: 'CiQB',
        },
      ],
      finish: 'tool-calls',
      rawFinish: 'STOP',
      annotations: [{ url: 'https://example.com', title: 'example.com' }],
    });
    expect(reply.usage).toEqual({ promptTokens: 15, completionTokens: 27, reasoningTokens: 7 });
  });

  const told = {
    content: {
      parts: [
        { text: 'Hmm.', thought: true },
        { inlineData: { mimeType: 'image/png', data: 'AAAA' }, thought: true },
        { text: 'Hé' },
      ],
    },
    logprobsResult: {
      topCandidates: [
        {
          candidates: [
            { token: 'Hé', logProbability: -0.1 },
            { token: 'Ho', logProbability: -2 },
          ],
        },
      ],
      chosenCandidates: [{ token: 'Hé', logProbability: -0.1 }],
    },
    finishReason: 'STOP',
  };
  const logprobs = {
    content: [
      {
        token: 'Hé',
        logprob: -0.1,
        bytes: [72, 195, 169],
        top_logprobs: [
          { token: 'Hé', logprob: -0.1, bytes: [72, 195, 169] },
          { token: 'Ho', logprob: -2, bytes: [72, 111] },
        ],
      },
    ],
    refusal: null,
  };

  it('with log probabilities, and no images that were only thought of', () => {
    const [choice] = chat.decode({ candidates: [told] }, testCall()).choices;
    expect(choice?.logprobs).toEqual(logprobs);
    expect(choice?.content.map(({ type }) => type)).toEqual(['reasoning', 'text']);
  });

  it('streamed, the same', () => {
    const parts = chat
      .createStreamDecoder?.(testCall())
      .push({ event: '', data: JSON.stringify({ candidates: [told] }) });
    expect(parts?.slice(1)).toEqual([
      { type: 'reasoning-delta', text: 'Hmm.', choice: 0 },
      { type: 'text-delta', text: 'Hé', choice: 0, logprobs },
    ]);
  });

  it('that are not valid replies', () => {
    expect(() => chat.decode(fixtureJson('gemini', 'reply-blocked.json'), testCall())).toThrow(
      expect.objectContaining({ error: blockedPrompt('SAFETY') }),
    );
    expect(() => chat.decode({}, testCall())).toThrow(
      expect.objectContaining({ code: 'empty_response' }),
    );
  });
});

describe('failures of Gemini', () => {
  const read = (status: number, name: string) =>
    gemini.readFailure({ status, headers: {}, text: '', body: fixtureJson('gemini', name) });

  it('an invalid key is recognised for any status', () => {
    expect(read(400, 'failure-key.json')).toMatchObject({
      status: 401,
      code: 'INVALID_ARGUMENT',
      accountFault: true,
    });
  });

  it('include the retry delay', () => {
    expect(read(429, 'failure-429.json')).toMatchObject({
      status: 429,
      code: 'RESOURCE_EXHAUSTED',
      retryAfter: 35,
    });
  });
});

describe('embeddings of Gemini', () => {
  const adapter = gemini.operations.embedding;

  it('go one by one or in a batch, and come back in order', () => {
    const request = (input: readonly string[]) =>
      adapter?.encode({ model: 'x', input, dimensions: 8, extra: {} }, testCall({ model: 'm' }));
    expect(request(['a'])).toMatchObject({
      url: 'https://upstream.test/v1beta/models/m:embedContent',
      body: { model: 'models/m', content: { parts: [{ text: 'a' }] }, outputDimensionality: 8 },
    });
    expect(request(['a', 'b'])).toMatchObject({
      url: 'https://upstream.test/v1beta/models/m:batchEmbedContents',
      body: {
        requests: [
          { content: { parts: [{ text: 'a' }] } },
          { content: { parts: [{ text: 'b' }] } },
        ],
      },
    });
    expect(
      adapter?.decode({ embeddings: [{ values: [1] }, { values: [2] }] }, testCall()).embeddings,
    ).toEqual([[1], [2]]);
    expect(adapter?.decode({ embedding: { values: [3] } }, testCall()).embeddings).toEqual([[3]]);
    expect(() => adapter?.encode({ model: 'x', input: [[1]], extra: {} }, testCall())).toThrow(
      expect.objectContaining({ code: 'unsupported_feature' }),
    );
  });
});

describe('images', () => {
  const adapter = gemini.operations.image;
  const draw = (request: object, model: string) =>
    adapter?.encode({ model, prompt: 'a cat', extra: {}, ...request }, testCall({ model }));

  it('of Imagen are predicted', () => {
    expect(
      draw({ count: 2, size: '1792x1024', quality: 'hd' }, 'imagen-3.0-generate-002'),
    ).toMatchObject({
      url: 'https://upstream.test/v1beta/models/imagen-3.0-generate-002:predict',
      body: {
        instances: [{ prompt: 'a cat' }],
        parameters: {
          sampleCount: 2,
          aspectRatio: '16:9',
          personGeneration: 'allow_adult',
          imageSize: '2K',
        },
      },
    });
  });

  it.each([
    [undefined, undefined],
    ['1024x1024', '1:1'],
    ['1024x1792', '9:16'],
    ['1536x1024', '3:2'],
    ['1024x1536', '2:3'],
    ['512x512', '1:1'],
    ['4:3', '4:3'],
  ])('of size %s have the ratio %s', (size, ratio) => {
    const { parameters } = (draw({ size }, 'imagen-4.0-generate-001')?.body ?? {}) as {
      parameters: JsonObject;
    };
    expect(parameters).toEqual({
      sampleCount: 1,
      personGeneration: 'allow_adult',
      ...(ratio && { aspectRatio: ratio }),
    });
  });

  it('of Imagen come without those that were filtered', () => {
    const call = testCall({ model: 'imagen-3.0-generate-002' });
    expect(adapter?.decode(fixtureJson('gemini', 'reply-imagen.json'), call)).toEqual({
      images: [
        { data: 'aGk=', mediaType: 'image/png' },
        { data: 'aG8=', mediaType: 'image/jpeg' },
      ],
      usage: { completionTokens: 516 },
    });
    const filtered = { predictions: [{ raiFilteredReason: 'why' }] };
    expect(() => adapter?.decode(filtered, call)).toThrow(
      expect.objectContaining({ code: 'prompt_blocked', params: { detail: 'why' } }),
    );
    expect(() => adapter?.decode({}, call)).toThrow(
      expect.objectContaining({ code: 'prompt_blocked' }),
    );
  });

  it('of chat models are requested by a chat', () => {
    expect(
      draw({ size: '1024x1536', quality: 'high' }, 'gemini-3-pro-image-preview'),
    ).toMatchObject({
      url: 'https://upstream.test/v1beta/models/gemini-3-pro-image-preview:generateContent',
      body: {
        contents: [{ role: 'user', parts: [{ text: 'a cat' }] }],
        generationConfig: {
          responseModalities: ['TEXT', 'IMAGE'],
          imageConfig: { aspectRatio: '2:3', imageSize: '2K' },
        },
      },
    });
    const call = testCall({ model: 'gemini-2.5-flash-image' });
    expect(adapter?.decode(fixtureJson('gemini', 'reply-picture.json'), call)).toEqual({
      images: [{ data: 'aGk=', mediaType: 'image/png' }],
      usage: { completionTokens: 1400 },
    });
    const refusal = {
      candidates: [{ content: { parts: [{ text: 'No.' }] }, finishReason: 'IMAGE_SAFETY' }],
    };
    expect(() => adapter?.decode(refusal, call)).toThrow(
      expect.objectContaining({ code: 'prompt_blocked' }),
    );
  });

  it('cannot be had of other models, nor several of a chat', () => {
    const refused = expect.objectContaining({ code: 'unsupported_feature' });
    expect(() => draw({}, 'gemini-2.5-flash')).toThrow(refused);
    expect(() => draw({ count: 2 }, 'gemini-2.5-flash-image')).toThrow(refused);
  });

  it('are counted where no usage comes with them', () => {
    expect(collect(stream('stream-picture.sse'))).toMatchObject({
      text: 'Here: ',
      usage: { completionTokens: 1400 },
      finishes: ['stop'],
    });
  });
});

describe('the message of a finish', () => {
  const candidate = (finishReason: string) => ({
    content: { role: 'model', parts: [{ text: 'Well, ' }] },
    finishReason,
    finishMessage: 'It is unsafe.',
  });

  it.each([
    ['SAFETY', [{ type: 'refusal', text: 'It is unsafe.' }]],
    ['STOP', []],
    ['MALFORMED_FUNCTION_CALL', []],
  ])('of %s becomes %j', (finishReason, refusal) => {
    const body = { candidates: [candidate(finishReason)] };
    const [choice] = chat?.decode(body, testCall(), undefined as never).choices ?? [];
    expect(choice?.content).toEqual([{ type: 'text', text: 'Well, ' }, ...refusal]);
    const decoder = chat?.createStreamDecoder?.(testCall());
    const parts = decoder
      ?.push({ event: '', data: JSON.stringify(body) })
      .filter(({ type }) => type === 'refusal-delta');
    expect(parts).toMatchObject(refusal.map(({ text }) => ({ type: 'refusal-delta', text })));
  });
});
