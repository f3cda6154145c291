/**
 * Days and hours of a time zone, for budgets (docs/rules/budgets.md#windows). Pure. A day begins at
 * the first instant that has its date, so it may have 23 or 25 hours, or none where a zone left it
 * out. Instants are Unix seconds.
 */

export interface ZonedTime {
  readonly year: number;
  /** 1 to 12, and 1 to 31. */
  readonly month: number;
  readonly day: number;
  /** Minutes since 00:00 of local time. */
  readonly minute: number;
}

/** A date, as days since 1970-01-01. */
export type DayNumber = number;

export const secondsPerHour = 3600;
const secondsPerDay = 24 * secondsPerHour;
/** No zone differs by more from UTC, also right after it changed sides of the date line. */
const furthest = 2 * secondsPerDay;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Throws RangeError where there is no such zone. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'iso8601',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  formats.set(zone, format);
  return format;
}

export function isTimeZone(zone: string): boolean {
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}

export function zonedTime(instant: number, zone: string): ZonedTime {
  const parts: Record<string, number> = {};
  for (const { type, value } of formatOf(zone).formatToParts(instant * 1000))
    parts[type] = Number(value);
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0 } = parts;
  return { year, month, day, minute: hour * 60 + minute };
}

export const dayNumber = (year: number, month: number, day: number): DayNumber =>
  Date.UTC(year, month - 1, day) / (secondsPerDay * 1000);

/** 1: Monday, 7: Sunday. */
export const weekday = (day: DayNumber): number => ((((day + 3) % 7) + 7) % 7) + 1;

/** The first instant of a date. */
export function startOfDay(day: DayNumber, zone: string): number {
  let before = day * secondsPerDay - furthest;
  let from = day * secondsPerDay + furthest;
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2);
    if (dateOf(middle, zone) >= day) from = middle;
    else before = middle;
  }
  return from;
}

/** The local date. */
export function dateOf(instant: number, zone: string): DayNumber {
  const { year, month, day } = zonedTime(instant, zone);
  return dayNumber(year, month, day);
}

/**
 * The date of an instant. Where clocks were put back over midnight, a day that began stays begun.
 */
export function dayAt(instant: number, zone: string): DayNumber {
  let day = dateOf(instant, zone);
  while (startOfDay(day + 1, zone) <= instant) day += 1;
  while (startOfDay(day, zone) > instant) day -= 1;
  return day;
}
