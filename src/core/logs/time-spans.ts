/**
 * Hours, days and weeks of a time zone, as spans of whole hours: the sums are kept by the hour
 * (docs/rules/usage-logs.md#spans).
 */
import { AppError } from '../kernel/errors.ts';

export type Granularity = 'hour' | 'day' | 'week';

const hour = 3600;
const day = 24 * hour;

/** Whether the runtime knows the IANA name of a zone. */
export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

/** A calendar date, and the seconds that have passed on the clock since its midnight. */
interface LocalTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly seconds: number;
}

function clockOf(zone: string): (at: number) => LocalTime {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (at) => {
    const parts = Object.fromEntries(
      format.formatToParts(at * 1000).map(({ type, value }) => [type, Number(value)]),
    );
    const { year = 0, month = 1, day: date = 1, hour: hours = 0, minute = 0, second = 0 } = parts;
    return { year, month, day: date, seconds: hours * hour + minute * 60 + second };
  };
}

/**
 * Unix seconds of a date's midnight if the zone were UTC; days beyond the month are those of the
 * next one.
 */
const dateAsUtc = (year: number, month: number, date: number) =>
  Date.UTC(year, month - 1, date) / 1000;

/** The first moment of a date, in Unix seconds: clocks may skip midnight. */
function startOfDate(asUtc: number, clock: (at: number) => LocalTime): number {
  const offsetAt = (at: number) => {
    const local = clock(at);
    return dateAsUtc(local.year, local.month, local.day) + local.seconds - at;
  };
  const guess = asUtc - offsetAt(asUtc);
  const at = asUtc - offsetAt(guess);
  const local = clock(at);
  const isBefore = dateAsUtc(local.year, local.month, local.day) < asUtc;
  return isBefore ? at + (day - local.seconds) : at - local.seconds;
}

/**
 * The first whole hour at or after a moment: an hour that contains a midnight counts to the day in
 * which it begins.
 */
const nextHour = (at: number) => Math.ceil(at / hour) * hour;

/**
 * Where the spans begin, from the one that contains `from` to the one that contains `to` (Unix
 * seconds). Days begin at midnight, weeks on Monday. Throws AppError range_too_long for more than
 * `most` spans.
 */
export function spanStarts(
  from: number,
  to: number,
  by: Granularity,
  zone: string,
  most: number,
): readonly number[] {
  if (to < from) return [];
  const size = by === 'hour' ? hour : by === 'day' ? day : 7 * day;
  if ((to - from) / size > most)
    throw new AppError('range_too_long', { days: Math.floor((most * size) / day) });
  const starts: number[] = [];
  if (by === 'hour') {
    for (let at = from - (from % hour); at <= to; at += hour) starts.push(at);
    return starts;
  }
  const clock = clockOf(zone);
  const first = clock(from - (from % hour));
  const midnight = dateAsUtc(first.year, first.month, first.day);
  // Monday is 1; 1970-01-01 was a Thursday.
  const weekday = (((midnight / day + 3) % 7) + 7) % 7;
  const step = by === 'day' ? 1 : 7;
  for (let date = by === 'day' ? midnight : midnight - weekday * day; ; date += step * day) {
    const at = nextHour(startOfDate(date, clock));
    if (at > to) return starts;
    starts.push(at);
  }
}
