import { describe, expect, it } from 'vitest';
import { fieldOfTime, timeOfField } from '../../../../src/ui/form/date-field.ts';
import {
  changedInput,
  checkToken,
  newToken,
  tokenInput,
} from '../../../../src/ui/routes/token/token-form.ts';

const valid = { ...newToken, name: 'production' };

describe('the token form', () => {
  it('starts with the quota of one dollar, without limits', () => {
    expect(newToken).toMatchObject({
      remain_quota: 500_000,
      count: 1,
      expired_time: -1,
      unlimited_quota: false,
    });
  });

  it.each([
    [{ name: '  ' }, { name: 'token.form.error.name' }],
    [{ name: '长'.repeat(50) }, {}],
    [{ name: '长'.repeat(51) }, { name: 'token.form.error.nameLong' }],
    [{ expired_time: Number.NaN }, { expired_time: 'token.form.error.expires' }],
    [{ remain_quota: -1 }, { remain_quota: 'token.form.error.quota' }],
    [{ remain_quota: '' as const }, { remain_quota: 'token.form.error.quota' }],
    [{ remain_quota: '' as const, unlimited_quota: true }, {}],
    [{ count: 0 }, { count: 'token.form.error.count' }],
    [{ count: 101 }, { count: 'token.form.error.count' }],
    [{ model_limits_enabled: true }, { model_limits: 'token.form.models.missing' }],
  ])('checks %j', (change, problems) => {
    expect(checkToken({ ...valid, ...change })).toEqual(problems);
  });

  it('sends the fields of the call and nothing else', () => {
    expect(
      tokenInput({ ...valid, name: ' a ', model_limits: ['x', 'y'], allow_ips: '10.0.0.1\n' }),
    ).toEqual({
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

  it('sends only what changed', () => {
    expect(changedInput({ ...valid, model_limits: ['x'] }, ['model_limits', 'count'])).toEqual({
      model_limits: 'x',
    });
  });
});

describe('a date field', () => {
  it('carries a time there and back to the second, and never as nothing', () => {
    const now = Math.floor(Date.now() / 1000);
    expect(timeOfField(fieldOfTime(now))).toBe(now);
    expect(timeOfField('')).toBe(-1);
    expect(fieldOfTime(-1)).toBe('');
    expect(timeOfField('tomorrow')).toBeNaN();
  });
});
