import { describe, expect, test } from 'vitest';
import {
  type ChannelFields,
  readChannelFields,
  splitKeys,
} from '../../../src/core/channels/channel-fields.ts';
import { builtInProviders } from '../../../src/core/providers/index.ts';

const read = (fields: Partial<ChannelFields>, type: number) =>
  readChannelFields(fields, type, builtInProviders);

describe('what is refused', () => {
  const rows: [Partial<ChannelFields>, number, string][] = [
    [{}, 999, 'channel_type_unknown'],
    [{ name: ' ' }, 1, 'channel_name_and_key_required'],
    [{ name: 'x'.repeat(256) }, 1, 'name_too_long'],
    [{ models: ' , ' }, 1, 'channel_models_required'],
    [{ models: `a,${'x'.repeat(256)}` }, 1, 'model_name_too_long'],
    [{ models: '密'.repeat(86) }, 1, 'model_name_too_long'],
    [{ group: '' }, 1, 'invalid_parameter'],
    [{ weight: -1 }, 1, 'weight_invalid'],
    [{ modelMapping: '[]' }, 1, 'json_object_required'],
    [{ statusCodeMapping: '{' }, 1, 'json_object_required'],
    [{ setting: '"x"' }, 1, 'json_object_required'],
    [{ paramOverride: 'null' }, 1, 'json_object_required'],
    [{ modelMapping: '{"a":"b","b":"c","c":"a"}' }, 1, 'model_mapping_cycle'],
    [{ modelMapping: '{"a":"b","b":"c","c":"b"}' }, 1, 'model_mapping_cycle'],
    [{ baseUrl: 'ftp://example.org' }, 1, 'invalid_parameter'],
    [{ baseUrl: '' }, 8, 'channel_base_url_required'],
    [{ baseUrl: 'glm-coding-plan' }, 1, 'invalid_parameter'],
    [{ setting: '{"proxy":"localhost:80"}' }, 1, 'channel_rule_invalid'],
    [{ type: 41, other: '' }, 41, 'channel_region_required'],
    [{ other: '{"gpt":"us"}' }, 41, 'channel_region_required'],
    [{ type: 39, other: ' ' }, 39, 'channel_other_required'],
    [{ type: 21 }, 21, 'channel_other_required'],
    [{ other: 'evil.example/' }, 41, 'channel_other_invalid'],
    [{ other: 'evil.example#' }, 41, 'channel_other_invalid'],
    [{ other: '{"default":"us","gemini":"evil.example?"}' }, 41, 'channel_other_invalid'],
    [{ other: '2024-10-21&x=' }, 3, 'channel_other_invalid'],
    [{ other: '../../user' }, 39, 'channel_other_invalid'],
    [{ other: 'v3.5/../x' }, 18, 'channel_other_invalid'],
    [{ other: 'a\r\nx-b: c' }, 17, 'channel_other_invalid'],
    [{ openaiOrganization: 'org\r\nx-b: c' }, 1, 'header_text_invalid'],
    [{ models: 'a,../../user' }, 39, 'invalid_parameter'],
    [{ modelMapping: '{"a":"b/../c"}' }, 39, 'invalid_parameter'],
    [{ baseUrl: 'https://{model}/v1' }, 8, 'invalid_parameter'],
    [{ baseUrl: 'https://h\nost/v1' }, 8, 'invalid_parameter'],
  ];
  test.each(rows)('%o of type %d: %s', (fields, type, code) => {
    expect(() => read(fields, type)).toThrowError(new RegExp(`^${code}`));
  });
});

describe('normalisation', () => {
  test('lists tidied, slashes cut, absent fields stay absent', () => {
    expect(
      read(
        { name: ' c ', models: 'b, a,,b', group: 'x ,y', baseUrl: ' https://h/v1// ', tag: ' t ' },
        1,
      ),
    ).toEqual({
      name: 'c',
      models: 'b,a',
      group: 'x,y',
      baseUrl: 'https://h/v1',
      tag: 't',
    });
    expect(read({}, 1)).toEqual({});
  });
  test.each([
    [{ other: '' }, 18, 'v2.1'],
    [{ other: 'v3' }, 18, 'v3'],
    [{ other: 'us-central1' }, 41, 'us-central1'],
    [{ other: '{"default":"us","a":"b"}' }, 41, '{"default":"us","a":"b"}'],
  ])('%o of type %d', (fields, type, other) => {
    expect(read(fields, type).other).toBe(other);
  });
  test('a plan name instead of a base URL, for types that have plans', () => {
    expect(read({ baseUrl: 'glm-coding-plan' }, 26)).toEqual({ baseUrl: 'glm-coding-plan' });
  });
  test('chains of models and a model mapped to itself are fine', () => {
    const modelMapping = '{"a":"b","b":"c","d":"d"}';
    expect(read({ modelMapping }, 1)).toEqual({ modelMapping });
  });
  test('a proxy by http, https or socks5', () => {
    for (const proxy of ['http://p:1', 'https://p', 'socks5://u:p@p:1080', '']) {
      expect(() => read({ setting: JSON.stringify({ proxy, kept: 1 }) }, 1)).not.toThrow();
    }
  });
});

test('keys are split at newlines, service accounts are not', () => {
  expect(splitKeys(' a \n\n b\r\n', { example: '' })).toEqual(['a', 'b']);
  expect(splitKeys(' {\n"a":1}\n', { example: '', json: true })).toEqual(['{\n"a":1}']);
  expect(splitKeys(' \n', { example: '' })).toEqual([]);
});
