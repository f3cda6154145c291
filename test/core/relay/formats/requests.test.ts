// Covers src/core/relay/formats/anthropic-messages, src/core/relay/formats/families,
// src/core/relay/formats/openai-completions.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/core/kernel/json.ts';
import { anthropicMessages } from '../../../../src/core/relay/formats/anthropic-messages/index.ts';
import { anthropicFamily } from '../../../../src/core/relay/formats/families/anthropic.ts';
import { geminiFamily } from '../../../../src/core/relay/formats/families/gemini.ts';
import { openAiFamily } from '../../../../src/core/relay/formats/families/openai.ts';
import { geminiGenerate } from '../../../../src/core/relay/formats/gemini-generate/index.ts';
import { openAiChat } from '../../../../src/core/relay/formats/openai-chat/index.ts';
import { openAiCompletions } from '../../../../src/core/relay/formats/openai-completions/index.ts';
import {
  readEmbeddingRequest,
  writeEmbeddingReply,
} from '../../../../src/core/relay/formats/openai-embeddings/index.ts';

const user = { role: 'user', content: 'hi' };
const chat = (body: object) => openAiChat.readRequest(body as JsonObject);
const messages = (body: object) => anthropicMessages.readRequest(body as JsonObject);

describe('wrong bodies are refused by name', () => {
  it.each([
    [{ messages: [user] }, 'model_required', undefined],
    [{ model: ' ', messages: [user] }, 'model_required', undefined],
    [{ model: 'm' }, 'invalid_text_request', 'field messages is required'],
    [{ model: 'm', messages: [] }, 'invalid_text_request', 'field messages is required'],
    [{ model: 'm', messages: 'hi' }, 'invalid_text_request', 'messages must be a list'],
    [{ model: 'm', messages: ['hi'] }, 'invalid_text_request', 'messages[0] must be an object'],
    [
      { model: 'm', messages: [{ role: 'robot' }] },
      'invalid_text_request',
      'messages[0].role robot is not known',
    ],
    [
      { model: 'm', messages: [user], temperature: '1' },
      'invalid_text_request',
      'temperature must be a number',
    ],
    [
      { model: 'm', messages: [user], max_tokens: 2 ** 30 },
      'invalid_text_request',
      'max_tokens is invalid',
    ],
    [
      { model: 'm', messages: [user], stream: 'yes' },
      'invalid_text_request',
      'stream must be true or false',
    ],
    [
      { model: 'm', messages: [{ role: 'tool', content: 'x' }] },
      'invalid_text_request',
      'messages[0].tool_call_id is required',
    ],
    [
      { model: 'm', messages: [{ role: 'user', content: [{ type: 'video' }] }] },
      'invalid_text_request',
      'messages[0].content[0].type video is not known',
    ],
  ])('chat: %j', (body, code, detail) => {
    expect(() => chat(body)).toThrow(
      expect.objectContaining({ code, params: detail === undefined ? {} : { detail } }),
    );
  });

  it.each([
    [{ messages: [user] }, 'model_required'],
    [{ model: 'm' }, 'invalid_claude_request'],
    [
      { model: 'm', messages: [{ role: 'user', content: [{ type: 'image' }] }] },
      'invalid_claude_request',
    ],
    [{ model: 'm', messages: [user], tool_choice: { type: 'odd' } }, 'invalid_claude_request'],
  ])('messages: %j', (body, code) =>
    expect(() => messages(body)).toThrow(expect.objectContaining({ code })),
  );

  it('completions and embeddings', () => {
    const completion = (body: JsonObject) => () =>
      openAiCompletions.readRequest({ model: 'm', ...body });
    expect(completion({})).toThrow(
      expect.objectContaining({
        code: 'invalid_text_request',
        params: { detail: 'field prompt is required' },
      }),
    );
    expect(completion({ prompt: 'x', echo: true })).toThrow(
      expect.objectContaining({ code: 'unsupported_feature' }),
    );
    expect(completion({ prompt: ['a', 'b'] })).toThrow(
      expect.objectContaining({ code: 'unsupported_feature' }),
    );
    const embedding = (input: unknown) => () =>
      readEmbeddingRequest({ model: 'm', input } as JsonObject);
    for (const input of [undefined, '', [], [[]], [{}]])
      expect(embedding(input)).toThrow(
        expect.objectContaining({ code: 'invalid_embedding_request' }),
      );
  });
});

describe('chat requests', () => {
  it('distinguish zero from absent and keep unknown fields', () => {
    const request = chat({
      model: 'm',
      messages: [user],
      temperature: 0,
      max_tokens: 0,
      top_p: null,
      store: false,
      x: [1],
    });
    expect(request).toMatchObject({
      temperature: 0,
      maxOutputTokens: 0,
      topP: undefined,
      extra: { store: false, x: [1] },
    });
  });

  it('read legacy functions', () => {
    const legacy = chat({
      model: 'm',
      functions: [{ name: 'f', parameters: {} }],
      function_call: { name: 'f' },
      messages: [
        user,
        { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
        { role: 'function', name: 'f', content: 'r' },
      ],
    });
    expect(legacy).toMatchObject({
      tools: [{ type: 'function', name: 'f' }],
      toolChoice: { type: 'tool', name: 'f' },
    });
    expect(legacy.messages.slice(1)).toMatchObject([
      { role: 'assistant', content: [{ type: 'tool-call', id: 'call_f' }] },
      { role: 'tool', callId: 'call_f' },
    ]);
  });

  it('read images as data, address or bare base64', () => {
    const image = (image_url: unknown) =>
      chat({
        model: 'm',
        messages: [{ role: 'user', content: [{ type: 'image_url', image_url }] }],
      }).messages[0]?.content[0];
    expect(image({ url: 'data:image/jpg;base64,QQ==' })).toMatchObject({
      data: 'QQ==',
      mediaType: 'image/jpeg',
    });
    expect(image('https://x.test/a.png')).toMatchObject({ url: 'https://x.test/a.png' });
    expect(image({ url: '/9j/4AAQ' })).toMatchObject({ data: '/9j/4AAQ', mediaType: 'image/jpeg' });
    expect(() => image({ url: 'nonsense' })).toThrow(
      expect.objectContaining({ code: 'invalid_text_request' }),
    );
  });
});

describe('messages requests', () => {
  it('drop what only Anthropic understands', () => {
    const request = messages({
      model: 'm',
      max_tokens: 5,
      messages: [user],
      context_management: {},
      tools: [
        { name: 'DeferredToolPlaceholder', defer_loading: true, input_schema: {} },
        { name: 'ToolSearch', input_schema: {} },
        { type: 'web_search_20250305', name: 'web_search' },
        { type: 'bash_20250124', name: 'bash' },
      ],
      thinking: { type: 'adaptive' },
      output_config: { effort: 'max', format: { type: 'json_schema', schema: { type: 'object' } } },
      metadata: { user_id: 'u' },
    });
    expect(
      request.tools?.map((tool) => (tool.type === 'function' ? tool.name : tool.type)),
    ).toEqual(['ToolSearch', 'web-search', 'foreign']);
    expect(request).toMatchObject({
      reasoning: { adaptive: true, effort: 'max' },
      responseFormat: { type: 'json-schema', name: 'output', strict: true },
      user: 'u',
      extra: { context_management: {} },
    });
  });

  it('put results before other content', () => {
    const content = [
      { type: 'text', text: 'see' },
      { type: 'tool_result', tool_use_id: 't', content: 'r' },
    ];
    expect(messages({ model: 'm', messages: [{ role: 'user', content }] }).messages).toMatchObject([
      { role: 'tool', callId: 't', content: [{ type: 'text', text: 'r' }] },
      { role: 'user', content: [{ type: 'text', text: 'see' }] },
    ]);
  });
});

describe('embedding replies', () => {
  const context = { model: 'asked' };

  it('use the requested encoding', () => {
    const request = (encoding_format?: string) =>
      readEmbeddingRequest({ model: 'm', input: 'x', ...(encoding_format && { encoding_format }) });
    const vector = (embeddings: readonly (readonly number[] | string)[], format?: string) =>
      (
        writeEmbeddingReply(
          { embeddings, usage: { promptTokens: 2 } },
          request(format),
          context.model,
        ).data as JsonObject[]
      )[0]?.embedding;
    expect(vector([[1, -0.5]], 'base64')).toBe('AACAPwAAAL8=');
    expect(vector(['AACAPwAAAL8='])).toEqual([1, -0.5]);
    expect(vector([[1, -0.5]], 'float')).toEqual([1, -0.5]);
    expect(vector(['AACAPwAAAL8='], 'base64')).toBe('AACAPwAAAL8=');
  });
});

describe('error bodies', () => {
  it('of OpenAI always have four fields', () => {
    expect(openAiFamily.errorBody({ status: 418, message: 'm' })).toEqual({
      error: {
        message: 'm',
        type: 'upstream_error',
        param: '418',
        code: 'bad_response_status_code',
      },
    });
    expect(
      openAiFamily.errorBody({ status: 403, message: 'm', type: 'new_api_error', code: 'c' }),
    ).toEqual({
      error: { message: 'm', type: 'new_api_error', param: '', code: 'c' },
    });
  });

  it.each([
    [400, 'invalid_request_error', 'INVALID_ARGUMENT'],
    [401, 'authentication_error', 'UNAUTHENTICATED'],
    [402, 'billing_error', 'FAILED_PRECONDITION'],
    [403, 'permission_error', 'PERMISSION_DENIED'],
    [404, 'not_found_error', 'NOT_FOUND'],
    [413, 'request_too_large', 'INVALID_ARGUMENT'],
    [429, 'rate_limit_error', 'RESOURCE_EXHAUSTED'],
    [500, 'api_error', 'INTERNAL'],
    [502, 'api_error', 'INTERNAL'],
    [503, 'api_error', 'UNAVAILABLE'],
    [504, 'timeout_error', 'DEADLINE_EXCEEDED'],
    [529, 'overloaded_error', 'UNAVAILABLE'],
  ])('%d is %s and %s', (status, anthropic, gemini) => {
    const error = { status, message: 'm', type: 'new_api_error', code: 'c' };
    expect(anthropicFamily.errorBody(error)).toEqual({
      type: 'error',
      error: { type: anthropic, message: 'm' },
    });
    expect(geminiFamily.errorBody(error)).toEqual({
      error: { code: status, message: 'm', status: gemini },
    });
  });

  it('of Gemini include the retry delay', () => {
    const retryInfo = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '7s' };
    expect(geminiFamily.errorBody({ status: 429, message: 'm', retryAfter: 7 })).toEqual({
      error: { code: 429, message: 'm', status: 'RESOURCE_EXHAUSTED', details: [retryInfo] },
    });
    expect(geminiFamily.errorBody({ status: 503, message: 'm', retryAfter: 7 })).not.toHaveProperty(
      'error.details',
    );
  });

  it('keep the message of an upstream of the same format', () => {
    expect(
      anthropicFamily.errorBody({ status: 503, message: 'm', type: 'overloaded_error' }),
    ).toMatchObject({
      error: { type: 'overloaded_error' },
    });
    const openAi = { message: 'm', type: 'invalid_request_error', code: 'invalid_api_key' };
    expect(anthropicFamily.errorBody({ ...openAi, status: 401 })).toMatchObject({
      error: { type: 'authentication_error' },
    });
    expect(anthropicFamily.errorBody({ ...openAi, status: 422 })).toMatchObject({
      error: { type: 'invalid_request_error' },
    });
    expect(
      geminiFamily.errorBody({ status: 400, message: 'm', code: 'FAILED_PRECONDITION' }),
    ).toMatchObject({
      error: { status: 'FAILED_PRECONDITION' },
    });
  });
});

describe('generateContent requests', () => {
  const address = { model: 'm', stream: true };
  const generate = (body: object) => geminiGenerate.readRequest(body as JsonObject, address);

  it('have no signature where they contain the placeholder', () => {
    const call = (thoughtSignature: string) => ({ functionCall: { name: 'f' }, thoughtSignature });
    const signatures = [
      'own',
      'skip_thought_signature_validator',
      'context_engineering_is_the_way_to_go',
    ];
    const { messages } = generate({ contents: [{ role: 'model', parts: signatures.map(call) }] });
    const read = messages[0]?.role === 'assistant' ? messages[0].content : [];
    expect(read.map((part) => part.type === 'tool-call' && part.signature)).toEqual([
      'own',
      undefined,
      undefined,
    ]);
  });

  it('pair responses with calls by id, by name, by age', () => {
    const calls = [
      { functionCall: { name: 'f', args: { a: 1 } }, thoughtSignature: 's' },
      { functionCall: { name: 'f' } },
      { functionCall: { id: 'g1', name: 'g' } },
    ];
    const responses = [
      { functionResponse: { name: 'g', id: 'g1', response: { output: 'G' } } },
      { functionResponse: { name: 'f', response: { output: 'F' } } },
      { functionResponse: { name: 'other', response: { output: 'O' } } },
    ];
    const request = generate({
      contents: [
        { parts: [{ text: 'hi' }] },
        { role: 'model', parts: [{ text: 't', thought: true }, ...calls] },
        { role: 'user', parts: responses },
      ],
    });
    expect(request.messages).toMatchObject([
      { role: 'user', content: [{ type: 'text', text: 'hi' }] },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 't' },
          { id: 'call_1_0', arguments: '{"a":1}', signature: 's' },
          { id: 'call_1_1', arguments: '{}' },
          { id: 'g1' },
        ],
      },
      { role: 'tool', callId: 'g1', content: [{ text: '{"output":"G"}' }] },
      { role: 'tool', callId: 'call_1_0' },
      { role: 'tool', callId: 'call_1_1' },
    ]);
  });

  it('are read in both spellings, with schemas as JSON Schema', () => {
    const request = generate({
      system_instruction: { parts: [{ text: 'a' }, { text: 'b' }] },
      contents: [
        {
          role: 'user',
          parts: [
            { inline_data: { mime_type: 'image/jpg', data: 'QQ==' } },
            { inlineData: { mimeType: 'application/pdf', data: 'JVBERi0=' } },
          ],
        },
      ],
      tools: [
        {
          function_declarations: [
            {
              name: 'f',
              parameters: {
                type: 'OBJECT',
                properties: { type: { type: 'STRING', nullable: true } },
              },
            },
          ],
        },
        { googleSearch: {} },
      ],
      tool_config: { function_calling_config: { mode: 'ANY', allowed_function_names: ['f'] } },
      generation_config: {
        max_output_tokens: 7,
        topP: 0.5,
        thinking_config: { thinking_level: 'HIGH', include_thoughts: true },
        response_schema: { type: 'ARRAY', items: { type: 'STRING' } },
      },
      safetySettings: [],
    });
    expect(request).toMatchObject({
      model: 'm',
      stream: true,
      messages: [
        { role: 'system', content: [{ text: 'a\nb' }] },
        {
          role: 'user',
          content: [
            { type: 'image', mediaType: 'image/jpeg' },
            { type: 'file', mediaType: 'application/pdf' },
          ],
        },
      ],
      tools: [
        {
          type: 'function',
          name: 'f',
          parameters: { type: 'object', properties: { type: { type: ['string', 'null'] } } },
        },
        { type: 'web-search' },
      ],
      toolChoice: { type: 'tool', name: 'f' },
      maxOutputTokens: 7,
      topP: 0.5,
      reasoning: { effort: 'high', include: true },
      responseFormat: { type: 'json-schema', schema: { type: 'array', items: { type: 'string' } } },
      extra: { safetySettings: [] },
    });
  });

  it('without contents are refused', () => {
    expect(() => generate({})).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        params: { detail: 'field contents is required' },
      }),
    );
  });
});
