/** Fits a table into the terminal: long texts are shortened, then columns are omitted. */
import stringWidth from 'string-width';
import { cut } from '../kit/lines.ts';

export interface FittedColumn {
  readonly title: string;
  readonly cells: readonly string[];
  /** How the column shrinks; undefined: never. */
  readonly narrow: 'elide' | 'drop' | undefined;
}

const gap = 2;
/** Minimum width of a shortened text, in cells. */
const least = 10;

const naturalWidth = ({ title, cells }: FittedColumn) => Math.max(stringWidth(title), ...cells.map((text) => stringWidth(text)));
const floorOf = (column: FittedColumn) => {
  const natural = naturalWidth(column);
  return column.narrow !== 'elide' ? natural : Math.min(natural, Math.max(least, stringWidth(column.title)));
};
const sum = (widths: readonly number[]) => widths.reduce((total, width) => total + width, 0);

/** The columns that fit into `width` cells: index → width. */
export function fitColumns(columns: readonly FittedColumn[], width: number): ReadonlyMap<number, number> {
  const places = columns.map((_, place) => place);
  const needed = (kept: readonly number[]) =>
    sum(kept.flatMap((place) => columns[place] ?? []).map(floorOf)) + gap * (kept.length - 1);
  let kept: readonly number[] = places;
  while (needed(kept) > width) {
    const last = kept.findLast((place) => columns[place]?.narrow === 'drop');
    if (last === undefined) break;
    kept = kept.filter((place) => place !== last);
  }
  const widths = new Map(kept.flatMap((place) => (columns[place] === undefined ? [] : [[place, naturalWidth(columns[place])]])));
  for (;;) {
    const excess = sum([...widths.values()]) + gap * (widths.size - 1) - width;
    const elastic = [...widths].filter(([place, size]) => columns[place] !== undefined && size > floorOf(columns[place]));
    const [widest] = elastic.sort((a, b) => b[1] - a[1]);
    if (excess <= 0 || widest === undefined) return widths;
    const [place, size] = widest;
    const floor = columns[place] === undefined ? size : floorOf(columns[place]);
    // Shrink to the next widest column, so that the longest texts are shortened first.
    const next = elastic[1]?.[1] ?? 0;
    widths.set(place, Math.max(floor, size - excess, Math.min(next, size - 1)));
  }
}

export function elide(text: string, width: number): string {
  return cut(text, width, { ellipsis: '…' });
}
