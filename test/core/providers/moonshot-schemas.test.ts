// Covers src/core/providers/moonshot/tool-schemas.ts
/** Schemas of tools that Kimi refuses (docs/rules/providers.md#moonshot-schemas). */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/kernel/json.ts';
import { isObject } from '../../../src/core/kernel/json.ts';
import { moonshot } from '../../../src/core/providers/moonshot/index.ts';
import { readBody } from '../../../src/core/relay/body/body-fields.ts';
import { asSent } from '../../contract/providers/support/as-sent.ts';
import { testCall } from '../../contract/providers/support/call.ts';

const model = 'kimi-k3';
const text = { type: 'string' };
const combinators = ['anyOf', 'oneOf', 'allOf'];

/** What Kimi's own check says of a schema, as far as its errors are known. */
function refusals(node: unknown, path = 'root'): string[] {
  if (Array.isArray(node))
    return node.flatMap((one, index) => refusals(one, `${path}.${String(index)}`));
  if (!isObject(node)) return [];
  const found = Object.entries(node).flatMap(([name, value]) => refusals(value, `${path}.${name}`));
  if (combinators.some((name) => name in node)) {
    if (path === 'root') found.push('parameters.type is required and must be object');
    else if (typeof node['type'] === 'string' || Array.isArray(node['type']))
      found.push(`at ${path}: type should be defined in anyOf items`);
  }
  if (Array.isArray(node['items'])) found.push(`at ${path}: items must be an object`);
  return found;
}

/** The schemas as they reach Kimi, by each of the ways on which tools reach it. */
function sent(parameters: JsonObject): unknown[] {
  const messages = [{ role: 'user', content: 'Hi' }];
  const own = { name: 'look', description: 'Looks.' };
  const chat = { messages, tools: [{ type: 'function', function: { ...own, parameters } }] };
  const claude = { messages, max_tokens: 9, tools: [{ ...own, input_schema: parameters }] };
  const responses = { input: 'Hi', tools: [{ type: 'function', ...own, parameters }] };
  const google = {
    contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
    tools: [{ functionDeclarations: [{ ...own, parametersJsonSchema: parameters }] }],
  };
  const bodies = [
    asSent(moonshot, 'chat', model, chat).body,
    asSent(moonshot, 'messages', model, claude).body,
    asSent(moonshot, 'Responses', model, responses).body,
    asSent(moonshot, 'Gemini', model, google).body,
  ];
  const read = ({ tools }: JsonObject): unknown => {
    const [tool] = tools as { input_schema?: unknown; function?: { parameters: unknown } }[];
    return tool?.input_schema ?? tool?.function?.parameters;
  };
  return bodies.map(read);
}

describe('schemas that Kimi refuses', () => {
  it.each<[string, JsonObject, JsonObject]>([
    [
      'a type beside alternatives',
      { a: { type: ['string', 'array'], anyOf: [text, { items: text }, { $ref: '#/$defs/x' }] } },
      { a: { anyOf: [text, { type: ['string', 'array'], items: text }, { $ref: '#/$defs/x' }] } },
    ],
    [
      'the same deep inside',
      { a: { type: 'array', items: { type: 'object', oneOf: [{ required: ['b'] }] } } },
      { a: { type: 'array', items: { oneOf: [{ type: 'object', required: ['b'] }] } } },
    ],
    [
      'tuples',
      { a: { type: 'array', items: [text, { type: 'number' }], maxItems: 2 } },
      { a: { type: 'array', prefixItems: [text, { type: 'number' }], maxItems: 2 } },
    ],
  ])('%s', (_what, properties, fitted) => {
    const root = { type: 'object', required: ['a'] };
    expect(refusals({ ...root, properties })).not.toEqual([]);
    for (const schema of sent({ ...root, properties }))
      expect(schema).toEqual({ ...root, properties: fitted });
  });

  it('alternatives at the root are one object with all properties', () => {
    const schema: JsonObject = {
      type: 'object',
      description: 'One of these.',
      properties: { kind: text },
      anyOf: [
        { type: 'object', properties: { file: text }, required: ['file'] },
        { type: 'object', properties: { url: text, kind: { type: 'number' } } },
      ],
    };
    expect(refusals(schema)).not.toEqual([]);
    const properties = { file: text, url: text, kind: text };
    for (const fitted of sent(schema))
      expect(fitted).toEqual({ type: 'object', description: 'One of these.', properties });
  });

  it('what it takes is sent as it came', () => {
    const schema: JsonObject = {
      type: 'object',
      properties: { a: { anyOf: [text, { type: 'null' }] }, b: { type: 'array', items: text } },
    };
    const tools = [{ type: 'function', function: { name: 'look', parameters: schema } }];
    const body = { model, messages: [{ role: 'user', content: 'Hi' }], tools };
    const entry = moonshot.operations.chat?.passThrough?.find(
      ({ format }) => format === 'openai-chat',
    );
    const fields = readBody(Buffer.from(JSON.stringify(body))) ?? expect.fail('no body');
    const target = entry?.target(fields, { ...testCall({ model }), settings: {} });
    expect(target?.edits).not.toHaveProperty('tools');
    for (const fitted of sent(schema)) expect(refusals(fitted)).toEqual([]);
  });

  it('what is deeper than anybody writes is sent as it came', () => {
    let schema: JsonObject = { type: 'string', anyOf: [text] };
    for (let level = 0; level < 200; level += 1) schema = { type: 'array', items: schema };
    const parameters = { type: 'object', properties: { a: schema } };
    const [chat] = sent(parameters);
    expect(JSON.stringify(chat)).toContain('{"type":"string","anyOf"');
  });

  it('the key of the cache of Responses callers goes along', () => {
    const { body } = asSent(moonshot, 'Responses', model, { input: 'Hi', prompt_cache_key: 'k' });
    expect(body.prompt_cache_key).toBe('k');
  });
});
