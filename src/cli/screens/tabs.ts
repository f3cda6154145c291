/** The tab line: key and name of every view. */
import { cut, type Line, line, span, widthOf } from '../kit/lines.ts';

/** The keys of the views, in their order. */
export const viewKeys = '1234567890BCA';

/** Cells that a name keeps where not all names fit, and where not even these do. */
const shortNames = [3, 2, 0];

/**
 * The tabs in at most `width` cells. Where not all names fit, the gaps shrink, then the names
 * farthest from the current view are cut short, and at last left out, so that every key stays
 * visible.
 */
export function drawTabs(titles: readonly string[], current: number, width: number): Line {
  const byDistance = titles
    .map((_, index) => index)
    .filter((index) => index !== current)
    .sort((a, b) => Math.abs(b - current) - Math.abs(a - current) || b - a);
  const names = [...titles];
  const draw = (gap: string) =>
    line(
      ...names.flatMap((name, index) => [
        ...(index === 0 ? [] : [span(gap)]),
        span(`${keyOf(index)} ${name}`.trimEnd(), index === current ? 'current' : 'plain'),
      ]),
    );
  const isTooWide = () => widthOf(draw(' ')) > width;
  for (const most of shortNames)
    for (const index of byDistance)
      if (isTooWide()) names[index] = cut(names[index] ?? '', most, { ellipsis: '' });
  return widthOf(draw('  ')) <= width ? draw('  ') : draw(' ');
}

function keyOf(index: number): string {
  return viewKeys[index] ?? '';
}
