/** The columns of a list of entities, and the card of one of them. */
import stringWidth from 'string-width';
import { cell, type Line, line, plainText, span, wrap } from '../kit/lines.ts';
import type { ScreenColumn } from './columns.ts';
import type { EntitySpec } from './entity-spec.ts';
import type { Host } from './view.ts';

/** The sign of the row's state, then the columns that screens show. */
export function screenColumns<Row>(
  { columns, state }: EntitySpec<Row>,
  host: Host,
): readonly ScreenColumn<Row>[] {
  const { cells } = host;
  const shown = columns
    .filter((column) => !column.cardOnly && column.width !== 0)
    .map((column) => ({
      title: host.localize(column.title),
      value: (row: Row) => plainText(column.value(row, cells)),
      ...(column.width === undefined ? {} : { width: column.width }),
      ...(column.align === undefined ? {} : { align: column.align }),
      ...(column.tone === undefined
        ? {}
        : { tone: (row: Row) => column.tone?.(row, cells) ?? 'plain' }),
      ...(column.expendable === undefined ? {} : { expendable: column.expendable }),
      ...(column.isId === undefined ? {} : { isId: column.isId }),
    }));
  if (state === undefined) return shown;
  return [
    {
      title: '',
      width: 1,
      value: (row) => state(row, host).glyph,
      tone: (row) => state(row, host).tone,
    },
    ...shown,
  ];
}

const leastTitle = 14;
const widestTitle = 24;

/** The columns that have a value; long values take several lines. */
export function drawCard<Row>(
  spec: EntitySpec<Row>,
  row: Row,
  host: Host,
  width: number,
): readonly Line[] {
  const { cells, glyphs } = host;
  const titles = spec.columns.map(({ title }) => stringWidth(host.localize(title)));
  const titleWidth = Math.min(widestTitle, Math.max(leastTitle, ...titles));
  const lines = spec.columns.flatMap((column) => {
    const value = plainText(column.value(row, cells));
    if (value === '') return [];
    const tone = column.tone?.(row, cells) ?? 'plain';
    return wrap(value, width - titleWidth - 1).map((part, index) => {
      const title = cell(index === 0 ? host.localize(column.title) : '', titleWidth, glyphs);
      return line(span(`${title} `, 'dim'), span(part, tone));
    });
  });
  return [...lines, ...(spec.card?.(host, row, width) ?? [])];
}
