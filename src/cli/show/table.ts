/** Columns of entities, shared by tables, cards of a single entity, and the terminal screens. */
import Table from 'cli-table3';
import { type Language, localize, type Text } from '../base/text.ts';
import { UsageError } from '../base/usage-error.ts';
import { plainText } from '../kit/lines.ts';
import type { Tone } from '../kit/tones.ts';
import { elide, fitColumns } from './fit-table.ts';
import type { Money } from './money.ts';
import type { Output } from './output.ts';

/** What cells need for formatting. */
export interface View {
  readonly language: Language;
  readonly money: Money;
  /** False: nobody has set the site up yet. Absent: unknown. */
  readonly isSetUp?: boolean;
  /** Unix seconds. */
  readonly now: number;
}

export interface Column<Row> {
  readonly title: Text;
  readonly value: (row: Row, view: View) => string;
  readonly align?: 'right';
  readonly tone?: (row: Row, view: View) => Tone;
  /** Only in the card of a single entity, not in lists. */
  readonly cardOnly?: boolean;
  /** Terminal screens: long values lose their middle instead of their end. */
  readonly isId?: boolean;
  /** Terminal screens: least width in cells; absent: the remaining width; 0: hidden. */
  readonly width?: number;
  /**
   * Terminal screens: columns with a number are omitted, smallest first, if the screen is too
   * narrow.
   */
  readonly expendable?: number;
  /**
   * Tables on a narrow terminal: long texts are shortened, or the whole column is omitted. Absent:
   * omitted if it is on screens, else only where the table would be too wide.
   */
  readonly narrow?: 'elide' | 'drop';
}

/** No borders, so that tables can be processed with awk and Chinese columns align. */
const bare = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
};

/** How a column is named on the command line: its English title, with dashes. */
const nameOf = <Row>({ title }: Column<Row>): string => title.en.toLowerCase().replace(/\s+/g, '-');

/**
 * The columns of a list: those that were named, also those that are else only in cards, or the
 * usual ones. Throws UsageError with all names for one that there is not.
 */
export function choose<Row>(
  output: Output,
  columns: readonly Column<Row>[],
): readonly Column<Row>[] {
  if (output.columns === undefined) return columns.filter((column) => !column.cardOnly);
  return output.columns.map((name) => {
    const found = columns.find(
      (column) => nameOf(column) === name.toLowerCase() || column.title.zh === name,
    );
    if (found !== undefined) return found;
    throw new UsageError(texts.noColumn, { name, names: columns.map(nameOf).join(', ') });
  });
}

/** A column that was named is not left out while another can be shortened. */
const narrowOf = <Row>(
  { narrow, expendable, width, align }: Column<Row>,
  isAsked: boolean,
): 'elide' | 'drop' | undefined => {
  if (isAsked) return align === 'right' ? undefined : 'elide';
  return narrow ?? (expendable === undefined && width !== 0 ? undefined : 'drop');
};

/** Prints a table, at most as wide as the terminal; complete in pipes. */
export function printTable<Row>(
  output: Output,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  view: View,
): void {
  const listed = choose(output, columns);
  const texts = rows.map((row) => listed.map((column) => plainText(column.value(row, view))));
  const widths = fitColumns(
    listed.map((column, place) => ({
      title: localize(output.language, column.title),
      cells: texts.map((cells) => cells[place] ?? ''),
      narrow: narrowOf(column, output.columns !== undefined),
      isText: column.align !== 'right',
    })),
    output.width,
  );
  const places = [...widths.keys()];
  const shown = listed.filter((_, place) => widths.has(place));
  const table = new Table({
    chars: bare,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
    head: shown.map((column) => output.paint('dim', localize(output.language, column.title))),
    colAligns: shown.map((column) => column.align ?? 'left'),
  });
  for (const [index, row] of rows.entries()) {
    const cells = shown.map((column, at) => {
      const place = places[at] ?? 0;
      const text = elide(texts[index]?.[place] ?? '', widths.get(place) ?? 0);
      return output.paint(column.tone?.(row, view) ?? 'plain', text);
    });
    table.push(cells);
  }
  for (const line of table.toString().split('\n')) output.line(line.trimEnd());
}

/** Prints a single entity as a card: title and value per line. */
export function printCard<Row>(
  output: Output,
  columns: readonly Column<Row>[],
  row: Row,
  view: View,
): void {
  const table = new Table({
    chars: bare,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
  });
  for (const column of columns) {
    const value = plainText(column.value(row, view));
    if (value === '') continue;
    const title = output.paint('dim', localize(output.language, column.title));
    table.push([title, output.paint(column.tone?.(row, view) ?? 'plain', value)]);
  }
  for (const line of table.toString().split('\n')) output.line(line.trimEnd());
}

const texts = {
  noColumn: {
    en: 'There is no column {name}: use {names}',
    zh: '没有名为 {name} 的列，可用的列：{names}',
  },
} satisfies Record<string, Text>;
