import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/core/kernel/json.ts';
import { gemini } from '../../../src/core/providers/gemini/index.ts';
import { PartialArguments } from '../../../src/core/providers/gemini/partial-arguments.ts';
import { toGeminiParameters, toGeminiSchema } from '../../../src/core/providers/gemini/schema.ts';
import type { Call, UpstreamRequest } from '../../../src/core/providers/provider.ts';
import { anthropicMessages } from '../../../src/core/relay/wire-formats/anthropic-messages.ts';
import { geminiGenerate } from '../../../src/core/relay/wire-formats/gemini-generate.ts';
import { openAiChat } from '../../../src/core/relay/wire-formats/openai-chat.ts';
import { testCall } from '../../contract/providers/support/call.ts';
import { collect, decodeChunks, fixtureBytes, fixtureJson } from '../../contract/providers/support/decode.ts';

const chat = gemini.operations.chat;
if (chat === undefined) throw new Error('Gemini chats');

const hello = [{ role: 'user', content: 'hi' }];

function send(body: object, model = 'gemini-2.5-flash', changes: Partial<Call> = {}): UpstreamRequest {
  const request = openAiChat.readRequest({ messages: hello, ...body, model } as JsonObject);
  if (chat === undefined) throw new Error('unreachable');
  return chat.encode(request, testCall({ model, ...changes }));
}

function encode(body: object, model?: string, changes?: Partial<Call>): Record<string, JsonValue> {
  return send(body, model, changes).body as Record<string, JsonValue>;
}

function config(body: object, model?: string, changes?: Partial<Call>): JsonObject {
  return (encode(body, model, changes).generationConfig ?? {}) as JsonObject;
}

function stream(name: string) {
  const decoder = chat?.createStreamDecoder?.(testCall());
  if (decoder === undefined) throw new Error('no decoder');
  return decodeChunks([fixtureBytes('gemini', name)], 'sse', decoder);
}

describe('addresses of Gemini', () => {
  it('follow model, version and streaming', () => {
    expect(send({}).url).toBe('https://upstream.test/v1beta/models/gemini-2.5-flash:generateContent');
    expect(send({ stream: true }).url).toBe('https://upstream.test/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse');
    expect(send({}, 'gemini-1.0-pro').url).toBe('https://upstream.test/v1/models/gemini-1.0-pro:generateContent');
    expect(send({}, 'm', { baseUrl: 'https://x.test/v1alpha' }).url).toBe('https://x.test/v1alpha/models/m:generateContent');
    expect(send({}).headers['x-goog-api-key']).toBe('the-key');
  });

  it('of native callers keep their query but not their key', () => {
    const target = chat.passThrough?.[0]?.target(
      { get: () => undefined, has: () => false },
      testCall({ model: 'mapped', clientPath: '/v1beta/models/asked:streamGenerateContent?alt=sse&key=sk-secret' }),
    );
    expect(target).toMatchObject({
      url: 'https://upstream.test/v1beta/models/mapped:streamGenerateContent?alt=sse',
      modelInUrl: true,
      edits: {},
    });
  });
});

describe('contents', () => {
  const call = (id: string, name: string) => ({ id, type: 'function', function: { name, arguments: '{"a":1}' } });
  const messages = [
    { role: 'system', content: 'S' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'look' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,QQ==' } },
      ],
    },
    {
      role: 'assistant',
      content: 'a ![x](data:image/png;base64,Qg==) z',
      tool_calls: [call('c1', 'f'), call('c2', 'g'), call('c3', 'h')],
    },
    { role: 'tool', tool_call_id: 'c2', content: '[1]' },
    { role: 'tool', tool_call_id: 'c1', content: '{"ok":true}' },
    { role: 'user', content: 'next' },
  ];

  it('pair calls and responses by position, in one content', () => {
    const body = encode({ messages });
    expect(body.systemInstruction).toEqual({ parts: [{ text: 'S' }] });
    expect(body.contents).toEqual([
      { role: 'user', parts: [{ text: 'look' }, { inlineData: { mimeType: 'image/png', data: 'QQ==' } }] },
      {
        role: 'model',
        parts: [
          { text: 'a ' },
          { inlineData: { mimeType: 'image/png', data: 'Qg==' } },
          { text: ' z' },
          { functionCall: { name: 'f', args: { a: 1 } } },
          { functionCall: { name: 'g', args: { a: 1 } } },
          { functionCall: { name: 'h', args: { a: 1 } } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'f', response: { ok: true } } },
          { functionResponse: { name: 'g', response: { result: [1] } } },
          { functionResponse: { name: 'h', response: { content: '' } } },
          { text: 'next' },
        ],
      },
    ]);
  });

  it('carry signatures, real or stand-in, on the first call of Gemini 3', () => {
    const signed = { ...call('c1', 'f'), extra_content: { google: { thought_signature: 'real' } } };
    const signatures = (tool_calls: object[]) => {
      const body = encode({ messages: [...hello, { role: 'assistant', tool_calls }] }, 'gemini-3-pro-preview');
      const [, turn] = body.contents as { parts: JsonObject[] }[];
      return turn?.parts.map((part) => part.thoughtSignature);
    };
    expect(signatures([signed, call('c2', 'g')])).toEqual(['real', undefined]);
    expect(signatures([call('c1', 'f'), call('c2', 'g')])).toEqual(['skip_thought_signature_validator', undefined]);
  });

  const drawn = '![image](data:image/png;base64,QQ==)';
  const turnOf = (content: string, model: string, extra: object = {}) => {
    const body = encode({ messages: [...hello, { role: 'assistant', content, ...extra }, ...hello] }, model);
    return (body.contents as { parts: JsonObject[] }[])[1]?.parts;
  };

  it('carry the signature of a text at its last part', () => {
    const extra = { extra_content: { google: { thought_signature: 'real' } } };
    expect(turnOf('Hello', 'gemini-2.5-pro', extra)).toEqual([{ text: 'Hello', thoughtSignature: 'real' }]);
    expect(turnOf('Hello', 'gemini-3-pro-preview')).toEqual([{ text: 'Hello' }]);
    expect(turnOf(`See ${drawn} there`, 'gemini-2.5-flash-image', extra)).toEqual([
      { text: 'See ' },
      { inlineData: { mimeType: 'image/png', data: 'QQ==' } },
      { text: ' there', thoughtSignature: 'real' },
    ]);
  });

  it('carry signatures, real or stand-in, at what Gemini 3 draws and where its answers begin', () => {
    const missing = 'skip_thought_signature_validator';
    expect(turnOf(`See ${drawn} there`, 'gemini-3-pro-image-preview')?.map((part) => part.thoughtSignature)).toEqual([
      missing,
      missing,
      undefined,
    ]);
    expect(turnOf(drawn, 'gemini-3-pro-image-preview')?.map((part) => part.thoughtSignature)).toEqual([missing]);
  });

  it('have no system role for gemma, and keep Claude’s late system texts in place', () => {
    expect(encode({ messages: messages.slice(0, 1) }, 'gemma-3-27b').contents).toEqual([
      { role: 'user', parts: [{ text: 'S' }] },
    ]);
    const late = { model: 'm', messages: [...hello, { role: 'system', content: 'now' }] };
    const body = chat.encode(anthropicMessages.readRequest(late), testCall()).body as JsonObject;
    expect(body.contents).toEqual([{ role: 'user', parts: [{ text: 'hi' }, { text: 'now' }] }]);
  });

  it('refuse media that cannot travel', () => {
    const withImage = (url: string) => ({ messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }] });
    expect(() => encode(withImage('https://x.test/a.png'))).toThrow(expect.objectContaining({ code: 'file_unreachable' }));
    expect(() => encode(withImage('data:application/zip;base64,QQ=='))).toThrow(
      expect.objectContaining({ code: 'unsupported_feature' }),
    );
    expect(JSON.stringify(encode(withImage('https://www.youtube.com/watch?v=1')).contents)).toContain('"fileUri"');
  });
});

it('caps the pictures of a message, not those that Google reads itself', () => {
  const pictures = (count: number, url = 'https://x.test/a.png') => Array(count).fill({ type: 'image_url', image_url: { url } });
  const check = (content: unknown[], options = testCall().options) => {
    const request = openAiChat.readRequest({ model: 'm', messages: [{ role: 'user', content }] } as JsonObject);
    chat.check?.(request, testCall({ options }));
  };
  expect(() => check(pictures(17))).toThrow(expect.objectContaining({ code: 'unsupported_feature' }));
  check(pictures(16));
  check([...pictures(16), ...pictures(9, 'https://youtu.be/x')]);
  check(pictures(17), { ...testCall().options, geminiMaxImages: -1 });
  expect(() => check(pictures(2), { ...testCall().options, geminiMaxImages: 1 })).toThrow(/1 images/);
});

describe('parameters', () => {
  it('go into generationConfig', () => {
    expect(
      config({
        max_tokens: 5,
        temperature: 0,
        top_p: 0.9,
        n: 1,
        seed: 4,
        stop: ['1', '2', '3', '4', '5', '6'],
        response_format: { type: 'json_object' },
        user: 'u',
        logit_bias: {},
      }),
    ).toEqual({
      maxOutputTokens: 5,
      temperature: 0,
      topP: 0.9,
      candidateCount: 1,
      seed: 4,
      stopSequences: ['1', '2', '3', '4', '5'],
      responseMimeType: 'application/json',
    });
  });

  it.each([
    ['gemini-2.5-flash', 'high', { includeThoughts: true, thinkingBudget: 19_660 }],
    ['gemini-2.5-flash', 'none', { thinkingBudget: 0 }],
    ['gemini-2.5-pro', 'minimal', { includeThoughts: true, thinkingBudget: 1638 }],
    ['gemini-2.5-pro', 'none', undefined],
    ['gemini-2.5-flash-lite', 'minimal', { includeThoughts: true, thinkingBudget: 1228 }],
    ['gemini-3-pro-preview', 'medium', { includeThoughts: true, thinkingLevel: 'high' }],
    ['gemini-3.5-flash', 'none', { thinkingLevel: 'minimal' }],
    ['gemini-2.0-flash', 'high', undefined],
  ])('%s thinks with effort %s', (model, reasoning_effort, expected) => {
    expect(config({ reasoning_effort }, model).thinkingConfig).toEqual(expected);
  });

  it('take the caller’s own thinking config first', () => {
    const own = (thinking_config: JsonObject) =>
      config({ reasoning_effort: 'low', extra_body: { google: { thinking_config } } }).thinkingConfig;
    expect(own({ thinking_budget: 7 })).toEqual({ includeThoughts: true, thinkingBudget: 7 });
    expect(own({ thinking_budget: 7, thinking_level: 'low' })).not.toHaveProperty('thinkingBudget');
    expect(() => own({ thinkingBudget: 7 })).toThrow(expect.objectContaining({ code: 'invalid_text_request' }));
  });

  it('know the adapter’s suffixes where it is on', () => {
    const options = { ...testCall().options, geminiThinkingAdapter: true };
    const think = (model: string, body: JsonObject = {}) => [
      send(body, model, { options }).url.split('/').at(-1),
      config(body, model, { options }).thinkingConfig,
    ];
    expect(think('gemini-2.5-flash-thinking-999999')).toEqual([
      'gemini-2.5-flash:generateContent',
      { includeThoughts: true, thinkingBudget: 24_576 },
    ]);
    expect(think('gemini-2.5-flash-thinking', { max_tokens: 1000 })[1]).toEqual({ includeThoughts: true, thinkingBudget: 600 });
    expect(think('gemini-2.5-flash-nothinking')).toEqual(['gemini-2.5-flash:generateContent', { thinkingBudget: 0 }]);
    expect(think('gemini-3-pro-preview-low')[1]).toEqual({ includeThoughts: true, thinkingLevel: 'low' });
    expect(send({}, 'gemini-2.5-flash-thinking').url).toContain('gemini-2.5-flash-thinking:');
  });

  it('of Gemini’s own callers are kept, also those that no other wire knows', () => {
    const generation_config = { speech_config: { voice: 'Puck' }, mediaResolution: 'MEDIA_RESOLUTION_LOW', top_p: 0.5 };
    const body = { contents: [{ parts: [{ text: 'hi' }] }], generation_config, labels: { team: 'a' } };
    const request = geminiGenerate.readRequest(body, { model: 'gemini-2.5-flash', stream: true });
    expect(chat.encode(request, testCall({ model: 'gemini-2.5-flash' })).body).toMatchObject({
      generationConfig: { speech_config: { voice: 'Puck' }, mediaResolution: 'MEDIA_RESOLUTION_LOW', topP: 0.5 },
      labels: { team: 'a' },
    });
  });

  it('set the safety thresholds of the option', () => {
    const safety = encode({}).safetySettings as JsonObject[];
    expect(safety).toHaveLength(4);
    expect(new Set(safety.map(({ threshold }) => threshold))).toEqual(new Set(['OFF']));
    const geminiSafetySettings = {
      default: 'OFF',
      HARM_CATEGORY_CIVIC_INTEGRITY: 'BLOCK_NONE',
      HARM_CATEGORY_HARASSMENT: 'BLOCK_LOW_AND_ABOVE',
    };
    const options = { ...testCall().options, geminiSafetySettings };
    expect(encode({}, 'gemini-1.5-pro', { options }).safetySettings).toEqual([
      { category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_LOW_AND_ABOVE' },
      { category: 'HARM_CATEGORY_HATE_SPEECH', threshold: 'BLOCK_NONE' },
      { category: 'HARM_CATEGORY_SEXUALLY_EXPLICIT', threshold: 'BLOCK_NONE' },
      { category: 'HARM_CATEGORY_DANGEROUS_CONTENT', threshold: 'BLOCK_NONE' },
      { category: 'HARM_CATEGORY_CIVIC_INTEGRITY', threshold: 'BLOCK_NONE' },
    ]);
  });
});

describe('answers in JSON beside tools', () => {
  const tools = [{ type: 'function', function: { name: 'f' } }];
  const schema = { type: 'object', properties: { a: { type: 'string' } } };
  const body = { tools, response_format: { type: 'json_schema', json_schema: { name: 'n', schema } } };

  it('are asked for in words where a model refuses both together', () => {
    const { generationConfig, systemInstruction } = encode({
      ...body,
      messages: [{ role: 'system', content: 'Be brief.' }, ...hello],
    });
    expect(generationConfig).toBeUndefined();
    expect(systemInstruction).toEqual({
      parts: [{ text: 'Be brief.' }, { text: expect.stringContaining(JSON.stringify(schema)) }],
    });
    expect(config({ ...body, tools: undefined })).toEqual({ responseMimeType: 'application/json', responseJsonSchema: schema });
  });

  it('are asked for as such of Gemini 3', () => {
    const sent = encode(body, 'gemini-3-flash');
    expect(sent.generationConfig).toEqual({ responseMimeType: 'application/json', responseJsonSchema: schema });
    expect(sent).not.toHaveProperty('systemInstruction');
  });
});

describe('tools', () => {
  const tool = (name: string, parameters?: JsonObject) => ({
    type: 'function',
    function: parameters === undefined ? { name } : { name, parameters },
  });

  it('are declared with plain JSON Schema, or with the older subset', () => {
    const parameters = { $schema: 'x', type: 'object', properties: { a: { const: 'v' } }, additionalProperties: false };
    const tools = [tool('f', parameters), tool('g')];
    const { $schema: _, ...plain } = parameters;
    expect(encode({ tools, tool_choice: { type: 'function', function: { name: 'f' } } })).toMatchObject({
      tools: [{ functionDeclarations: [{ name: 'f', parametersJsonSchema: plain }, { name: 'g' }] }],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f'] } },
    });
    expect(encode({ tools }, 'gemini-2.0-flash').tools).toEqual([
      {
        functionDeclarations: [{ name: 'f', parameters: { type: 'object', properties: { a: { enum: ['v'] } } } }, { name: 'g' }],
      },
    ]);
  });

  it('named like Google’s own are Google’s own', () => {
    expect(encode({ tools: [tool('googleSearch')], tool_choice: 'auto' })).toMatchObject({ tools: [{ googleSearch: {} }] });
    expect(encode({ tools: [tool('googleSearch'), tool('f')] }).tools).toEqual([{ functionDeclarations: [{ name: 'f' }] }]);
    // Google refuses both together without a caller who can send back what its tools did.
    expect(encode({ tools: [tool('googleSearch'), tool('f')] }, 'gemini-3-flash').tools).toHaveLength(1);
    expect(encode({ max_tokens: 128_000 }, 'gemini-3-flash').generationConfig).toMatchObject({ maxOutputTokens: 65_536 });
    expect(encode({ max_tokens: 128_000 }, 'gemini-2.0-flash').generationConfig).toMatchObject({ maxOutputTokens: 8192 });
  });
});

describe('schema down-conversion', () => {
  it('inlines references, cutting those that turn back on themselves', () => {
    const schema = {
      $ref: '#/$defs/Node',
      $defs: { Node: { type: 'object', properties: { next: { $ref: '#/$defs/Node' }, v: { type: 'string' } } } },
    };
    const text = JSON.stringify(toGeminiSchema(schema));
    expect(text).not.toContain('$');
    expect(text.length).toBeLessThan(5000);
  });

  it('ends where references branch, and stands those that are malformed', () => {
    const node = { $ref: '#/$defs/Node' };
    const both = (one: JsonObject) => ({ type: 'object', properties: { a: one, b: one, c: { type: 'number' } } });
    const tree = toGeminiSchema({ ...both(node), $defs: { Node: both(node) } });
    expect(tree).toMatchObject({ properties: { a: { properties: { b: { properties: { c: { type: 'number' } } } } } } });
    expect(tree).toMatchObject({ properties: { c: { type: 'number' } } });
    const merged = both({ allOf: [node] });
    expect(JSON.stringify(toGeminiSchema({ ...merged, $defs: { Node: merged } })).length).toBeLessThan(1_000_000);
    expect(toGeminiSchema({ type: 'object', properties: { x: { $ref: '#/$defs/%zz' } } })).toEqual({
      type: 'object',
      properties: { x: {} },
    });
  });

  it('keeps only what Gemini knows', () => {
    expect(
      toGeminiSchema({
        type: 'object',
        additionalProperties: false,
        required: ['a', 'ghost'],
        properties: {
          a: { type: ['string', 'null'], format: 'uri', exclusiveMinimum: 1 },
          b: { oneOf: [{ type: 'string' }, { type: 'null' }] },
          c: {
            allOf: [
              { properties: { x: { type: 'number' } }, required: ['x'] },
              { type: 'object', properties: { y: { type: 'boolean' } } },
            ],
          },
          d: { type: 'array', items: [{ type: 'string', format: 'date-time' }] },
          e: { type: ['string', 'number'] },
          f: { type: 'integer', enum: [1, 2] },
          additionalProperties: { type: 'string' },
        },
      }),
    ).toEqual({
      type: 'object',
      required: ['a'],
      properties: {
        a: { type: 'string', nullable: true },
        b: { anyOf: [{ type: 'string' }], nullable: true },
        c: { type: 'object', properties: { x: { type: 'number' }, y: { type: 'boolean' } }, required: ['x'] },
        d: { type: 'array', items: { type: 'string', format: 'date-time' } },
        e: { anyOf: [{ type: 'string' }, { type: 'number' }] },
        f: { type: 'integer' },
        additionalProperties: { type: 'string' },
      },
    });
    expect(toGeminiParameters({ type: 'object', properties: {} })).toBeUndefined();
  });
});

describe('streams of Gemini', () => {
  it('text, keeping lone newlines', () => {
    expect(collect(stream('stream-text.sse'))).toMatchObject({
      id: 'mAitaLmkHPPlz7IPvtfUqQ4',
      text: 'Sure, 好的\n\n',
      usage: { promptTokens: 8, completionTokens: 25, reasoningTokens: 20, cachedTokens: 3, promptImageTokens: 2 },
      finishes: ['stop'],
    });
  });

  it('a thought and a call in the first chunk; STOP alone at the end', () => {
    const parts = stream('stream-tools.sse');
    expect(collect(parts)).toMatchObject({
      reasoning: 'Think',
      text: '',
      calls: [
        { id: 'call_mAitaLmkHPPlz7IPvtfUqQ4_0', name: 'get_weather', arguments: '{"city":"Paris"}' },
        { id: 'call_mAitaLmkHPPlz7IPvtfUqQ4_1', name: 'get_time', arguments: '{}' },
      ],
      finishes: ['tool-calls'],
    });
    expect(parts.find(({ type }) => type === 'tool-call-delta')).toMatchObject({ signature: 'CiQB' });
  });

  it('arguments piece by piece', () => {
    expect(collect(stream('stream-partial-args.sse')).calls).toEqual([
      { id: 'call_mAitaLmkHPPlz7IPvtfUqQ4_0', name: 'book', arguments: '{"city":"Paris","days":[{"n":2}]}' },
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
    expect([collect(parts, 0).finishes, collect(parts, 1).finishes]).toEqual([['length'], ['stop']]);
  });

  it.each([
    ['stream-blocked.sse', { status: 400, code: 'prompt_blocked', message: 'PROHIBITED_CONTENT' }],
    ['stream-error-array.sse', { status: 503, code: 'UNAVAILABLE', message: 'The model is overloaded.' }],
    ['stream-error.sse', { status: 500, code: 'INTERNAL', message: 'Internal' }],
    ['stream-malformed-call.sse', { status: 502, code: 'MALFORMED_FUNCTION_CALL', message: 'Malformed function call: print(x)' }],
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
        { type: 'tool-call', id: 'call_r-1_0', name: 'get_weather', arguments: '{"city":"Paris"}', signature: 'CiQB' },
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

  it('with log probabilities, and no pictures that were only thought of', () => {
    const [choice] = chat.decode({ candidates: [told] }, testCall()).choices;
    expect(choice?.logprobs).toEqual(logprobs);
    expect(choice?.content.map(({ type }) => type)).toEqual(['reasoning', 'text']);
  });

  it('streamed, the same', () => {
    const parts = chat.createStreamDecoder?.(testCall()).push({ event: '', data: JSON.stringify({ candidates: [told] }) });
    expect(parts?.slice(1)).toEqual([
      { type: 'reasoning-delta', text: 'Hmm.', choice: 0 },
      { type: 'text-delta', text: 'Hé', choice: 0, logprobs },
    ]);
  });

  it('that are none', () => {
    expect(() => chat.decode(fixtureJson('gemini', 'reply-blocked.json'), testCall())).toThrow(
      expect.objectContaining({ code: 'prompt_blocked' }),
    );
    expect(() => chat.decode({}, testCall())).toThrow(expect.objectContaining({ code: 'empty_response' }));
  });
});

describe('failures of Gemini', () => {
  const read = (status: number, name: string) =>
    gemini.readFailure({ status, headers: {}, text: '', body: fixtureJson('gemini', name) });

  it('a bad key is one, whatever the status says', () => {
    expect(read(400, 'failure-key.json')).toMatchObject({ status: 401, code: 'INVALID_ARGUMENT', accountFault: true });
  });

  it('tell how long to wait', () => {
    expect(read(429, 'failure-429.json')).toMatchObject({ status: 429, code: 'RESOURCE_EXHAUSTED', retryAfter: 35 });
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
      body: { requests: [{ content: { parts: [{ text: 'a' }] } }, { content: { parts: [{ text: 'b' }] } }] },
    });
    expect(adapter?.decode({ embeddings: [{ values: [1] }, { values: [2] }] }, testCall()).embeddings).toEqual([[1], [2]]);
    expect(adapter?.decode({ embedding: { values: [3] } }, testCall()).embeddings).toEqual([[3]]);
    expect(() => adapter?.encode({ model: 'x', input: [[1]], extra: {} }, testCall())).toThrow(
      expect.objectContaining({ code: 'unsupported_feature' }),
    );
  });
});

describe('pictures', () => {
  const adapter = gemini.operations.image;
  const draw = (request: object, model: string) =>
    adapter?.encode({ model, prompt: 'a cat', extra: {}, ...request }, testCall({ model }));

  it('of Imagen are predicted', () => {
    expect(draw({ count: 2, size: '1792x1024', quality: 'hd' }, 'imagen-3.0-generate-002')).toMatchObject({
      url: 'https://upstream.test/v1beta/models/imagen-3.0-generate-002:predict',
      body: {
        instances: [{ prompt: 'a cat' }],
        parameters: { sampleCount: 2, aspectRatio: '16:9', personGeneration: 'allow_adult', imageSize: '2K' },
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
    const { parameters } = (draw({ size }, 'imagen-4.0-generate-001')?.body ?? {}) as { parameters: JsonObject };
    expect(parameters).toEqual({ sampleCount: 1, personGeneration: 'allow_adult', ...(ratio && { aspectRatio: ratio }) });
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
    expect(() => adapter?.decode({}, call)).toThrow(expect.objectContaining({ code: 'prompt_blocked' }));
  });

  it('of chat models are asked for in a chat', () => {
    expect(draw({ size: '1024x1536', quality: 'high' }, 'gemini-3-pro-image-preview')).toMatchObject({
      url: 'https://upstream.test/v1beta/models/gemini-3-pro-image-preview:generateContent',
      body: {
        contents: [{ role: 'user', parts: [{ text: 'a cat' }] }],
        generationConfig: { responseModalities: ['TEXT', 'IMAGE'], imageConfig: { aspectRatio: '2:3', imageSize: '2K' } },
      },
    });
    const call = testCall({ model: 'gemini-2.5-flash-image' });
    expect(adapter?.decode(fixtureJson('gemini', 'reply-picture.json'), call)).toEqual({
      images: [{ data: 'aGk=', mediaType: 'image/png' }],
      usage: { completionTokens: 1400 },
    });
    const refusal = { candidates: [{ content: { parts: [{ text: 'No.' }] }, finishReason: 'IMAGE_SAFETY' }] };
    expect(() => adapter?.decode(refusal, call)).toThrow(expect.objectContaining({ code: 'prompt_blocked' }));
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

it('reads addresses of Google itself', () => {
  const urls = [
    'gs://bucket/a.png',
    'https://youtu.be/x',
    'https://generativelanguage.googleapis.com/v1beta/files/a',
    'https://x.test/a',
  ];
  expect(urls.map((url) => chat.readsAddress?.(url))).toEqual([true, true, true, false]);
});
