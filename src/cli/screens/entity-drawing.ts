/** The columns of a list of entities, and the card of one of them. */
import { cell, type Line, line, plainText, span } from '../kit/lines.ts';
import type { ScreenColumn } from './columns.ts';
import type { EntitySpec } from './entity-spec.ts';
import type { Host } from './view.ts';

/** The sign of the row's state, then the columns that screens show. */
export function screenColumns<Row>({ columns, state }: EntitySpec<Row>, host: Host): readonly ScreenColumn<Row>[] {
  const { cells } = host;
  const shown = columns
    .filter((column) => !column.cardOnly && column.width !== 0)
    .map((column) => ({
      title: host.localize(column.title),
      value: (row: Row) => plainText(column.value(row, cells)),
      ...(column.width === undefined ? {} : { width: column.width }),
      ...(column.align === undefined ? {} : { align: column.align }),
      ...(column.tone === undefined ? {} : { tone: (row: Row) => column.tone?.(row, cells) ?? 'plain' }),
      ...(column.expendable === undefined ? {} : { expendable: column.expendable }),
    }));
  if (state === undefined) return shown;
  return [{ title: '', width: 1, value: (row) => state(row, host).glyph, tone: (row) => state(row, host).tone }, ...shown];
}

/** One line for each column that has a value. */
export function drawCard<Row>(spec: EntitySpec<Row>, row: Row, host: Host, width: number): readonly Line[] {
  const { cells, glyphs } = host;
  const lines = spec.columns.flatMap((column) => {
    const value = plainText(column.value(row, cells));
    if (value === '') return [];
    const title = cell(host.localize(column.title), 14, glyphs);
    return [line(span(`${title} `, 'dim'), span(value, column.tone?.(row, cells) ?? 'plain'))];
  });
  return [...lines, ...(spec.card?.(host, row, width) ?? [])];
}
