/** Rows of a list as lines: fixed columns, and a flexible one that takes the remaining width. */
import type { Glyphs } from '../kit/glyphs.ts';
import { cell, type Line, line, type Span, span, toned } from '../kit/lines.ts';
import type { List } from '../kit/list.ts';
import type { Tone } from '../kit/tones.ts';

export interface ScreenColumn<Row> {
  readonly title: string;
  /** Width in cells; undefined for the flexible column. */
  readonly width?: number;
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

/** The columns that fit, with their widths. */
function layOut<Row>(
  columns: readonly ScreenColumn<Row>[],
  width: number,
): readonly (ScreenColumn<Row> & { readonly width: number })[] {
  let shown = [...columns];
  const minimum = columns.find((column) => column.width === undefined)?.minimum ?? flexibleMinimum;
  const taken = () => gutter + shown.reduce((sum, column) => sum + (column.width ?? 0) + 1, 0) - 1;
  while (width - taken() < minimum) {
    const candidates = shown.filter((column) => column.expendable !== undefined);
    const first = candidates.sort((a, b) => (a.expendable ?? 0) - (b.expendable ?? 0))[0];
    if (first === undefined) break;
    shown = shown.filter((column) => column !== first);
  }
  const room = Math.max(1, width - taken());
  return shown.map((column) => ({ ...column, width: column.width ?? room }));
}

/** Head and rows in exactly `height` lines of `width` cells. */
export function drawList<Row>(
  list: List<Row>,
  columns: readonly ScreenColumn<Row>[],
  area: { readonly width: number; readonly height: number },
  glyphs: Glyphs,
): readonly Line[] {
  const shown = layOut(columns, area.width);
  const head = shown.map((column) => cell(column.title, column.width, glyphs, column.align)).join(' ');
  const rows = list.window(area.height - 1).rows.map(({ row, isCursor, isSelected }) => {
    const marks = `${isSelected ? glyphs.selected : isCursor ? glyphs.cursor : ' '}${isSelected && isCursor ? glyphs.cursor : ' '}`;
    const pieces: Span[] = shown.flatMap((column, index) => [
      ...(index === 0 ? [] : [span(' ')]),
      span(cell(column.value(row), column.width, glyphs, column.align), column.tone?.(row) ?? 'plain'),
    ]);
    const whole = line(marks, ...pieces);
    return isCursor ? toned(whole, 'selected') : whole;
  });
  return [line(span(' '.repeat(gutter) + head, 'dim')), ...rows];
}
