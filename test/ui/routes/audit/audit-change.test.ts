import { expect, it } from 'vitest';
import { readDetail } from '../../../../src/ui/routes/audit/audit-change.ts';

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
    { name: 'expiredTime', value: expect.stringMatching(/^2026-11-2\d \d\d:\d\d:42$/) },
    { name: 'count', value: '1795382682' },
  ]);
  for (const text of ['', '[]', 'null', '{"changes":3}', '{"changes":{"a":null}}'])
    expect(readDetail(text).facts).toEqual([]);
});
