import { expect, it } from 'vitest';
import {
  type ReadDetail,
  readDetail as readEntry,
} from '../../../src/core/entities/audit-detail.ts';
import { auditFieldLabel } from '../../../src/core/entities/audit-values.ts';
import { auditActionName } from '../../../src/core/vocabulary/audit-actions.ts';

const texts = {
  money: (quota: number) => `$${quota / 500_000}`,
  time: (seconds: number) => new Date(seconds * 1000).toISOString(),
  word: (group: string, value: number) => `${group}.${value}`,
  option: (key: string) => (key === 'SystemName' ? 'Site name' : undefined),
};
const readDetail = (detail: string, action = 'channel.update'): ReadDetail =>
  readEntry({ action, target: '', detail }, texts);

it('reads every form in which changes are recorded', () => {
  expect(readDetail('{"from":"a","to":"b"}')).toEqual({
    changes: [{ field: '', from: 'a', to: 'b' }],
    facts: [],
  });
  const detail = {
    name: 'main',
    address: { from: 'x', to: 'y' },
    changes: { priority: { from: 0, to: 7 }, key: {} },
  };
  expect(readDetail(JSON.stringify(detail))).toEqual({
    changes: [
      { field: 'address', from: 'x', to: 'y' },
      { field: 'priority', from: '0', to: '7' },
      { field: 'key' },
    ],
    facts: [{ name: 'name', value: 'main' }],
  });
  // What `from` means on its own: the channel that was copied.
  expect(readDetail('{"from":3}').facts).toEqual([{ name: 'from', value: '3' }]);
});

it('shows times as times, and survives what is no object', () => {
  expect(readDetail('{"expiredTime":1795382682,"count":1795382682}').facts).toEqual([
    { name: 'expiredTime', value: '2026-11-22T21:24:42.000Z' },
    { name: 'count', value: '1795382682' },
  ]);
  expect(readDetail('{"changes":{"expiredTime":{"from":-1,"to":0}}}').changes).toEqual([
    { field: 'expiredTime', from: '—', to: '—' },
  ]);
  for (const text of ['', '[]', 'null', '{"changes":3}', '{"changes":{"a":null}}'])
    expect(readDetail(text).facts).toEqual([]);
});

it('shows amounts, roles and statuses as people know them', () => {
  const changed = (action: string, detail: object) =>
    readDetail(JSON.stringify(detail), action).changes.map(({ from, to }) => `${from} → ${to}`);
  expect(changed('user.quota', { username: 'ann', from: 0, to: 100_000 })).toEqual(['$0 → $0.2']);
  expect(changed('token.update', { changes: { remainQuota: { from: 0, to: 500_000 } } })).toEqual([
    '$0 → $1',
  ]);
  expect(changed('user.update', { changes: { role: { from: 1, to: 10 } } })).toEqual([
    'role.1 → role.10',
  ]);
  expect(changed('channel.update', { changes: { status: { from: 1, to: 2 } } })).toEqual([
    'status.channel.1 → status.channel.2',
  ]);
  expect(auditFieldLabel('token.update', 'remainQuota', 'en')).toBe('balance');
  expect(auditFieldLabel('option.set', 'value', 'en')).toBeUndefined();
});

it('names an action alone', () => {
  expect(auditActionName('user.promote', 'en')).toBe('Made user an administrator');
  expect(auditActionName('channel.create', 'en')).toBe('Created channel');
  expect(auditActionName('later.release', 'en')).toBe('later.release');
});
