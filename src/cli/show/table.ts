/** Columns of entities, shared by tables, cards of a single entity, and the terminal screens. */
import stringWidth from 'string-width';
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
  const head = shown.map((column) => ({
    text: localize(output.language, column.title),
    tone: 'dim' as const,
  }));
  const body = rows.map((row, index) =>
    shown.map((column, at) => {
      const place = places[at] ?? 0;
      const text = elide(texts[index]?.[place] ?? '', widths.get(place) ?? 0);
      return { text, tone: column.tone?.(row, view) ?? 'plain' };
    }),
  );
  printLines(
    output,
    [head, ...body],
    shown.map((column, at) => ({
      width: widths.get(places[at] ?? 0) ?? 0,
      isRight: column.align === 'right',
    })),
  );
}

interface Cell {
  readonly text: string;
  readonly tone: Tone;
}

/**
 * Cells under each other, two spaces apart and without borders, so that awk reads them and Chinese
 * columns align.
 */
function printLines(
  output: Output,
  rows: readonly (readonly Cell[])[],
  columns: readonly { readonly width: number; readonly isRight?: boolean }[],
): void {
  for (const row of rows) {
    const cells = row.map(({ text, tone }, at) => {
      const { width, isRight } = columns[at] ?? { width: 0 };
      const space = ' '.repeat(Math.max(0, width - stringWidth(text)));
      const painted = output.paint(tone, text);
      return isRight ? space + painted : painted + space;
    });
    output.line(cells.join('  ').trimEnd());
  }
}

/** Prints a single entity as a card: title and value per line. */
export function printCard<Row>(
  output: Output,
  columns: readonly Column<Row>[],
  row: Row,
  view: View,
): void {
  const lines = columns.flatMap((column): [Cell, Cell][] => {
    const text = plainText(column.value(row, view));
    if (text === '') return [];
    const title = { text: localize(output.language, column.title), tone: 'dim' as const };
    return [[title, { text, tone: column.tone?.(row, view) ?? 'plain' }]];
  });
  const width = Math.max(0, ...lines.map(([title]) => stringWidth(title.text)));
  printLines(output, lines, [{ width }, { width: 0 }]);
}

const texts = {
  noColumn: {
    en: 'There is no column {name}: use {names}',
    zh: '没有名为 {name} 的列，可用的列：{names}',
  },
} satisfies Record<string, Text>;
