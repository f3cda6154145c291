import { type Decimal, decimal, one } from '../kernel/decimal.ts';

/** What a video is priced by. */
export interface VideoMeasure {
  readonly seconds: number;
  /** `720P`. */
  readonly resolution: string;
}

/** The option VideoRatios: model → resolution → ratio. */
export type VideoRatioTable = ReadonlyMap<string, ReadonlyMap<string, Decimal>>;

export function buildVideoRatios(
  option: Readonly<Record<string, Readonly<Record<string, number>>>>,
): VideoRatioTable {
  const ratiosOf = (ratios: Readonly<Record<string, number>>) =>
    new Map(
      Object.entries(ratios).map(([resolution, ratio]) => [
        resolution.toUpperCase(),
        decimal(ratio),
      ]),
    );
  return new Map(Object.entries(option).map(([model, ratios]) => [model, ratiosOf(ratios)]));
}

/** The entry of a model (docs/rules/pricing.md#video-ratios): its own, else that of the longest beginning of its name written with `*`. */
export function videoRatioEntry(
  model: string,
  table: VideoRatioTable,
): ReadonlyMap<string, Decimal> | undefined {
  const named = table.get(model);
  if (named !== undefined) return named;
  const starts = [...table.keys()].filter(
    (name) => name.endsWith('*') && model.startsWith(name.slice(0, -1)),
  );
  const longest = starts.sort((a, b) => b.length - a.length)[0];
  return longest === undefined ? undefined : table.get(longest);
}

/**
 * What the model's price is multiplied by, under the names that log rows show
 * (docs/rules/pricing.md#video-ratios): its price is one per second. Undefined: the model has no
 * entry, and its price is one per video.
 */
export function videoRatios(
  model: string,
  { seconds, resolution }: VideoMeasure,
  table: VideoRatioTable,
): Readonly<Record<string, Decimal>> | undefined {
  const entry = videoRatioEntry(model, table);
  return entry === undefined
    ? undefined
    : { seconds: decimal(seconds), resolution: entry.get(resolution) ?? one };
}
