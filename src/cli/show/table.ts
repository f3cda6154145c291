/** Rows of things as text: columns once, used by tables, cards of one thing, and the terminal screens. */
import Table from 'cli-table3';
import { type Language, say, type Text } from '../base/text.ts';
import type { Tone } from '../kit/tones.ts';
import { elide, fitColumns } from './fit-table.ts';
import type { Money } from './money.ts';
import type { Output } from './output.ts';

/** What a cell may use to write itself. */
export interface View {
  readonly language: Language;
  readonly money: Money;
  /** Unix seconds. */
  readonly now: number;
}

export interface Column<Row> {
  readonly title: Text;
  readonly value: (row: Row, view: View) => string;
  readonly align?: 'right';
  readonly tone?: (row: Row) => Tone;
  /** Only in the card of one thing, not in lists. */
  readonly cardOnly?: boolean;
  /** Terminal screens: cells wide; absent: what is left over. 0: not on a screen. */
  readonly width?: number;
  /** Terminal screens: columns with a number are left out, smallest first, where there is no room. */
  readonly expendable?: number;
  /** Tables, where the terminal is too narrow: long texts are elided, or the whole column is left out. */
  readonly narrow?: 'elide' | 'drop';
}

/** No frames: a table can be cut with awk, and Chinese keeps its columns. */
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

/** Line breaks and control characters would break the table, or steer the terminal. */
export function plainText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must go
  return text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');
}

/** As wide as the terminal at most; whole in pipes. */
export function printTable<Row>(output: Output, columns: readonly Column<Row>[], rows: readonly Row[], view: View): void {
  const listed = columns.filter((column) => !column.cardOnly);
  const texts = rows.map((row) => listed.map((column) => plainText(column.value(row, view))));
  const widths = fitColumns(
    listed.map((column, place) => ({
      title: say(output.language, column.title),
      cells: texts.map((cells) => cells[place] ?? ''),
      narrow: column.narrow,
    })),
    output.width,
  );
  const places = [...widths.keys()];
  const shown = listed.filter((_, place) => widths.has(place));
  const table = new Table({
    chars: bare,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
    head: shown.map((column) => output.paint('dim', say(output.language, column.title))),
    colAligns: shown.map((column) => column.align ?? 'left'),
  });
  for (const [index, row] of rows.entries()) {
    const cells = shown.map((column, at) => {
      const place = places[at] ?? 0;
      const text = elide(texts[index]?.[place] ?? '', widths.get(place) ?? 0);
      return output.paint(column.tone?.(row) ?? 'plain', text);
    });
    table.push(cells);
  }
  for (const line of table.toString().split('\n')) output.line(line.trimEnd());
}

/** One thing as a card: title and value per line. */
export function printCard<Row>(output: Output, columns: readonly Column<Row>[], row: Row, view: View): void {
  const table = new Table({ chars: bare, style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true } });
  for (const column of columns) {
    const value = plainText(column.value(row, view));
    if (value === '') continue;
    const title = output.paint('dim', say(output.language, column.title));
    table.push([title, output.paint(column.tone?.(row) ?? 'plain', value)]);
  }
  for (const line of table.toString().split('\n')) output.line(line.trimEnd());
}
