// Covers src/core/providers/gemini.
import { describe, expect, it } from 'vitest';
import type { Call, UpstreamRequest } from '../../../src/core/canonical/provider.ts';
import type { JsonObject, JsonValue } from '../../../src/core/kernel/json.ts';
import { gemini } from '../../../src/core/providers/gemini/index.ts';
import { toGeminiParameters, toGeminiSchema } from '../../../src/core/providers/gemini/schema.ts';
import { anthropicMessages } from '../../../src/core/relay/formats/anthropic-messages/index.ts';
import { geminiGenerate } from '../../../src/core/relay/formats/gemini-generate/index.ts';
import { openAiChat } from '../../../src/core/relay/formats/openai-chat/index.ts';
import { testCall, vendorOptions } from '../../contract/providers/support/call.ts';

const chat = gemini.operations.chat;
if (chat === undefined) throw new Error('Gemini chats');

const hello = [{ role: 'user', content: 'hi' }];

function send(
  body: object,
  model = 'gemini-2.5-flash',
  changes: Partial<Call> = {},
): UpstreamRequest {
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

describe('addresses of Gemini', () => {
  it('follow model, version and streaming', () => {
    expect(send({}).url).toBe(
      'https://upstream.test/v1beta/models/gemini-2.5-flash:generateContent',
    );
    expect(send({ stream: true }).url).toBe(
      'https://upstream.test/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
    );
    expect(send({}, 'gemini-1.0-pro').url).toBe(
      'https://upstream.test/v1/models/gemini-1.0-pro:generateContent',
    );
    expect(send({}, 'm', { baseUrl: 'https://x.test/v1alpha' }).url).toBe(
      'https://x.test/v1alpha/models/m:generateContent',
    );
    expect(send({}).headers['x-goog-api-key']).toBe('the-key');
  });

  const nativeAddress = (clientPath: string) =>
    chat.passThrough?.[0]?.target(
      { get: () => undefined, has: () => false },
      testCall({ model: 'mapped', clientPath }),
    );

  it('of native callers keep their query but not their key', () => {
    const target = nativeAddress(
      '/v1beta/models/asked:streamGenerateContent?alt=sse&key=sk-secret&own=1',
    );
    expect(target).toMatchObject({
      url: 'https://upstream.test/v1beta/models/mapped:streamGenerateContent?own=1&alt=sse',
      modelInUrl: true,
      edits: {},
    });
  });

  it('of native callers lose what would change the reply by which they are charged', () => {
    const changing = [
      'fields=candidates',
      'FIELDS=candidates',
      '%66ields=candidates',
      '$fields=candidates',
      '%24fields=candidates',
      'alt=proto',
      '$alt=media',
      'callback=f',
      '$httpHeaders=x-goog-fieldmask%3Acandidates',
      'access_token=theirs',
    ].join('&');
    const place = 'https://upstream.test/v1beta/models/mapped';
    expect(nativeAddress(`/v1beta/models/asked:generateContent?${changing}`)?.url).toBe(
      `${place}:generateContent`,
    );
    expect(
      nativeAddress(`/v1beta/models/asked:streamGenerateContent?alt=sse&${changing}`)?.url,
    ).toBe(`${place}:streamGenerateContent?alt=sse`);
  });
});

describe('contents', () => {
  const call = (id: string, name: string) => ({
    id,
    type: 'function',
    function: { name, arguments: '{"a":1}' },
  });
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
      {
        role: 'user',
        parts: [{ text: 'look' }, { inlineData: { mimeType: 'image/png', data: 'QQ==' } }],
      },
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

  it('carry signatures, real or placeholder, on the first call of Gemini 3', () => {
    const signed = { ...call('c1', 'f'), extra_content: { google: { thought_signature: 'real' } } };
    const signatures = (tool_calls: object[]) => {
      const body = encode(
        { messages: [...hello, { role: 'assistant', tool_calls }] },
        'gemini-3-pro-preview',
      );
      const [, turn] = body.contents as { parts: JsonObject[] }[];
      return turn?.parts.map((part) => part.thoughtSignature);
    };
    expect(signatures([signed, call('c2', 'g')])).toEqual(['real', undefined]);
    expect(signatures([call('c1', 'f'), call('c2', 'g')])).toEqual([
      'skip_thought_signature_validator',
      undefined,
    ]);
  });

  const drawn = '![image](data:image/png;base64,QQ==)';
  const turnOf = (content: string, model: string, extra: object = {}) => {
    const body = encode(
      { messages: [...hello, { role: 'assistant', content, ...extra }, ...hello] },
      model,
    );
    return (body.contents as { parts: JsonObject[] }[])[1]?.parts;
  };

  it('carry the signature of a text at its last part', () => {
    const extra = { extra_content: { google: { thought_signature: 'real' } } };
    expect(turnOf('Hello', 'gemini-2.5-pro', extra)).toEqual([
      { text: 'Hello', thoughtSignature: 'real' },
    ]);
    expect(turnOf('Hello', 'gemini-3-pro-preview')).toEqual([{ text: 'Hello' }]);
    expect(turnOf(`See ${drawn} there`, 'gemini-2.5-flash-image', extra)).toEqual([
      { text: 'See ' },
      { inlineData: { mimeType: 'image/png', data: 'QQ==' } },
      { text: ' there', thoughtSignature: 'real' },
    ]);
  });

  it('carry signatures, real or placeholder, on images of Gemini 3 and at the start of its replies', () => {
    const missing = 'skip_thought_signature_validator';
    expect(
      turnOf(`See ${drawn} there`, 'gemini-3-pro-image-preview')?.map(
        (part) => part.thoughtSignature,
      ),
    ).toEqual([missing, missing, undefined]);
    expect(
      turnOf(drawn, 'gemini-3-pro-image-preview')?.map((part) => part.thoughtSignature),
    ).toEqual([missing]);
  });

  it('have no system role for gemma, and keep Claude’s late system texts in place', () => {
    expect(encode({ messages: messages.slice(0, 1) }, 'gemma-3-27b').contents).toEqual([
      { role: 'user', parts: [{ text: 'S' }] },
    ]);
    const late = { model: 'm', messages: [...hello, { role: 'system', content: 'now' }] };
    const body = chat.encode(anthropicMessages.readRequest(late), testCall()).body as JsonObject;
    expect(body.contents).toEqual([{ role: 'user', parts: [{ text: 'hi' }, { text: 'now' }] }]);
  });

  it('reject media that cannot be sent', () => {
    const withImage = (url: string) => ({
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }],
    });
    expect(() => encode(withImage('https://x.test/a.png'))).toThrow(
      expect.objectContaining({ code: 'file_unreachable' }),
    );
    expect(() => encode(withImage('data:application/zip;base64,QQ=='))).toThrow(
      expect.objectContaining({ code: 'unsupported_feature' }),
    );
    expect(
      JSON.stringify(encode(withImage('https://www.youtube.com/watch?v=1')).contents),
    ).toContain('"fileUri"');
  });
});

it('caps the images of a message, not those that Google reads itself', () => {
  const images = (count: number, url = 'https://x.test/a.png') =>
    Array(count).fill({ type: 'image_url', image_url: { url } });
  const check = (content: unknown[], options = testCall().options) => {
    const request = openAiChat.readRequest({
      model: 'm',
      messages: [{ role: 'user', content }],
    } as JsonObject);
    chat.check?.(request, testCall({ options }));
  };
  expect(() => check(images(17))).toThrow(expect.objectContaining({ code: 'unsupported_feature' }));
  check(images(16));
  check([...images(16), ...images(9, 'https://youtu.be/x')]);
  check(images(17), { ...testCall().options, geminiMaxImages: -1 });
  expect(() => check(images(2), { ...testCall().options, geminiMaxImages: 1 })).toThrow(/1 images/);
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
      config({ reasoning_effort: 'low', extra_body: { google: { thinking_config } } })
        .thinkingConfig;
    expect(own({ thinking_budget: 7 })).toEqual({ includeThoughts: true, thinkingBudget: 7 });
    expect(own({ thinking_budget: 7, thinking_level: 'low' })).not.toHaveProperty('thinkingBudget');
    expect(() => own({ thinkingBudget: 7 })).toThrow(
      expect.objectContaining({ code: 'invalid_text_request' }),
    );
  });

  it('support the adapter’s suffixes where it is enabled', () => {
    const options = vendorOptions({ 'gemini.thinking_adapter_enabled': true });
    const think = (model: string, body: JsonObject = {}) => [
      send(body, model, { options }).url.split('/').at(-1),
      config(body, model, { options }).thinkingConfig,
    ];
    expect(think('gemini-2.5-flash-thinking-999999')).toEqual([
      'gemini-2.5-flash:generateContent',
      { includeThoughts: true, thinkingBudget: 24_576 },
    ]);
    expect(think('gemini-2.5-flash-thinking', { max_tokens: 1000 })[1]).toEqual({
      includeThoughts: true,
      thinkingBudget: 600,
    });
    expect(think('gemini-2.5-flash-nothinking')).toEqual([
      'gemini-2.5-flash:generateContent',
      { thinkingBudget: 0 },
    ]);
    expect(think('gemini-3-pro-preview-low')[1]).toEqual({
      includeThoughts: true,
      thinkingLevel: 'low',
    });
    expect(send({}, 'gemini-2.5-flash-thinking').url).toContain('gemini-2.5-flash-thinking:');
  });

  it('of Gemini’s own callers are kept, also those that no other format supports', () => {
    const generation_config = {
      speech_config: { voice: 'Puck' },
      mediaResolution: 'MEDIA_RESOLUTION_LOW',
      top_p: 0.5,
    };
    const body = {
      contents: [{ parts: [{ text: 'hi' }] }],
      generation_config,
      labels: { team: 'a' },
    };
    const request = geminiGenerate.readRequest(body, { model: 'gemini-2.5-flash', stream: true });
    expect(chat.encode(request, testCall({ model: 'gemini-2.5-flash' })).body).toMatchObject({
      generationConfig: {
        speech_config: { voice: 'Puck' },
        mediaResolution: 'MEDIA_RESOLUTION_LOW',
        topP: 0.5,
      },
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
    const options = vendorOptions({ 'gemini.safety_settings': geminiSafetySettings });
    expect(encode({}, 'gemini-1.5-pro', { options }).safetySettings).toEqual([
      { category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_LOW_AND_ABOVE' },
      { category: 'HARM_CATEGORY_HATE_SPEECH', threshold: 'BLOCK_NONE' },
      { category: 'HARM_CATEGORY_SEXUALLY_EXPLICIT', threshold: 'BLOCK_NONE' },
      { category: 'HARM_CATEGORY_DANGEROUS_CONTENT', threshold: 'BLOCK_NONE' },
      { category: 'HARM_CATEGORY_CIVIC_INTEGRITY', threshold: 'BLOCK_NONE' },
    ]);
  });
});

describe('JSON replies next to tools', () => {
  const tools = [{ type: 'function', function: { name: 'f' } }];
  const schema = { type: 'object', properties: { a: { type: 'string' } } };
  const body = {
    tools,
    response_format: { type: 'json_schema', json_schema: { name: 'n', schema } },
  };

  it('are requested in the instructions where a model rejects the combination', () => {
    const { generationConfig, systemInstruction } = encode({
      ...body,
      messages: [{ role: 'system', content: 'Be brief.' }, ...hello],
    });
    expect(generationConfig).toBeUndefined();
    expect(systemInstruction).toEqual({
      parts: [{ text: 'Be brief.' }, { text: expect.stringContaining(JSON.stringify(schema)) }],
    });
    expect(config({ ...body, tools: undefined })).toEqual({
      responseMimeType: 'application/json',
      responseJsonSchema: schema,
    });
  });

  it('are requested by schema from Gemini 3', () => {
    const sent = encode(body, 'gemini-3-flash');
    expect(sent.generationConfig).toEqual({
      responseMimeType: 'application/json',
      responseJsonSchema: schema,
    });
    expect(sent).not.toHaveProperty('systemInstruction');
  });
});

describe('tools', () => {
  const tool = (name: string, parameters?: JsonObject) => ({
    type: 'function',
    function: parameters === undefined ? { name } : { name, parameters },
  });

  it('are declared with plain JSON Schema, or with the older subset', () => {
    const parameters = {
      $schema: 'x',
      type: 'object',
      properties: { a: { const: 'v' } },
      additionalProperties: false,
    };
    const tools = [tool('f', parameters), tool('g')];
    const { $schema: _, ...plain } = parameters;
    expect(
      encode({ tools, tool_choice: { type: 'function', function: { name: 'f' } } }),
    ).toMatchObject({
      tools: [
        { functionDeclarations: [{ name: 'f', parametersJsonSchema: plain }, { name: 'g' }] },
      ],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f'] } },
    });
    expect(encode({ tools }, 'gemini-2.0-flash').tools).toEqual([
      {
        functionDeclarations: [
          { name: 'f', parameters: { type: 'object', properties: { a: { enum: ['v'] } } } },
          { name: 'g' },
        ],
      },
    ]);
  });

  it('named like Google’s own are Google’s own', () => {
    expect(encode({ tools: [tool('googleSearch')], tool_choice: 'auto' })).toMatchObject({
      tools: [{ googleSearch: {} }],
    });
    expect(encode({ tools: [tool('googleSearch'), tool('f')] }).tools).toEqual([
      { functionDeclarations: [{ name: 'f' }] },
    ]);
    // Google refuses both together without a caller who can send back what its tools did.
    expect(
      encode({ tools: [tool('googleSearch'), tool('f')] }, 'gemini-3-flash').tools,
    ).toHaveLength(1);
    expect(encode({ max_tokens: 128_000 }, 'gemini-3-flash').generationConfig).toMatchObject({
      maxOutputTokens: 65_536,
    });
    expect(encode({ max_tokens: 128_000 }, 'gemini-2.0-flash').generationConfig).toMatchObject({
      maxOutputTokens: 8192,
    });
  });
});

describe('schema down-conversion', () => {
  it('inlines references, cutting those that turn back on themselves', () => {
    const schema = {
      $ref: '#/$defs/Node',
      $defs: {
        Node: {
          type: 'object',
          properties: { next: { $ref: '#/$defs/Node' }, v: { type: 'string' } },
        },
      },
    };
    const text = JSON.stringify(toGeminiSchema(schema));
    expect(text).not.toContain('$');
    expect(text.length).toBeLessThan(5000);
  });

  it('stops at branching references and tolerates malformed ones', () => {
    const node = { $ref: '#/$defs/Node' };
    const both = (one: JsonObject) => ({
      type: 'object',
      properties: { a: one, b: one, c: { type: 'number' } },
    });
    const tree = toGeminiSchema({ ...both(node), $defs: { Node: both(node) } });
    expect(tree).toMatchObject({
      properties: { a: { properties: { b: { properties: { c: { type: 'number' } } } } } },
    });
    expect(tree).toMatchObject({ properties: { c: { type: 'number' } } });
    const merged = both({ allOf: [node] });
    expect(
      JSON.stringify(toGeminiSchema({ ...merged, $defs: { Node: merged } })).length,
    ).toBeLessThan(1_000_000);
    expect(toGeminiSchema({ type: 'object', properties: { x: { $ref: '#/$defs/%zz' } } })).toEqual({
      type: 'object',
      properties: { x: {} },
    });
  });

  it('keeps only what Gemini supports', () => {
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
        c: {
          type: 'object',
          properties: { x: { type: 'number' }, y: { type: 'boolean' } },
          required: ['x'],
        },
        d: { type: 'array', items: { type: 'string', format: 'date-time' } },
        e: { anyOf: [{ type: 'string' }, { type: 'number' }] },
        f: { type: 'integer' },
        additionalProperties: { type: 'string' },
      },
    });
    expect(toGeminiParameters({ type: 'object', properties: {} })).toBeUndefined();
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
