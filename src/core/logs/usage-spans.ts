/** Ranges of usage as spans of time, and figures in each span (docs/rules/usage-logs.md#spans). */
import { AppError } from '../kernel/errors.ts';
import type { Spans, UsageSum } from '../storage/storage.ts';
import { type Granularity, isTimeZone, spanStarts } from './time-spans.ts';

/** Unix seconds, both inclusive. */
export interface SummaryRange {
  /** Absent: a day before the end. */
  readonly from?: number | undefined;
  /** Absent: now. */
  readonly to?: number | undefined;
  /** Absent: DataExportDefaultTime. */
  readonly by?: Granularity | undefined;
  /** IANA name. */
  readonly zone: string;
}

/** Sums of one model, and its figures in each span. */
export interface ModelUsage extends Totals {
  readonly modelName: string;
  readonly spans: { readonly [Figure in keyof Totals]: readonly number[] };
}
export interface Totals {
  readonly count: number;
  readonly quota: number;
  readonly tokens: number;
}

/** Whose usage: one user's, by id or by name, or that of all. */
export interface UsageOf {
  readonly userId?: number;
  readonly username?: string;
}

const hour = 3600;
const day = 24 * hour;
/** The same in hours; a year and a week in days and in weeks (docs/rules/usage-logs.md#spans). */
const mostSpans: Readonly<Record<Granularity, number>> = { hour: 31 * 24 + 1, day: 373, week: 54 };

/**
 * The end of the year 9999, Unix seconds: the spans after it are still times that a Date can hold.
 */
const latest = 253_402_300_799;

/**
 * `now`: Unix seconds; `usual`: the spans of a range that names none; `most`: how many there may be.
 * Throws AppError range_too_long, invalid_parameter.
 */
export function spansOf(
  range: SummaryRange,
  now: number,
  usual: Granularity,
  most?: number,
): Spans & { readonly by: Granularity } {
  const { zone, to = now, from = to - day, by = usual } = range;
  if (!isTimeZone(zone)) throw new AppError('invalid_parameter', { field: 'zone' });
  if (to < from || to > latest)
    throw new AppError('invalid_parameter', { field: 'end_timestamp', reason: 'rule.end' });
  return {
    by,
    starts: spanStarts(from, to, by, zone, most ?? mostSpans[by]),
    end: to - (to % hour) + hour,
  };
}

export function sum<Row>(rows: readonly Row[], figure: (row: Row) => number): number {
  return rows.reduce((all, row) => all + figure(row), 0);
}

export function total(rows: readonly UsageSum[]): Totals {
  return {
    count: sum(rows, ({ count }) => count),
    quota: sum(rows, ({ quota }) => quota),
    tokens: sum(rows, ({ tokenUsed }) => tokenUsed),
  };
}

/**
 * Every span has a figure, also those without a request. Equal models are ordered by requests, then
 * by name.
 */
export function byModel(
  rows: readonly UsageSum[],
  starts: readonly number[],
): readonly ModelUsage[] {
  const places = new Map(starts.map((start, index) => [start, index]));
  const models = new Map<string, UsageSum[]>();
  for (const row of rows) {
    const known = models.get(row.modelName);
    if (known === undefined) models.set(row.modelName, [row]);
    else known.push(row);
  }
  return [...models]
    .map(([modelName, ofModel]) => {
      const spans = {
        count: starts.map(() => 0),
        quota: starts.map(() => 0),
        tokens: starts.map(() => 0),
      };
      for (const { start, count, quota, tokenUsed } of ofModel) {
        const place = places.get(start) ?? 0;
        spans.count[place] = count;
        spans.quota[place] = quota;
        spans.tokens[place] = tokenUsed;
      }
      return { modelName, ...total(ofModel), spans };
    })
    .sort((a, b) => b.quota - a.quota || b.count - a.count || (a.modelName < b.modelName ? -1 : 1));
}
