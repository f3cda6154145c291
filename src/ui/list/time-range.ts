/** Spans of time that lists are filtered by: presets, or a custom one. */
export type Preset = 'all' | 'today' | 'yesterday' | 'threeDays' | 'week' | 'month' | 'thirtyDays';

/** The spans that a list offers. */
export interface TimeSpans {
  readonly presets: readonly Preset[];
  readonly initial: Preset;
  /** Of a custom span, in seconds. */
  readonly longest: number;
}

/** The usage log shows three days at most (docs/rules/console.md#log-range). */
export const logSpans: TimeSpans = {
  presets: ['today', 'yesterday', 'threeDays'],
  initial: 'threeDays',
  longest: 3 * 86_400,
};
/** For lists that grow slowly. */
export const anySpans: TimeSpans = {
  presets: ['all', 'today', 'week', 'month'],
  initial: 'all',
  longest: Number.POSITIVE_INFINITY,
};

/**
 * The drawing log begins with the last 30 days to the second, the task log with today
 * (docs/rules/task-logs.md#log-screens).
 */
export const drawingSpans: TimeSpans = {
  ...anySpans,
  presets: ['today', 'week', 'thirtyDays', 'all'],
  initial: 'thirtyDays',
};
export const taskSpans: TimeSpans = {
  ...anySpans,
  presets: ['today', 'week', 'month', 'all'],
  initial: 'today',
};

/** The URL's parameters of a list with a time filter, with their defaults for these spans. */
export const anyTimeParameters = { time: anySpans.initial, start: '', end: '' } as const;
type TimeState = Readonly<Record<keyof typeof anyTimeParameters, string>>;

/** The preset a parameter names; the default one for anything else. */
export function presetOf(text: string, { presets, initial } = logSpans): Preset {
  return presets.find((name) => name === text) ?? initial;
}

export interface TimeRange {
  /** Unix seconds, both inclusive. */
  readonly start: number;
  readonly end: number;
}

/** Midnight, `daysBack` days before the day of `now`, in the reader's time zone; seconds. */
function midnight(now: number, daysBack: number): number {
  const at = new Date(now * 1000);
  // The day first: where clocks are put forward at midnight, one day has none.
  at.setDate(at.getDate() - daysBack);
  at.setHours(0, 0, 0, 0);
  return at.getTime() / 1000;
}

const daysBack = {
  all: undefined,
  thirtyDays: undefined,
  today: 0,
  yesterday: 1,
  threeDays: 2,
  week: 6,
  month: 29,
} as const satisfies Record<Preset, number | undefined>;
const thirtyDays = 30 * 86_400;

/**
 * Open spans end an hour from now, so that a clock that runs ahead hides nothing
 * (docs/rules/console.md#log-range).
 */
export function presetRange(preset: Preset, now: number): TimeRange {
  const back = daysBack[preset];
  return {
    start:
      preset === 'thirtyDays' ? now - thirtyDays : back === undefined ? 0 : midnight(now, back),
    end: preset === 'yesterday' ? midnight(now, 0) - 1 : now + 3600,
  };
}

/** What is wrong with a custom span, or undefined. */
export function checkRange(
  { start, end }: TimeRange,
  { longest } = logSpans,
): 'order' | 'tooLong' | undefined {
  if (!(end > start)) return 'order';
  return end - start > longest ? 'tooLong' : undefined;
}

/** A custom span out of the URL; undefined when it is none, or not one this screen would make. */
export function readRange(start: string, end: string, spans = logSpans): TimeRange | undefined {
  const range = { start: Number(start), end: Number(end) };
  if (start === '' || end === '' || !Number.isInteger(range.start) || !Number.isInteger(range.end))
    return undefined;
  return checkRange(range, spans) === undefined ? range : undefined;
}

/** The span that the URL's parameters select at a time (Unix seconds). */
export function rangeOf({ time, start, end }: TimeState, now: number, spans = logSpans): TimeRange {
  return readRange(start, end, spans) ?? presetRange(presetOf(time, spans), now);
}
