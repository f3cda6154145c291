import { describe, expect, it } from 'vitest';
import { createChannelCatalog } from '../../../../src/core/channels/channel-catalog.ts';
import { CallError } from '../../../../src/core/contract/envelope.ts';
import { channelFields } from '../../../../src/core/entities/channel.ts';
import { initialInput } from '../../../../src/core/entities/convert.ts';
import type { Field } from '../../../../src/core/entities/field.ts';
import type { ErrorCode } from '../../../../src/core/kernel/errors.ts';
import { builtInProviders } from '../../../../src/core/providers/index.ts';
import {
  channelInput,
  channelValues,
  checkChannel,
  endsInVersion,
  newChannel,
  placeOfRefusal,
} from '../../../../src/ui/routes/channel/channel-form.ts';
import { createMovingClock } from '../../../support/moving-clock.ts';

const types = createChannelCatalog(builtInProviders, createMovingClock(0)).types();
const needs = { key: true, baseUrl: false, other: false };
const valid = { ...newChannel, name: 'OpenAI', key: 'sk-1', models: ['gpt-4o'] };

describe('the channel form', () => {
  it('starts with the declared values', () => {
    expect(newChannel).toMatchObject({
      group: ['default'],
      auto_ban: true,
      priority: 0,
      weight: 0,
    });
  });

  it('has a value for every field that callers may write, from the channel it edits', () => {
    const written = Object.entries<Field>(channelFields).filter(
      ([, { input }]) => input !== undefined,
    );
    expect(Object.keys(newChannel).sort()).toEqual(written.map(([name]) => name).sort());
    const channel = {
      ...initialInput(channelFields),
      id: 3,
      status: 2,
      other_info: '{}',
      response_time: 1,
      test_time: 2,
    };
    const more = { balance: 0, balance_updated_time: 0, used_quota: 0, created_time: 5 };
    const values = channelValues({
      ...channel,
      ...more,
      name: 'A',
      models: 'a, b',
      group: 'vip',
      auto_ban: 0,
      tag: 't',
    });
    expect(values).toEqual({
      ...newChannel,
      type: 0,
      name: 'A',
      models: ['a', 'b'],
      group: ['vip'],
      auto_ban: false,
      tag: 't',
    });
  });

  it.each([
    [{ name: '' }, { name: 'channel.form.error.nameAndKey' }],
    [{ key: ' ' }, { key: 'channel.form.error.nameAndKey' }],
    [{ models: [] }, { models: 'channel.form.error.models' }],
    [{ group: [] }, { group: 'channel.form.error.groups' }],
    [{ priority: -5 }, {}],
    [{ weight: -1 }, { weight: 'common.nonNegative' }],
    [{ weight: '' as const }, { weight: 'common.nonNegative' }],
    [{ max_input_tokens: -1 }, { max_input_tokens: 'common.nonNegative' }],
    [{ max_input_tokens: 0.5 }, { max_input_tokens: 'common.nonNegative' }],
    [{ priority: '' as const }, { priority: 'common.integer' }],
    [{ model_mapping: '{"a":' }, { model_mapping: 'channel.form.error.mapping' }],
    [{ model_mapping: '["a"]' }, { model_mapping: 'channel.form.error.mapping' }],
    [{ model_mapping: '{"a":"b"}' }, {}],
    [{ setting: '3' }, { setting: 'common.json.object' }],
  ])('checks %j', (change, problems) => {
    expect(checkChannel({ ...valid, ...change }, true, needs)).toEqual(problems);
  });

  it('keeps the stored key of a channel that is edited, and asks for what the type needs', () => {
    expect(checkChannel({ ...valid, key: '' }, false, needs)).toEqual({});
    expect(checkChannel({ ...valid, key: '' }, true, { ...needs, key: false })).toEqual({});
    expect(checkChannel(valid, true, { ...needs, baseUrl: true })).toEqual({
      base_url: 'channel.form.baseUrl.required',
    });
    expect(checkChannel(valid, true, { ...needs, other: true })).toEqual({
      other: 'channel.form.error.other',
    });
  });

  it('sends comma lists, numbers and an address without its trailing slash', () => {
    expect(
      channelInput({
        ...valid,
        base_url: 'https://a.example/ ',
        group: ['default', 'vip'],
        weight: 5,
      }),
    ).toMatchObject({
      models: 'gpt-4o',
      group: 'default,vip',
      base_url: 'https://a.example',
      weight: 5,
      auto_ban: 1,
    });
  });

  it.each([
    ['https://a.example/v1', 'Gemini', true],
    ['https://a.example/v1/', 'Gemini', true],
    ['https://a.example/v1/chat', 'Gemini', false],
    ['https://a.example', 'Gemini', false],
    // Where a second /v1 is not added, there is nothing to ask about.
    ['https://a.example/v1', 'OpenAI', false],
    ['https://a.example/v1', 'Claude', false],
    ['https://a.example/v1', 'DeepSeek', false],
    ['https://a.example/v1', 'Ollama', false],
    ['https://a.example/v1', 'Custom', false],
  ])('asks about %s of %s: %s', (baseUrl, name, asks) => {
    const facts = types.find((type) => type.name === name);
    expect(facts).toBeDefined();
    expect(endsInVersion(baseUrl, facts)).toBe(asks);
  });
});

describe('a refusal of the server', () => {
  const refusal = (code: ErrorCode, field?: string) =>
    new CallError('refused', 200, code, undefined, { field });

  it.each([
    ['channel_rule_invalid', 'setting.header_override.X-Title', 'setting.header_override.X-Title'],
    ['json_object_required', 'status_code_mapping', 'status_code_mapping'],
    ['invalid_parameter', 'base_url', 'base_url'],
    ['channel_other_required', 'Region', 'other'],
    ['channel_models_required', undefined, 'models'],
    ['channel_name_and_key_required', 'name', 'name'],
    ['channel_name_and_key_required', undefined, 'key'],
  ] as const)('%s of %s is shown at %s', (code, field, place) => {
    expect(placeOfRefusal(refusal(code, field))).toBe(place);
  });

  it('is shown at no field if it is about none', () => {
    expect(placeOfRefusal(refusal('internal_error'))).toBeUndefined();
    expect(placeOfRefusal(refusal('invalid_parameter', 'somewhere'))).toBeUndefined();
  });
});
