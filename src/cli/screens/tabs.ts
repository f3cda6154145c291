/** The tab line: key and name of every view. */
import { type Line, line, span, widthOf } from '../kit/lines.ts';

/** The keys of the views, in their order. */
export const viewKeys = '1234567890BA';

/**
 * The tabs in at most `width` cells. Where not all names fit, those farthest from the current view
 * are left out, so that every key stays visible.
 */
export function drawTabs(titles: readonly string[], current: number, width: number): Line {
  const byDistance = titles
    .map((_, index) => index)
    .sort((a, b) => Math.abs(b - current) - Math.abs(a - current) || b - a);
  const hidden = new Set<number>();
  const draw = () =>
    line(
      ...titles.flatMap((title, index) => [
        ...(index === 0 ? [] : [span('  ')]),
        span(
          hidden.has(index) ? keyOf(index) : `${keyOf(index)} ${title}`,
          index === current ? 'current' : 'plain',
        ),
      ]),
    );
  for (const index of byDistance) {
    if (widthOf(draw()) <= width) break;
    if (index !== current) hidden.add(index);
  }
  return draw();
}

function keyOf(index: number): string {
  return viewKeys[index] ?? '';
}
