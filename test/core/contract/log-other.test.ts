import { describe, expect, it } from 'vitest';
import { readLogOther } from '../../../src/core/contract/log-other.ts';

const step = {
  channel: 1,
  name: 'main',
  type: 1,
  priority: 0,
  weight: 1,
  ms: 12,
  status: 200,
  reason: 'weight',
};

describe('reading the `other` of a usage log row', () => {
  it('returns known and unknown fields', () => {
    const other = {
      group: 'vip',
      frt: 120,
      model_ratio: 1.25,
      admin_info: { use_channel: ['1'], route: [step], more: 1 },
    };
    expect(readLogOther(JSON.stringify(other))).toEqual(other);
  });
  it.each([
    '',
    'null',
    '[]',
    '{"group":1}',
    '{"frt":null}',
    '{"ended":"otherwise"}',
    '{"admin_info":{"use_channel":[1]}}',
    JSON.stringify({ admin_info: { route: [{ ...step, ms: 1.5 }] } }),
    JSON.stringify({ admin_info: { route: [{ ...step, name: undefined }] } }),
    JSON.stringify({
      admin_info: { route: [{ ...step, skipped: [{ channel: 1, reason: 'x' }] }] },
    }),
  ])('returns nothing for %j', (text) => expect(readLogOther(text)).toEqual({}));
});
