import { describe, expect, it } from 'vitest';
import { bucketStart, fillBuckets, sumByModel, total, type UsageRow } from '../../../../src/ui/routes/detail/usage-buckets.ts';

const hour = 3600;
const at = (text: string) => new Date(text).getTime() / 1000;
const row = (model_name: string, created_at: number, quota: number, count = 1): UsageRow => ({
  model_name,
  created_at,
  quota,
  count,
  token_used: quota * 2,
});

describe('usage in buckets', () => {
  it('has a bucket for every hour, also the empty ones', () => {
    const from = at('2026-11-20T10:30:00');
    const buckets = fillBuckets([row('a', at('2026-11-20T11:00:00'), 5)], from, from + 3 * hour, 'hour');
    expect(buckets.map((bucket) => bucket.quota)).toEqual([0, 5, 0, 0]);
  });

  it('counts the hour in which the span starts', () => {
    const from = at('2026-11-20T10:30:00');
    const buckets = fillBuckets([row('a', at('2026-11-20T10:00:00'), 7)], from, from + hour, 'hour');
    expect(buckets[0]?.quota).toBe(7);
  });

  it('loses nothing between hours, days and weeks', () => {
    const from = at('2026-11-01T00:00:00');
    const to = at('2026-11-20T23:00:00');
    const rows = Array.from({ length: 400 }, (_, index) => row(`m${index % 3}`, from + index * hour, index));
    for (const by of ['hour', 'day', 'week'] as const) {
      expect(total(fillBuckets(rows, from, to, by), (bucket) => bucket.quota)).toBe(total(rows, (entry) => entry.quota));
    }
  });

  it('starts days at the reader’s midnight and weeks on Monday', () => {
    const friday = at('2026-11-20T19:04:52');
    expect(bucketStart(friday, 'day')).toBe(at('2026-11-20T00:00:00'));
    expect(bucketStart(friday, 'week')).toBe(at('2026-11-16T00:00:00'));
  });

  it('ranks models by cost, then requests, then name, so that colours keep still', () => {
    const rows = [row('b', 0, 1), row('a', 0, 1), row('c', 0, 3), row('d', 0, 1, 2), row('c', hour, 1)];
    expect(sumByModel(rows).map((sum) => [sum.model, sum.quota])).toEqual([
      ['c', 4],
      ['d', 1],
      ['a', 1],
      ['b', 1],
    ]);
  });
});
