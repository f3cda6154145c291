import { expect, it } from 'vitest';
import { describeChanges } from '../../../src/core/audit/changes.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';

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
