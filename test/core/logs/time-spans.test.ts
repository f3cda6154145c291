import { describe, expect, it } from 'vitest';
import { isTimeZone, spanStarts } from '../../../src/core/logs/time-spans.ts';

const at = (text: string) => Date.parse(text) / 1000;
const starts = (from: string, to: string, by: 'hour' | 'day' | 'week', zone: string) =>
  spanStarts(at(from), at(to), by, zone, 1000).map((start) =>
    new Date(start * 1000).toISOString().slice(0, 16),
  );

describe('spans of time', () => {
  it('are whole hours from the one that holds the beginning', () => {
    expect(starts('2026-11-20T10:20:00Z', '2026-11-20T12:00:00Z', 'hour', 'Asia/Shanghai')).toEqual(
      ['2026-11-20T10:00', '2026-11-20T11:00', '2026-11-20T12:00'],
    );
    expect(starts('2026-11-20T10:59:59Z', '2026-11-20T10:59:59Z', 'hour', 'UTC')).toEqual([
      '2026-11-20T10:00',
    ]);
  });

  it('are days from midnight to midnight of the zone', () => {
    expect(starts('2026-11-18T17:00:00Z', '2026-11-20T15:59:00Z', 'day', 'Asia/Shanghai')).toEqual([
      '2026-11-18T16:00',
      '2026-11-19T16:00',
    ]);
  });

  it('of days on which clocks change have 23 and 25 hours', () => {
    expect(starts('2026-03-28T12:00:00Z', '2026-03-30T12:00:00Z', 'day', 'Europe/Berlin')).toEqual([
      '2026-03-27T23:00',
      '2026-03-28T23:00',
      '2026-03-29T22:00',
    ]);
    expect(
      starts('2026-10-31T12:00:00Z', '2026-11-02T12:00:00Z', 'day', 'America/New_York'),
    ).toEqual(['2026-10-31T04:00', '2026-11-01T04:00', '2026-11-02T05:00']);
  });

  it('of days without a midnight begin with their first moment', () => {
    // Clocks go from 23:59 to 01:00.
    expect(
      starts('2018-11-03T12:00:00Z', '2018-11-05T12:00:00Z', 'day', 'America/Sao_Paulo'),
    ).toEqual(['2018-11-03T03:00', '2018-11-04T03:00', '2018-11-05T02:00']);
  });

  it('begin at whole hours where the zone is half an hour off', () => {
    expect(starts('2026-11-19T12:00:00Z', '2026-11-20T20:00:00Z', 'day', 'Asia/Kolkata')).toEqual([
      '2026-11-18T19:00',
      '2026-11-19T19:00',
      '2026-11-20T19:00',
    ]);
  });

  it('of weeks begin on Monday, in any month and year', () => {
    expect(starts('2026-12-31T12:00:00Z', '2027-01-12T12:00:00Z', 'week', 'UTC')).toEqual([
      '2026-12-28T00:00',
      '2027-01-04T00:00',
      '2027-01-11T00:00',
    ]);
    // Sunday is the last day of its week.
    expect(starts('2026-11-22T12:00:00Z', '2026-11-22T13:00:00Z', 'week', 'UTC')).toEqual([
      '2026-11-16T00:00',
    ]);
  });

  it('are refused where there are too many, and none where the end is before the beginning', () => {
    expect(() => spanStarts(0, 86_400 * 40, 'hour', 'UTC', 745)).toThrow('range_too_long');
    expect(spanStarts(100, 50, 'day', 'UTC', 10)).toEqual([]);
  });

  it('follow every day of a year, in each zone, without a gap', () => {
    for (const zone of [
      'UTC',
      'Asia/Shanghai',
      'Europe/Berlin',
      'America/New_York',
      'Australia/Lord_Howe',
      'Pacific/Apia',
    ]) {
      const days = spanStarts(
        at('2026-01-01T12:00:00Z'),
        at('2026-12-31T12:00:00Z'),
        'day',
        zone,
        400,
      );
      expect(days).toHaveLength(365);
      const lengths = new Set(days.slice(1).map((day, index) => (day - (days[index] ?? 0)) / 3600));
      for (const length of lengths) expect([23, 24, 25]).toContain(length);
    }
  });
});

it('zones are known by their names', () => {
  expect([
    isTimeZone('Asia/Shanghai'),
    isTimeZone('UTC'),
    isTimeZone('Mars/Olympus'),
    isTimeZone(''),
  ]).toEqual([true, true, false, false]);
});
