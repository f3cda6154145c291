import { afterEach, describe, expect, it } from 'vitest';
import { checkRange, presetRange, readRange } from '../../../src/ui/list/time-range.ts';

describe('the span of the log', () => {
  const now = new Date('2026-11-20T20:04:00').getTime() / 1000;
  it('ends open presets an hour from now, and shows three days', () => {
    expect(presetRange('threeDays', now)).toEqual({
      start: new Date('2026-11-18T00:00:00').getTime() / 1000,
      end: now + 3600,
    });
    expect(presetRange('yesterday', now).end).toBe(
      new Date('2026-11-20T00:00:00').getTime() / 1000 - 1,
    );
  });

  it('refuses more than three days, and an end before its start', () => {
    expect(checkRange({ start: now - 3 * 86_400, end: now })).toBeUndefined();
    expect(checkRange({ start: now - 3 * 86_400 - 1, end: now })).toBe('tooLong');
    expect(checkRange({ start: now, end: now })).toBe('order');
    expect(checkRange({ start: Number.NaN, end: now })).toBe('order');
  });

  it('ignores a span in the URL that this screen would not make', () => {
    expect(readRange('', '')).toBeUndefined();
    expect(readRange(String(now - 60), String(now))).toEqual({ start: now - 60, end: now });
    expect(readRange(String(now - 9 * 86_400), String(now))).toBeUndefined();
  });
});

describe('days where clocks are put forward at midnight', () => {
  const zone = process.env['TZ'];
  afterEach(() => {
    if (zone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = zone;
  });
  it('begin at their own midnight, also seen from the day that has none', () => {
    process.env['TZ'] = 'Africa/Cairo';
    const noon = new Date('2026-04-24T12:00:00').getTime() / 1000;
    expect(new Date('2026-04-24T00:00:00').getHours()).toBe(1);
    const at = (text: string) => new Date(text).getTime() / 1000;
    expect(presetRange('yesterday', noon)).toEqual({
      start: at('2026-04-23T00:00:00'),
      end: at('2026-04-24T01:00:00') - 1,
    });
    expect(presetRange('threeDays', noon).start).toBe(at('2026-04-22T00:00:00'));
  });
});
