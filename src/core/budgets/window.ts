/** Which window of a budget an instant is in (docs/rules/budgets.md#windows). Pure. */
import { type BudgetPeriod, neverEnds } from '../vocabulary/budgets.ts';
import {
  type DayNumber,
  dateOf,
  dayAt,
  dayNumber,
  secondsPerHour,
  startOfDay,
  weekday,
  zonedTime,
} from './calendar.ts';

/** Unix seconds; `endsAt` is the first second after it, or `neverEnds`. */
export interface Span {
  readonly startsAt: number;
  readonly endsAt: number;
}

export interface WindowRule {
  readonly period: string;
  readonly timeZone: string;
  /** 1: Monday, 7: Sunday. */
  readonly weekStart: number;
}

/** Hours of periods that are counted from midnight; the last one of a day ends with the day. */
const hours: Readonly<Record<string, number>> = { hour: 1, '5h': 5 };

/** Seconds of a window that begins with its first use. */
const rollingSeconds: Readonly<Record<BudgetPeriod, number | undefined>> = {
  hour: secondsPerHour,
  '5h': 5 * secondsPerHour,
  day: 24 * secondsPerHour,
  week: 7 * 24 * secondsPerHour,
  month: 30 * 24 * secondsPerHour,
  total: undefined,
  none: undefined,
};

/** The window of the calendar that an instant is in. `total` is no period of the calendar. */
export function calendarWindow({ period, timeZone, weekStart }: WindowRule, instant: number): Span {
  const day = dayAt(instant, timeZone);
  const step = hours[period];
  if (step !== undefined) {
    const midnight = startOfDay(day, timeZone);
    const length = step * secondsPerHour;
    const startsAt = midnight + Math.floor((instant - midnight) / length) * length;
    return { startsAt, endsAt: Math.min(startsAt + length, startOfDay(day + 1, timeZone)) };
  }
  const { first, next } = daysOf(period, day, weekStart);
  return { startsAt: startOfDay(first, timeZone), endsAt: startOfDay(next, timeZone) };
}

/** The first day of a period, and of the one after it. */
function daysOf(
  period: string,
  day: DayNumber,
  weekStart: number,
): { readonly first: DayNumber; readonly next: DayNumber } {
  if (period === 'week') {
    const first = day - ((weekday(day) - weekStart + 7) % 7);
    return { first, next: first + 7 };
  }
  if (period === 'month') {
    const { year, month } = zonedTime(day * 24 * secondsPerHour, 'UTC');
    return { first: dayNumber(year, month, 1), next: dayNumber(year, month + 1, 1) };
  }
  return { first: day, next: day + 1 };
}

/** The window that a first use begins. */
export function rollingWindow(period: string, instant: number): Span {
  const seconds = rollingSeconds[period as BudgetPeriod];
  return { startsAt: instant, endsAt: seconds === undefined ? neverEnds : instant + seconds };
}

export interface ClosedRule {
  readonly timeZone: string;
  /** Weekdays, 1 to 7, comma-separated. */
  readonly closedDays: string;
  /** Spans such as `22:00-06:00`, comma-separated; one that ends where it begins is a whole day. */
  readonly closedHours: string;
}

/** Rounds until the search for an open time is given up: closed for good. */
const mostSteps = 64;

/**
 * When something may be spent again; undefined: now. `neverEnds`: within the next weeks it may not.
 */
export function closedUntil(rule: ClosedRule, instant: number): number | undefined {
  if (rule.closedDays === '' && rule.closedHours === '') return undefined;
  let at = instant;
  for (let step = 0; step < mostSteps; step += 1) {
    const next = endOfClosed(rule, at);
    if (next === undefined) return at === instant ? undefined : at;
    at = next;
  }
  return neverEnds;
}

/** When the closed day or hours end that an instant is in; undefined: it is in none. */
function endOfClosed(
  { timeZone, closedDays, closedHours }: ClosedRule,
  instant: number,
): number | undefined {
  if (closedDays !== '') {
    const day = dateOf(instant, timeZone);
    if (closedDays.split(',').includes(String(weekday(day))))
      return Math.max(startOfDay(day + 1, timeZone), nextMinute(instant));
  }
  if (closedHours === '') return undefined;
  const { minute } = zonedTime(instant, timeZone);
  for (const span of closedHours.split(',')) {
    const [from = 0, to = 0] = span.split('-').map(minuteOf);
    const isIn = from < to ? minute >= from && minute < to : minute >= from || minute < to;
    if (!isIn) continue;
    const left = (to - minute + minutesPerDay) % minutesPerDay || minutesPerDay;
    // Where clocks are changed meanwhile the next round goes on from there.
    return nextMinute(instant) + (left - 1) * 60;
  }
  return undefined;
}

const minutesPerDay = 24 * 60;

const nextMinute = (instant: number): number => instant - (instant % 60) + 60;

function minuteOf(text: string): number {
  const [hour = 0, minute = 0] = text.split(':').map(Number);
  return hour * 60 + minute;
}

/**
 * What a window has in addition from the one before it: a share of what that one had left, at most
 * as much as the budget itself (docs/rules/budgets.md#carry-over).
 */
export function carriedOver(
  amount: number,
  percent: number,
  previous: { readonly carried: number; readonly spent: number } | null,
): number {
  const left = previous === null ? amount : Math.max(0, amount + previous.carried - previous.spent);
  return Math.min(amount, Number((BigInt(left) * BigInt(percent)) / 100n));
}
