/** Small charts drawn with block characters. */
import type { Glyphs } from './glyphs.ts';

/**
 * Columns of up to `height` lines, drawn top line first; the largest fills them. More values than
 * columns are averaged.
 */
export function columnChart(
  values: readonly number[],
  width: number,
  height: number,
  glyphs: Glyphs,
): readonly string[] {
  const steps = [...glyphs.bars];
  const full = steps.length - 1;
  const shown = values.length <= width ? values : squeeze(values, width);
  const largest = Math.max(1, ...shown);
  const levels = shown.map((value) =>
    value <= 0 ? 0 : Math.max(1, Math.round((value / largest) * full * height)),
  );
  return Array.from({ length: height }, (_, row) => {
    const floor = (height - 1 - row) * full;
    return levels.map((level) => steps[Math.max(0, Math.min(full, level - floor))]).join('');
  });
}

/**
 * Averages neighbouring values to `width` values. Sums would create artificial steps, as the
 * buckets differ in size.
 */
function squeeze(values: readonly number[], width: number): readonly number[] {
  const parts = Array.from({ length: width }, (): number[] => []);
  values.forEach((value, index) => {
    parts[Math.floor((index * width) / values.length)]?.push(value);
  });
  return parts.map((part) => part.reduce((a, b) => a + b, 0) / Math.max(1, part.length));
}

/** A bar of up to `width` cells, exact to an eighth of a cell. */
export function bar(value: number, largest: number, width: number, glyphs: Glyphs): string {
  const eighths = [...glyphs.eighths];
  const all = largest <= 0 ? 0 : Math.max(0, Math.round((value / largest) * width * 8));
  const rest = all % 8;
  return (
    (eighths[8] ?? '').repeat(Math.floor(all / 8)) +
    (rest === 0 ? '' : (eighths[rest] ?? '').trim())
  );
}
