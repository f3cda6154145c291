/** `strict` on functions, between all formats: kept where the target supports it. */
import { describe, expect, it } from 'vitest';
import type { ChatRequest } from '../../../src/core/canonical/chat.ts';
import type { JsonObject } from '../../../src/core/kernel/json.ts';
import { anthropic } from '../../../src/core/providers/anthropic/index.ts';
import { openai } from '../../../src/core/providers/openai/index.ts';
import { anthropicMessages } from '../../../src/core/relay/formats/anthropic-messages/index.ts';
import { openAiChat } from '../../../src/core/relay/formats/openai-chat/index.ts';
import { openAiResponses } from '../../../src/core/relay/formats/openai-responses/index.ts';
import { testCall } from '../../contract/providers/support/call.ts';

const messages = [{ role: 'user', content: 'hi' }];
const object = (properties: JsonObject, required = Object.keys(properties)): JsonObject => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const text = { type: 'string' };
const texts = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, text]));

function forClaude(parameters: readonly JsonObject[], model = 'claude-sonnet-4-5') {
  const tools = parameters.map((schema, index) => ({
    type: 'function',
    function: { name: `f${index}`, parameters: schema, strict: true },
  }));
  const request = openAiChat.readRequest({ model, messages, tools });
  const { body } = anthropic.operations.chat?.encode(request, testCall({ model })) ?? {};
  return (body as { tools: { strict?: boolean; input_schema: JsonObject }[] }).tools;
}
const strictOf = (parameters: readonly JsonObject[]) =>
  forClaude(parameters).map(({ strict }) => strict === true);

describe('strict functions at Claude', () => {
  it('have schemas that its grammar takes', () => {
    const schema = {
      type: 'object',
      properties: { n: { type: 'integer', minimum: 1 } },
      required: ['n'],
    };
    expect(forClaude([schema])).toEqual([
      { name: 'f0', strict: true, input_schema: object({ n: { type: 'integer' } }) },
    ]);
    expect(forClaude([schema], 'claude-3-5-sonnet-20241022')).toEqual([
      { name: 'f0', input_schema: schema },
    ]);
  });

  it('are as many as it takes', () => {
    expect(strictOf(Array(22).fill(object({ at: text })))).toEqual([
      ...Array(20).fill(true),
      false,
      false,
    ]);
  });

  it('have as many optional properties and unions as it takes, at any depth', () => {
    const optional = (count: number) =>
      object({ in: { type: 'array', items: object(texts(count), []) } });
    expect(strictOf([optional(20), optional(5), optional(4)])).toEqual([true, false, true]);
    const unions = (count: number) =>
      object(
        Object.fromEntries(
          Array.from({ length: count }, (_, index) => [`p${index}`, { type: ['string', 'null'] }]),
        ),
      );
    expect(
      strictOf([
        unions(16),
        object({ at: { anyOf: [text, { type: 'null' }] } }),
        object({ at: text }),
      ]),
    ).toEqual([true, false, true]);
  });

  it.each([
    ['to nothing', { properties: { next: { $ref: '#' } } }],
    [
      'in a circle',
      {
        properties: { a: { $ref: '#/$defs/a' } },
        $defs: { a: object({ b: { $ref: '#/$defs/b' } }), b: object({ a: { $ref: '#/$defs/a' } }) },
      },
    ],
    ['outwards', { properties: { a: { $ref: 'https://schemas.example/a' } } }],
  ])('never refer %s', (_, schema) => {
    expect(
      strictOf([{ type: 'object', required: Object.keys(schema.properties), ...schema }]),
    ).toEqual([false]);
  });

  it('may refer to the same definition more than once', () => {
    const $defs = { a: object({ at: { $ref: '#/$defs/b' } }), b: text };
    expect(
      strictOf([{ ...object({ from: { $ref: '#/$defs/a' }, to: { $ref: '#/$defs/a' } }), $defs }]),
    ).toEqual([true]);
  });

  it('stay as a caller of its own format wrote them', () => {
    const schema = { type: 'object', properties: { n: { type: 'integer', minimum: 1 } } };
    const tools = [{ name: 'f', input_schema: schema, strict: true }];
    const request = anthropicMessages.readRequest({ model: 'm', max_tokens: 9, messages, tools });
    expect(anthropic.operations.chat?.encode(request, testCall()).body).toMatchObject({ tools });
  });
});

describe('strict tools of a caller of messages at OpenAI', () => {
  const request = (input_schema: JsonObject): ChatRequest =>
    anthropicMessages.readRequest({
      model: 'gpt-4o',
      messages,
      tools: [{ name: 'f', input_schema, strict: true }],
    });
  const toolFor = (schema: JsonObject, settings: object) => {
    const { body } =
      openai.operations.chat?.encode(
        request(schema),
        testCall({ model: 'gpt-4o', settings }) as never,
      ) ?? {};
    const tool = (body as { tools: JsonObject[] }).tools[0] ?? {};
    return (tool.function ?? tool) as JsonObject;
  };

  it.each([
    ['closed', object({ at: text }), true],
    ['optional', object({ at: text }, []), false],
    ['open', { type: 'object', properties: { at: text }, required: ['at'] }, false],
    [
      'open within',
      object({ in: { type: 'array', items: { type: 'object', properties: {} } } }),
      false,
    ],
    ['without a type', {}, false],
  ])('are strict by their schema: %s', (_, schema, strict) => {
    expect(toolFor(schema, { use_responses: false }).strict).toBe(strict ? true : undefined);
    expect(toolFor(schema, { use_responses: true }).strict).toBe(strict);
  });

  it('`strict` from Responses and chat callers is kept', () => {
    const open = { type: 'object', properties: {} };
    const tools = [{ type: 'function', name: 'f', parameters: open, strict: true }];
    const asked = openAiResponses.readRequest({ model: 'gpt-4o', input: 'hi', tools });
    const call = testCall({ model: 'gpt-4o', settings: { use_responses: false } }) as never;
    expect(openai.operations.chat?.encode(asked, call).body).toMatchObject({
      tools: [{ function: { strict: true } }],
    });
  });
});
