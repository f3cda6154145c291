/** The span of the usage log: presets, or a custom one of three days at most (docs/rules/console.md#log-range). */
const longestSpan = 3 * 86_400;
export const presets = ['today', 'yesterday', 'threeDays'] as const;
export type Preset = (typeof presets)[number];

/** The URL's parameters of a list with a time filter, with their defaults. */
export const timeParameters = { time: 'threeDays', start: '', end: '' } as const;

/** The preset a parameter names; the default one for anything else. */
export function presetOf(text: string): Preset {
  return presets.find((name) => name === text) ?? timeParameters.time;
}

export interface TimeRange {
  /** Unix seconds, both inclusive. */
  readonly start: number;
  readonly end: number;
}

/** Midnight, `daysBack` days before the day of `now`, in the reader's time zone; seconds. */
function midnight(now: number, daysBack: number): number {
  const at = new Date(now * 1000);
  at.setHours(0, 0, 0, 0);
  at.setDate(at.getDate() - daysBack);
  return at.getTime() / 1000;
}

/** Open spans end an hour from now, so that a clock that runs ahead hides nothing (docs/rules/console.md#log-range). */
export function presetRange(preset: Preset, now: number): TimeRange {
  if (preset === 'today') return { start: midnight(now, 0), end: now + 3600 };
  if (preset === 'yesterday') return { start: midnight(now, 1), end: midnight(now, 0) - 1 };
  return { start: midnight(now, 2), end: now + 3600 };
}

/** What is wrong with a custom span, or undefined. */
export function checkRange({ start, end }: TimeRange): 'order' | 'tooLong' | undefined {
  if (!(end > start)) return 'order';
  return end - start > longestSpan ? 'tooLong' : undefined;
}

/** A custom span out of the URL; undefined when it is none, or not one this screen would make. */
export function readRange(start: string, end: string): TimeRange | undefined {
  const range = { start: Number(start), end: Number(end) };
  if (start === '' || end === '' || !Number.isInteger(range.start) || !Number.isInteger(range.end)) return undefined;
  return checkRange(range) === undefined ? range : undefined;
}

/** The span that the URL's parameters select at a time (Unix seconds). */
export function rangeOf({ time, start, end }: Readonly<Record<keyof typeof timeParameters, string>>, now: number): TimeRange {
  return readRange(start, end) ?? presetRange(presetOf(time), now);
}
