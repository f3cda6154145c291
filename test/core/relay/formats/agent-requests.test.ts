/**
 * What agents' command lines write into their conversations (docs/rules/formats.md#canonical-form).
 */
import { describe, expect, it } from 'vitest';
import type { AssistantPart } from '../../../../src/core/canonical/chat.ts';
import { foreignSignature } from '../../../../src/core/canonical/kit/foreign-signature.ts';
import type { JsonObject } from '../../../../src/core/kernel/json.ts';
import { anthropicMessages } from '../../../../src/core/relay/formats/anthropic-messages/index.ts';
import { geminiGenerate } from '../../../../src/core/relay/formats/gemini-generate/index.ts';

const messages = (...list: object[]) =>
  anthropicMessages.readRequest({ model: 'm', max_tokens: 9, messages: list } as JsonObject)
    .messages;
const generate = (body: object) =>
  geminiGenerate.readRequest(body as JsonObject, { model: 'm', stream: false });

const user = { role: 'user', content: 'hi' };
const calling = {
  role: 'assistant',
  content: [{ type: 'tool_use', id: 't', name: 'f', input: {} }],
};
const answering = (content: unknown) => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: 't', content }],
});

describe('Claude Code', () => {
  const note = {
    role: 'system',
    content: [{ type: 'text', text: 'note', cache_control: { type: 'ephemeral' } }],
  };
  const roles = (...list: object[]) => messages(...list).map(({ role }) => role);

  it('keeps system messages between the turns in place', () => {
    expect(messages(user, note, { role: 'system', content: 'plain' })).toMatchObject([
      { role: 'user' },
      { role: 'system', content: [{ text: 'note', cacheControl: { type: 'ephemeral' } }] },
      { role: 'system', content: [{ text: 'plain' }] },
    ]);
  });

  it('never has a message between a call and its result', () => {
    expect(roles(user, calling, note, answering('r'), user)).toEqual([
      'user',
      'assistant',
      'tool',
      'system',
      'user',
    ]);
    expect(roles(user, calling, note, note)).toEqual(['user', 'assistant', 'system', 'system']);
    expect(roles(user, calling, note, user)).toEqual(['user', 'assistant', 'system', 'user']);
  });

  it('reads in results which tools a search found', () => {
    const found = [{ type: 'tool_reference', tool_name: 'WebFetch' }];
    expect(messages(user, calling, answering(found))[2]).toMatchObject({
      content: [{ type: 'text', text: 'WebFetch' }],
    });
  });

  it('forces the search only where tool choice can be forced', () => {
    const search = { type: 'web_search_20250305', name: 'web_search', max_uses: 8 };
    const own = { name: 'own', input_schema: {} };
    const chosen = (name: string, ...tools: object[]) =>
      anthropicMessages.readRequest({
        model: 'm',
        messages: [user],
        tools,
        tool_choice: { type: 'tool', name },
      } as JsonObject).toolChoice;
    expect(chosen('web_search', search)).toEqual({ type: 'required' });
    expect(chosen('web_search', search, own)).toEqual({ type: 'auto' });
    expect(chosen('own', search, own)).toEqual({ type: 'tool', name: 'own' });
    expect(chosen('own', own)).toEqual({ type: 'tool', name: 'own' });
  });

  it('gets no thinking without text and signature', () => {
    const reply = (...content: AssistantPart[]) =>
      anthropicMessages.writeReply(
        { choices: [{ index: 0, content, finish: 'stop', rawFinish: 'stop' }] },
        { id: 'x', model: 'm', created: 1 },
      );
    const hidden = { type: 'reasoning', text: '', signature: 's' } as const;
    expect(reply({ type: 'reasoning', text: '' })).toMatchObject({ content: [] });
    expect(reply({ ...hidden, origin: 'anthropic-messages' })).toMatchObject({
      content: [{ type: 'thinking', thinking: '', signature: 's' }],
    });
    expect(reply({ ...hidden, text: 'hm', origin: 'openai-responses' })).toMatchObject({
      content: [{ thinking: 'hm', signature: `${foreignSignature}:openai-responses:signature::s` }],
    });
    expect(reply({ type: 'reasoning', text: 'hm' })).toMatchObject({
      content: [{ type: 'thinking', thinking: 'hm', signature: foreignSignature }],
    });
  });
});

describe('Gemini CLI', () => {
  it('puts images into results', () => {
    const functionResponse = {
      name: 'f',
      response: { output: 'see' },
      parts: [{ inlineData: { mimeType: 'image/png', data: 'QQ==' } }],
    };
    const { messages } = generate({
      contents: [
        { role: 'model', parts: [{ functionCall: { name: 'f' } }] },
        { role: 'user', parts: [{ functionResponse }] },
      ],
    });
    expect(messages[1]).toMatchObject({
      role: 'tool',
      content: [
        { type: 'text', text: '{"output":"see"}' },
        { type: 'image', data: 'QQ==', mediaType: 'image/png' },
      ],
    });
  });
});

it("Google's examples write one object where there is one", () => {
  const request = generate({
    system_instruction: { parts: { text: 'You are a cat.' } },
    contents: { parts: { text: 'Hello' } },
    tools: { function_declarations: { name: 'f' } },
  });
  expect(request).toMatchObject({
    messages: [
      { role: 'system', content: [{ text: 'You are a cat.' }] },
      { role: 'user', content: [{ text: 'Hello' }] },
    ],
    tools: [{ type: 'function', name: 'f' }],
  });
  expect(generate({ contents: 'Hello' }).messages).toMatchObject([
    { role: 'user', content: [{ text: 'Hello' }] },
  ]);
});

describe("Google's schemas", () => {
  const schemaOf = (parameters: object) => {
    const tool = generate({
      contents: 'Hi',
      tools: [{ functionDeclarations: [{ name: 'f', parameters }] }],
    }).tools?.[0];
    return tool?.type === 'function' ? tool.parameters : undefined;
  };

  it('become plain ones to the last member', () => {
    expect(
      schemaOf({
        type: 'OBJECT',
        properties: {
          type: { type: 'STRING', minLength: '1', maxLength: '64', enum: ['A'] },
          list: {
            type: 'ARRAY',
            minItems: '0',
            items: { anyOf: [{ type: 'INTEGER' }, { $ref: '#/$defs/Deep' }] },
          },
          maybe: { type: ['NUMBER', 'NULL'] },
          none: { type: 'BOOLEAN', nullable: true },
        },
        $defs: { Deep: { type: 'OBJECT', oneOf: [{ type: 'STRING' }] } },
      }),
    ).toEqual({
      type: 'object',
      properties: {
        type: { type: 'string', minLength: 1, maxLength: 64, enum: ['A'] },
        list: {
          type: 'array',
          minItems: 0,
          items: { anyOf: [{ type: 'integer' }, { $ref: '#/$defs/Deep' }] },
        },
        maybe: { type: ['number', 'null'] },
        none: { type: ['boolean', 'null'] },
      },
      $defs: { Deep: { type: 'object', oneOf: [{ type: 'string' }] } },
    });
  });

  it('may have properties that are called like members of a schema', () => {
    const properties = {
      properties: { type: 'STRING' },
      minItems: { type: 'STRING' },
      nullable: { type: 'BOOLEAN' },
    };
    expect(schemaOf({ type: 'OBJECT', properties })).toEqual({
      type: 'object',
      properties: {
        properties: { type: 'string' },
        minItems: { type: 'string' },
        nullable: { type: 'boolean' },
      },
    });
  });
});

it.each(['googleSearch', 'google_search', 'googleSearchRetrieval', 'google_search_retrieval'])(
  '%s is a search',
  (name) => {
    expect(generate({ contents: 'Hi', tools: [{ [name]: {} }] }).tools).toEqual([
      { type: 'web-search', options: {} },
    ]);
  },
);
