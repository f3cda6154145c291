/** Fits a table into the terminal: long texts are shortened, then columns are omitted. */
import stringWidth from 'string-width';
import { cut } from '../kit/lines.ts';

export interface FittedColumn {
  readonly title: string;
  readonly cells: readonly string[];
  /** How the column shrinks; undefined: never. */
  readonly narrow: 'elide' | 'drop' | undefined;
  /** Not a number. */
  readonly isText?: boolean;
}

const gap = 2;
/** Minimum width of a shortened text, in cells. */
const least = 10;

/** With the cells that its widest text takes: measured once, since there may be many rows. */
interface Measured extends FittedColumn {
  readonly natural: number;
}
const measure = (column: FittedColumn): Measured => ({
  ...column,
  natural: column.cells.reduce(
    (widest, text) => Math.max(widest, stringWidth(text)),
    stringWidth(column.title),
  ),
});
const floorOf = ({ narrow, natural, title }: Measured) =>
  narrow !== 'elide' ? natural : Math.min(natural, Math.max(least, stringWidth(title)));
const sum = (widths: readonly number[]) => widths.reduce((total, width) => total + width, 0);

/** Texts up to this width, such as times, are shown as a whole or not at all. */
const longest = 20;
/** Of a table that is still too wide, these are never omitted: they say which row it is. */
const firstColumns = 2;

/**
 * The columns that fit into `width` cells: index → width. Where what the columns allow is not
 * enough, texts are shortened although their columns do not say so, and then the columns on the
 * right are omitted.
 */
export function fitColumns(
  listed: readonly FittedColumn[],
  width: number,
): ReadonlyMap<number, number> {
  const columns = listed.map(measure);
  const mayElide = (column: Measured) => column.isText === true && column.natural > longest;
  const shortened = columns.map((column) => ({
    ...column,
    narrow: column.narrow ?? (mayElide(column) ? 'elide' : undefined),
  }));
  const attempts = [
    layOut(columns, width),
    layOut(shortened, width),
    layOut(shortened, width, firstColumns),
  ];
  return attempts.find((widths) => totalOf(widths) <= width) ?? attempts.at(-1) ?? new Map();
}

const totalOf = (widths: ReadonlyMap<number, number>) =>
  sum([...widths.values()]) + gap * (widths.size - 1);

/** `fixed`: number of columns that stay, whatever the width; those that may be omitted go first. */
function layOut(
  columns: readonly Measured[],
  width: number,
  fixed = columns.length,
): ReadonlyMap<number, number> {
  const places = columns.map((_, place) => place);
  const needed = (kept: readonly number[]) =>
    sum(kept.flatMap((place) => columns[place] ?? []).map(floorOf)) + gap * (kept.length - 1);
  let kept: readonly number[] = places;
  while (needed(kept) > width) {
    const last =
      kept.findLast((place) => columns[place]?.narrow === 'drop') ??
      kept.findLast((place) => place >= fixed);
    if (last === undefined) break;
    kept = kept.filter((place) => place !== last);
  }
  const widths = new Map(
    kept.flatMap((place) =>
      columns[place] === undefined ? [] : [[place, columns[place].natural]],
    ),
  );
  for (;;) {
    const excess = totalOf(widths) - width;
    const elastic = [...widths].filter(
      ([place, size]) => columns[place] !== undefined && size > floorOf(columns[place]),
    );
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
