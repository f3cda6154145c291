/** Hourly usage rows, put into the buckets and series that the dashboard draws. Pure: tested without a browser. */
export type Granularity = 'hour' | 'day' | 'week';

export interface UsageRow {
  readonly model_name: string;
  /** Start of the hour, Unix seconds. */
  readonly created_at: number;
  readonly quota: number;
  readonly count: number;
  readonly token_used: number;
}

export interface Bucket {
  /** Unix seconds. */
  readonly start: number;
  readonly quota: number;
  readonly count: number;
  readonly tokens: number;
  /** Quota by model. */
  readonly models: Readonly<Record<string, number>>;
}

export interface ModelSum {
  readonly model: string;
  readonly quota: number;
  readonly count: number;
  readonly tokens: number;
}

const hour = 3600;

/** Start of the bucket that holds a moment, in the reader's time zone; weeks start on Monday. */
export function bucketStart(seconds: number, granularity: Granularity): number {
  if (granularity === 'hour') return seconds - (seconds % hour);
  const at = new Date(seconds * 1000);
  at.setHours(0, 0, 0, 0);
  if (granularity === 'week') at.setDate(at.getDate() - ((at.getDay() + 6) % 7));
  return at.getTime() / 1000;
}

function nextStart(start: number, granularity: Granularity): number {
  if (granularity === 'hour') return start + hour;
  const at = new Date(start * 1000);
  at.setDate(at.getDate() + (granularity === 'week' ? 7 : 1));
  return at.getTime() / 1000;
}

/** Every bucket from `from` to `to`, also those without a request. */
export function fillBuckets(rows: readonly UsageRow[], from: number, to: number, granularity: Granularity): readonly Bucket[] {
  const byStart = new Map<number, { quota: number; count: number; tokens: number; models: Record<string, number> }>();
  for (let start = bucketStart(from, granularity); start <= to; start = nextStart(start, granularity)) {
    byStart.set(start, { quota: 0, count: 0, tokens: 0, models: {} });
  }
  for (const row of rows) {
    const bucket = byStart.get(bucketStart(row.created_at, granularity));
    if (bucket === undefined || row.created_at < from - hour || row.created_at > to) continue;
    bucket.quota += row.quota;
    bucket.count += row.count;
    bucket.tokens += row.token_used;
    bucket.models[row.model_name] = (bucket.models[row.model_name] ?? 0) + row.quota;
  }
  return [...byStart].map(([start, sums]) => ({ start, ...sums }));
}

/** Models by what they cost, dearest first; equal ones by requests, then by name, so that colours keep still. */
export function sumByModel(rows: readonly UsageRow[]): readonly ModelSum[] {
  const sums = new Map<string, { quota: number; count: number; tokens: number }>();
  for (const row of rows) {
    const sum = sums.get(row.model_name) ?? { quota: 0, count: 0, tokens: 0 };
    sums.set(row.model_name, { quota: sum.quota + row.quota, count: sum.count + row.count, tokens: sum.tokens + row.token_used });
  }
  return [...sums]
    .map(([model, sum]) => ({ model, ...sum }))
    .sort((a, b) => b.quota - a.quota || b.count - a.count || a.model.localeCompare(b.model));
}

/** Series of the chart: up to seven models of their own, the rest as "others" in the eighth colour. */
export const ownSeries = 7;

export function total<T>(rows: readonly T[], figure: (row: T) => number): number {
  return rows.reduce((sum, row) => sum + figure(row), 0);
}
