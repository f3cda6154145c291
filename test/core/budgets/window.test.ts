/** Windows against another calendar: that of Temporal, which shares no code with ours. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import {
  calendarWindow,
  carriedOver,
  closedUntil,
  rollingWindow,
} from '../../../src/core/budgets/window.ts';
import { neverEnds } from '../../../src/core/vocabulary/budgets.ts';
import { fc, runs } from '../../support/property.ts';

/** The part of Temporal that is used. */
interface PlainDate {
  readonly dayOfWeek: number;
  add(parts: { days?: number; months?: number }): PlainDate;
  subtract(parts: { days: number }): PlainDate;
  with(parts: { day: number }): PlainDate;
  toZonedDateTime(zone: string): { readonly epochMilliseconds: number };
}
interface Temporal {
  readonly Instant: {
    fromEpochMilliseconds(ms: number): {
      toZonedDateTimeISO(zone: string): {
        readonly hour: number;
        readonly minute: number;
        readonly dayOfWeek: number;
        toPlainDate(): PlainDate;
      };
    };
  };
}
setFlagsFromString('--harmony-temporal');
const { Instant } = runInNewContext('Temporal') as Temporal;

const at = (iso: string) => Date.parse(iso) / 1000;
const local = (instant: number, zone: string) =>
  Instant.fromEpochMilliseconds(instant * 1000).toZonedDateTimeISO(zone);
const midnight = (date: PlainDate, zone: string) =>
  date.toZonedDateTime(zone).epochMilliseconds / 1000;

/** With summer time at 2, at 0, by half an hour, in the south; without; with odd offsets. */
const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Havana',
  'Australia/Lord_Howe',
  'America/Sao_Paulo',
  'Asia/Shanghai',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Africa/Casablanca',
  'Asia/Beirut',
  'America/Santiago',
  'Europe/Istanbul',
  'Pacific/Chatham',
  'Asia/Gaza',
];
const someTime = fc.record({
  zone: fc.constantFrom(...zones),
  instant: fc.integer({ min: at('2008-01-01T00:00:00Z'), max: at('2037-01-01T00:00:00Z') }),
});

describe('windows of the calendar', () => {
  it('are days, weeks and months as another calendar has them', () => {
    fc.assert(
      fc.property(someTime, fc.integer({ min: 1, max: 7 }), ({ zone, instant }, weekStart) => {
        const rule = { timeZone: zone, weekStart };
        const date = local(instant, zone).toPlainDate();
        expect(calendarWindow({ ...rule, period: 'day' }, instant)).toEqual({
          startsAt: midnight(date, zone),
          endsAt: midnight(date.add({ days: 1 }), zone),
        });
        const monday = date.subtract({ days: (date.dayOfWeek - weekStart + 7) % 7 });
        expect(calendarWindow({ ...rule, period: 'week' }, instant)).toEqual({
          startsAt: midnight(monday, zone),
          endsAt: midnight(monday.add({ days: 7 }), zone),
        });
        const first = date.with({ day: 1 });
        expect(calendarWindow({ ...rule, period: 'month' }, instant)).toEqual({
          startsAt: midnight(first, zone),
          endsAt: midnight(first.add({ months: 1 }), zone),
        });
      }),
      runs(300),
    );
  });

  it('follow each other without a gap, also those of hours', () => {
    const periods = fc.constantFrom('hour', '5h', 'day', 'week', 'month');
    fc.assert(
      fc.property(someTime, periods, ({ zone, instant }, period) => {
        const rule = { period, timeZone: zone, weekStart: 1 };
        const { startsAt, endsAt } = calendarWindow(rule, instant);
        expect(startsAt).toBeLessThanOrEqual(instant);
        expect(endsAt).toBeGreaterThan(instant);
        for (const inside of [startsAt, endsAt - 1])
          expect(calendarWindow(rule, inside)).toEqual({ startsAt, endsAt });
        expect(calendarWindow(rule, endsAt).startsAt).toBe(endsAt);
        if (period === 'hour') expect(endsAt - startsAt).toBeLessThanOrEqual(3600);
        if (period === '5h') expect(endsAt - startsAt).toBeLessThanOrEqual(5 * 3600);
      }),
      runs(300),
    );
  });

  it('have 23 and 25 hours where clocks change, and a day that a zone left out has none', () => {
    const hoursOf = (iso: string, timeZone: string) => {
      const span = calendarWindow({ period: 'day', timeZone, weekStart: 1 }, at(iso));
      return (span.endsAt - span.startsAt) / 3600;
    };
    expect(hoursOf('2026-03-29T12:00:00Z', 'Europe/Berlin')).toBe(23);
    expect(hoursOf('2026-10-25T12:00:00Z', 'Europe/Berlin')).toBe(25);
    expect(hoursOf('2026-04-05T06:00:00Z', 'Australia/Lord_Howe')).toBe(24.5);
    // 2011-12-30 did not happen in Samoa.
    const last = calendarWindow(
      { period: 'day', timeZone: 'Pacific/Apia', weekStart: 1 },
      at('2011-12-29T22:00:00Z'),
    );
    expect(new Date(last.endsAt * 1000).toISOString()).toBe('2011-12-30T10:00:00.000Z');
    expect((last.endsAt - last.startsAt) / 3600).toBe(24);
  });
});

it('a rolling window lasts its period from the first use, and the total for ever', () => {
  expect(rollingWindow('5h', 1000)).toEqual({ startsAt: 1000, endsAt: 1000 + 5 * 3600 });
  expect(rollingWindow('month', 7)).toEqual({ startsAt: 7, endsAt: 7 + 30 * 86_400 });
  expect(rollingWindow('total', 7)).toEqual({ startsAt: 7, endsAt: neverEnds });
});

describe('closed hours and days', () => {
  const berlin = { timeZone: 'Europe/Berlin', closedDays: '6,7', closedHours: '22:00-06:00' };

  it('end when the next open hour begins', () => {
    const opens = (iso: string) => {
      const until = closedUntil(berlin, at(iso));
      return until === undefined ? 'open' : new Date(until * 1000).toISOString();
    };
    expect(opens('2026-11-27T12:00:00Z')).toBe('open');
    // Friday, 22:30 in Berlin: closed through the weekend, until Monday at 6.
    expect(opens('2026-11-27T21:30:40Z')).toBe('2026-11-30T05:00:00.000Z');
    expect(opens('2026-11-26T23:30:00Z')).toBe('2026-11-27T05:00:00.000Z');
    expect(
      closedUntil({ ...berlin, closedDays: '1,2,3,4,5,6,7' }, at('2026-11-27T12:00:00Z')),
    ).toBe(neverEnds);
  });

  it('are those that a calendar on the wall shows', () => {
    fc.assert(
      fc.property(someTime, ({ zone, instant }) => {
        const rule = { ...berlin, timeZone: zone };
        const isClosed = (time: number) => {
          const { hour, dayOfWeek } = local(time, zone);
          return dayOfWeek >= 6 || hour >= 22 || hour < 6;
        };
        const until = closedUntil(rule, instant);
        expect(until !== undefined).toBe(isClosed(instant));
        if (until === undefined) return;
        expect(isClosed(until)).toBe(false);
        expect(isClosed(until - 1)).toBe(true);
      }),
      runs(300),
    );
  });
});

it('carries a share of what is left over, at most the amount once more', () => {
  expect(carriedOver(100, 50, { carried: 0, spent: 40 })).toBe(30);
  expect(carriedOver(100, 100, { carried: 100, spent: 10 })).toBe(100);
  expect(carriedOver(100, 50, { carried: 0, spent: 130 })).toBe(0);
  expect(carriedOver(101, 50, null)).toBe(50);
});
