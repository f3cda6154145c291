import { describe, expect, it } from 'vitest';
import { channelInput, checkChannel, endsInVersion, newChannelValues } from '../../../../src/ui/routes/channel/channel-form.ts';

const needs = { key: true, baseUrl: false, other: false };
const valid = { ...newChannelValues(), name: 'OpenAI', key: 'sk-1', models: ['gpt-4o'] };

describe('the channel form', () => {
  it('starts with the seed’s values', () => {
    expect(newChannelValues()).toMatchObject({ group: ['default'], auto_ban: true, priority: 0, weight: 0 });
  });

  it.each([
    [{ name: '' }, { name: 'nameAndKey' }],
    [{ key: ' ' }, { key: 'nameAndKey' }],
    [{ models: [] }, { models: 'models' }],
    [{ group: [] }, { group: 'groups' }],
    [{ priority: -5 }, {}],
    [{ weight: -1 }, { weight: 'nonNegative' }],
    [{ priority: '' as const }, { priority: 'integer' }],
    [{ model_mapping: '{"a":' }, { model_mapping: 'mapping' }],
    [{ model_mapping: '["a"]' }, { model_mapping: 'mapping' }],
    [{ model_mapping: '{"a":"b"}' }, {}],
    [{ setting: '3' }, { setting: 'json' }],
  ])('checks %j', (change, problems) => {
    expect(checkChannel({ ...valid, ...change }, true, needs)).toEqual(problems);
  });

  it('keeps the stored key of a channel that is edited, and asks for what the type needs', () => {
    expect(checkChannel({ ...valid, key: '' }, false, needs)).toEqual({});
    expect(checkChannel({ ...valid, key: '' }, true, { ...needs, key: false })).toEqual({});
    expect(checkChannel(valid, true, { ...needs, baseUrl: true })).toEqual({ base_url: 'baseUrl' });
    expect(checkChannel(valid, true, { ...needs, other: true })).toEqual({ other: 'other' });
  });

  it('sends comma lists, numbers and an address without its trailing slash', () => {
    expect(channelInput({ ...valid, base_url: 'https://a.example/ ', group: ['default', 'vip'], weight: 5 })).toMatchObject({
      models: 'gpt-4o',
      group: 'default,vip',
      base_url: 'https://a.example',
      weight: 5,
      auto_ban: 1,
    });
  });

  it.each([
    ['https://a.example/v1', false, true],
    ['https://a.example/v1/', false, true],
    ['https://a.example/v1/chat', false, false],
    ['https://a.example', false, false],
    ['https://a.example/v1', true, false],
  ])('asks about %s, complete: %s, %s', (baseUrl, complete, asks) => {
    expect(endsInVersion(baseUrl, complete)).toBe(asks);
  });
});
