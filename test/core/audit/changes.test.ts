import { expect, it } from 'vitest';
import { describeChanges } from '../../../src/core/audit/changes.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import { createTestApp } from '../../support/app.ts';

it('names what differs; hidden fields without values, long texts shortened', () => {
  const before = {
    name: 'a',
    models: 'x',
    setting: '{"proxy":"http://u:p@h"}',
    note: '',
    key: new Secret('k'),
  };
  const patch = {
    name: 'b',
    models: 'x',
    setting: '{}',
    note: 'n'.repeat(500),
    key: new Secret('k'),
  };
  expect(describeChanges(before, patch, ['setting', 'key'])).toEqual({
    changes: {
      name: { from: 'a', to: 'b' },
      setting: {},
      note: { from: '', to: `${'n'.repeat(200)}…` },
      key: {},
    },
  });
});

it('entries are deleted after their days', async () => {
  const { app, operator } = await createTestApp();
  await operator.option.set({ key: 'SystemName', value: 'Toll' });
  const { total } = await operator.audit.list();
  expect(total).toBeGreaterThan(0);
  expect(await app.audit.prune(1)).toBe(0);
  // A day in the future, nothing is younger than a day.
  expect(await app.audit.prune(-1)).toBe(total);
  expect((await operator.audit.list()).total).toBe(0);
});
