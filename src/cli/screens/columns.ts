/**
 * Rows of a list as lines: columns of fixed or measured width, and a flexible one that takes the
 * remaining width.
 */
import stringWidth from 'string-width';
import type { Glyphs } from '../kit/glyphs.ts';
import { cell, cut, cutMiddle, type Line, line, type Span, span, toned } from '../kit/lines.ts';
import type { List } from '../kit/list.ts';
import type { Tone } from '../kit/tones.ts';

export interface ScreenColumn<Row> {
  readonly title: string;
  /**
   * Least width in cells; undefined for the flexible column. Figures always get what they need,
   * texts where there is room.
   */
  readonly width?: number;
  /** Long values lose their middle instead of their end. */
  readonly isId?: boolean;
  readonly align?: 'left' | 'right';
  readonly value: (row: Row) => string;
  readonly tone?: (row: Row) => Tone;
  /** Columns with a number are omitted, smallest first, while the flexible one is too narrow. */
  readonly expendable?: number;
  /** Minimum width of the flexible column; default 12. */
  readonly minimum?: number;
}

const flexibleMinimum = 12;
/** Width of the cursor or selection mark and a space. */
const gutter = 2;

/**
 * Rows that are measured for the widths of columns: these stay the same while a usual list is
 * scrolled.
 */
const measuredRows = 300;
/** No figure needs more. */
const widestFigure = 24;

type Sized<Row> = ScreenColumn<Row> & { readonly width: number };

/**
 * The columns that fit, with their widths. Figures are never cut: a part of a number is a wrong
 * number.
 */
function layOut<Row>(
  columns: readonly ScreenColumn<Row>[],
  rows: readonly Row[],
  width: number,
): readonly Sized<Row>[] {
  const needs = columns.map((column) => ({
    column,
    needed: Math.max(0, ...rows.map((row) => stringWidth(column.value(row)))),
  }));
  let shown = needs.map(({ column, needed }) => {
    const isFigure = column.align === 'right' && column.width !== undefined;
    const figure = Math.min(widestFigure, Math.max(needed, stringWidth(column.title)));
    const least = isFigure ? Math.max(column.width ?? 0, figure) : column.width;
    return { column, needed, least };
  });
  const minimum = columns.find((column) => column.width === undefined)?.minimum ?? flexibleMinimum;
  const taken = () => gutter + shown.reduce((sum, { least }) => sum + (least ?? 0) + 1, 0) - 1;
  while (width - taken() < minimum) {
    const candidates = shown.filter(({ column }) => column.expendable !== undefined);
    const first = candidates.sort(
      (a, b) => (a.column.expendable ?? 0) - (b.column.expendable ?? 0),
    )[0];
    if (first === undefined) break;
    shown = shown.filter((one) => one !== first);
  }
  const room = Math.max(1, width - taken());
  // What the flexible column does not need goes to texts that would be cut.
  const flexible = shown.find(({ least }) => least === undefined);
  let spare = flexible === undefined ? 0 : Math.max(0, room - Math.max(minimum, flexible.needed));
  let given = 0;
  const sized = shown.map(({ column, needed, least }) => {
    if (least === undefined) return { column, least };
    const more = Math.max(0, Math.min(spare, needed - least));
    spare -= more;
    given += more;
    return { column, least: least + more };
  });
  return sized.map(({ column, least }) => ({ ...column, width: least ?? room - given }));
}

/** Head and rows in exactly `height` lines of `width` cells. */
export function drawList<Row>(
  list: List<Row>,
  columns: readonly ScreenColumn<Row>[],
  area: { readonly width: number; readonly height: number },
  glyphs: Glyphs,
): readonly Line[] {
  const { rows: visible } = list.window(area.height - 1);
  const shown = layOut(
    columns,
    [...list.rows.slice(0, measuredRows), ...visible.map(({ row }) => row)],
    area.width,
  );
  const head = shown
    .map((column) => cell(column.title, column.width, glyphs, column.align))
    .join(' ');
  const rows = visible.map(({ row, isCursor, isSelected }) => {
    const marks = `${isSelected ? glyphs.selected : isCursor ? glyphs.cursor : ' '}${isSelected && isCursor ? glyphs.cursor : ' '}`;
    const pieces: Span[] = shown.flatMap((column, index) => [
      ...(index === 0 ? [] : [span(' ')]),
      span(
        cell(column.value(row), column.width, glyphs, column.align, column.isId ? cutMiddle : cut),
        column.tone?.(row) ?? 'plain',
      ),
    ]);
    const whole = line(marks, ...pieces);
    return isCursor ? toned(whole, 'selected') : whole;
  });
  return [line(span(' '.repeat(gutter) + head, 'dim')), ...rows];
}
