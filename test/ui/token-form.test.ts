import { describe, expect, it } from 'vitest';
import {
  checkToken,
  fieldOfTime,
  newTokenValues,
  timeOfField,
  tokenInput,
  tokenNames,
} from '../../src/ui/routes/token/token-form.ts';

const valid = { ...newTokenValues(), name: 'production' };

describe('the token form', () => {
  it('starts with the seed’s values', () => {
    expect(newTokenValues()).toMatchObject({ remain_quota: 500_000, count: 1, expires: '', unlimited_quota: false });
  });

  it.each([
    [{ name: '  ' }, { name: 'name' }],
    [{ name: '长'.repeat(50) }, {}],
    [{ name: '长'.repeat(51) }, { name: 'nameLong' }],
    [{ expires: 'tomorrow' }, { expires: 'expires' }],
    [{ remain_quota: -1 }, { remain_quota: 'quota' }],
    [{ remain_quota: '' as const }, { remain_quota: 'quota' }],
    [{ remain_quota: '' as const, unlimited_quota: true }, {}],
    [{ count: 0 }, { count: 'count' }],
    [{ count: 101 }, { count: 'count' }],
    [{ model_limits_enabled: true }, { model_limits: 'models' }],
  ])('checks %j', (change, problems) => {
    expect(checkToken({ ...valid, ...change })).toEqual(problems);
  });

  it('carries a time there and back to the second, and never as nothing', () => {
    const now = Math.floor(Date.now() / 1000);
    expect(timeOfField(fieldOfTime(now))).toBe(now);
    expect(timeOfField('')).toBe(-1);
    expect(fieldOfTime(-1)).toBe('');
  });

  it('sends the wire’s fields and nothing else', () => {
    expect(tokenInput({ ...valid, name: ' a ', model_limits: ['x', 'y'], allow_ips: '10.0.0.1\n' })).toEqual({
      name: 'a',
      expired_time: -1,
      remain_quota: 500_000,
      unlimited_quota: false,
      model_limits_enabled: false,
      model_limits: 'x,y',
      allow_ips: '10.0.0.1',
      group: '',
    });
  });

  it('names extra tokens with a random suffix of six characters', () => {
    const [first, ...rest] = tokenNames('batch', 40);
    expect(first).toBe('batch');
    for (const name of rest) expect(name).toMatch(/^batch-[0-9A-Za-z]{6}$/);
    expect(new Set(rest).size).toBe(39);
  });
});
