import { describe, expect, test } from 'vitest';
import { environmentName, type Flag, Values } from '../../../src/cli/base/flags.ts';
import { UsageError } from '../../../src/cli/base/usage-error.ts';
import { readJsonObject, readTime } from '../../../src/cli/command/common-flags.ts';
import { entityFlags, fieldFlag } from '../../../src/cli/command/field-flag.ts';
import { api } from '../../../src/core/contract/index.ts';
import { redemptionFields } from '../../../src/core/entities/redemption.ts';
import { tokenFields } from '../../../src/core/entities/token.ts';

const words = { en: 'x', zh: 'x' };
const flag = (more: Partial<Flag> & Pick<Flag, 'name' | 'kind'>): Flag => ({
  summary: words,
  ...more,
});

describe('values of flags', () => {
  const flags = [
    flag({ name: 'base-url', kind: 'text', field: 'base_url' }),
    flag({ name: 'weight', kind: 'integer', field: 'weight' }),
    flag({ name: 'unlimited', kind: 'switch', field: 'unlimited_quota' }),
    flag({
      name: 'role',
      kind: 'text',
      choices: ['user', 'admin'],
      field: 'role',
      read: (text) => (text === 'admin' ? 10 : 1),
    }),
  ];

  test('fill the fields of the call', () => {
    const values = new Values(
      flags,
      { 'base-url': 'http://x', weight: '1_000', unlimited: true, role: 'admin' },
      {},
    );
    expect(values.input()).toEqual({
      base_url: 'http://x',
      weight: 1000,
      unlimited_quota: true,
      role: 10,
    });
  });

  test('come from the environment where they have a variable, unless given on the command line', () => {
    const environment = {
      TURNPIKE_BASE_URL: 'http://env',
      TURNPIKE_WEIGHT: '3',
      TURNPIKE_UNLIMITED: 'false',
    };
    expect(new Values(flags, { weight: '5' }, environment).input()).toEqual({ weight: 5 });
    const session = flags.map((one) => ({ ...one, variable: true as const }));
    expect(new Values(session, { weight: '5' }, environment).input()).toEqual({
      base_url: 'http://env',
      weight: 5,
      unlimited_quota: false,
    });
    expect(environmentName('base-url')).toBe('TURNPIKE_BASE_URL');
  });

  test('an empty variable counts as unset, an empty argument does not', () => {
    expect(new Values(flags, {}, { TURNPIKE_BASE_URL: '' }).input()).toEqual({});
    expect(new Values(flags, { 'base-url': '' }, {}).input()).toEqual({ base_url: '' });
  });

  test.each([
    [{ weight: '1.5' }],
    [{ weight: 'many' }],
    [{ weight: '' }],
    [{ weight: '9007199254740993' }],
    [{ role: 'king' }],
  ])('%j is refused', (given) => {
    expect(() => new Values(flags, given, {}).input()).toThrow(UsageError);
  });

  test('the variable of a switch must be true or false', () => {
    const session = flags.map((one) => ({ ...one, variable: true as const }));
    expect(() => new Values(session, {}, { TURNPIKE_UNLIMITED: 'perhaps' })).toThrow(UsageError);
  });

  test('a missing required flag is an error', () => {
    const required = new Values([flag({ name: 'model', kind: 'text', required: true })], {}, {});
    expect(() => required.input()).toThrow(UsageError);
  });
});

describe('flags of input fields', () => {
  test.each([
    ['base_url', 'base-url', 'text'],
    ['priority', 'priority', 'integer'],
    ['models', 'models', 'text'],
  ] as const)('channel.create %s', (field, name, kind) => {
    expect(fieldFlag(api.channel.create, field, words)).toMatchObject({ name, kind, field });
  });
  test('booleans become switches, enumerations choices', () => {
    expect(fieldFlag(api.userTokens.create, 'unlimited_quota', words).kind).toBe('switch');
    expect(fieldFlag(api.user.manage, 'action', words).choices).toContain('promote');
  });
  test('of a declared entity: lists with commas, times as dates, numbers that mean never by that word', () => {
    const token = new Values(
      entityFlags(api.userTokens.create, tokenFields),
      { quota: '5', models: 'a, b,', 'allow-ips': '10.0.0.1, 10.1.0.0/16', expires: 'never' },
      {},
    );
    expect(token.input()).toEqual({
      remain_quota: 5,
      model_limits: 'a,b',
      allow_ips: '10.0.0.1\n10.1.0.0/16',
      expired_time: -1,
    });
    const batch = entityFlags(api.redemption.create, redemptionFields, {
      quota: { required: true },
    });
    expect(batch.find(({ name }) => name === 'quota')?.required).toBe(true);
    expect(new Values(batch, { quota: '1', expires: 'never' }, {}).input()).toEqual({
      quota: 1,
      expired_time: 0,
    });
    expect(new Values(batch, { quota: '1', expires: '1763665492' }, {}).input()).toMatchObject({
      expired_time: 1_763_665_492,
    });
  });
  test('a field that the call does not have is a programming error', () => {
    expect(() => fieldFlag(api.channel.create, 'colour', words)).toThrow('has no field colour');
  });
});

describe('values with a special format', () => {
  test('times', () => {
    expect(readTime('since', '2026-11-20T19:04:52Z')).toBe(
      Date.UTC(2026, 10, 20, 19, 4, 52) / 1000,
    );
    expect(readTime('since', '2026-11-20')).toBe(new Date(2026, 10, 20).getTime() / 1000);
    expect(readTime('since', '2026-11-20 19:04')).toBe(
      new Date(2026, 10, 20, 19, 4).getTime() / 1000,
    );
    expect(readTime('since', '1763665492')).toBe(1_763_665_492);
    const now = Date.now() / 1000;
    expect(readTime('since', 'now') - now).toBeCloseTo(0, -1);
    expect(readTime('since', '90m') - now).toBeCloseTo(-5400, -1);
    expect(readTime('expires', '2w', { ahead: true }) - now).toBeCloseTo(1_209_600, -1);
    expect(() => readTime('since', 'yesterday')).toThrow(UsageError);
    expect(() => readTime('since', '-3d')).toThrow(UsageError);
  });
  test('JSON objects', () => {
    const read = readJsonObject('model-mapping');
    expect(read('{"a":"b"}')).toBe('{"a":"b"}');
    for (const wrong of ['[]', 'null', '{', '"x"'])
      expect(() => read(wrong), wrong).toThrow(UsageError);
  });
});
