/**
 * A map with an entry `__proto__` is refused, not accepted and emptied
 * (docs/security.md#prototype-entries): every option that is JSON, every field of a channel that is
 * JSON, and the input of every call.
 */
import { describe, expect, it } from 'vitest';
import { hasPrototypeEntry } from '../../src/core/kernel/json.ts';
import { optionDefinition, optionKeys } from '../../src/core/options/registry.ts';
import { codeOf, createTestApp } from '../support/app.ts';

const jsonOptions = optionKeys.filter((key) => optionDefinition(key).kind === 'json');
const entries = [
  '{"__proto__":1}',
  '{"a":1,"\\u005f_proto__":{"b":2}}',
  '[{"__proto__":"https://a.example"}]',
  '{"a":{"__proto__":1}}',
];

it('is found at any depth, and deep nesting does not overflow', () => {
  expect(
    hasPrototypeEntry(JSON.parse(`${'['.repeat(5000)}{"__proto__":1}${']'.repeat(5000)}`)),
  ).toBe(true);
  expect(hasPrototypeEntry(JSON.parse('{"proto":1,"a":["__proto__"],"constructor":2}'))).toBe(
    false,
  );
});

it.each(jsonOptions)('in the option %s', async (key) => {
  const { operator, app } = await createTestApp();
  const before = app.site.options.get(key);
  for (const value of entries)
    expect([value, await codeOf(operator.option.set({ key, value }))]).toEqual([
      value,
      'option_invalid',
    ]);
  expect(app.site.options.get(key)).toBe(before);
});

describe('in a field of a channel', () => {
  const channel = {
    name: 'a',
    type: 41,
    key: '{}',
    models: 'm',
    group: 'default',
    other: 'us-central1',
  };
  it.each(['setting', 'param_override', 'model_mapping', 'status_code_mapping', 'other'])(
    '%s',
    async (field) => {
      const { operator } = await createTestApp();
      const value =
        field === 'other' ? '{"default":"us-central1","__proto__":"x"}' : '{"__proto__":{"a":"b"}}';
      const codes = ['channel_rule_invalid', 'channel_other_invalid'];
      expect(codes).toContain(
        await codeOf(operator.channel.create({ ...channel, [field]: value })),
      );
      await operator.channel.create(channel);
      const [id = 0] = (await operator.channel.list()).items.map((row) => row.id);
      expect(codes).toContain(await codeOf(operator.channel.update({ id, [field]: value })));
    },
  );
});

it('in the input of a call', async () => {
  const { operator } = await createTestApp();
  const input = JSON.parse('{"key":"a","value":"b","more":{"__proto__":{"admin":true}}}');
  expect(await codeOf(operator.option.set(input))).toBe('invalid_parameter');
  // A field that no call has is ignored, as others are.
  const unknown = JSON.parse('{"__proto__":{"key":"SystemName"},"key":"a","value":"b"}');
  expect(await codeOf(operator.option.set(unknown))).toBe('option_unknown');
});
