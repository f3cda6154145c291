/** CSV by RFC 4180, safe to open in a spreadsheet (docs/rules/usage-logs.md#csv). */
import { type Decimal, toText } from './decimal.ts';

/** Only a string is text: an amount that is no JavaScript number is a {@link Decimal}. */
export type CsvCell = string | number | boolean | Decimal | null;

/** Text that begins so may be read as a formula; the wide forms too, which some locales accept. */
const formulaStart = /^[\s]*[=+\-@＝＋－＠]|^[\t\r\n]/;

/** Marks UTF-8 for Excel, which otherwise reads the file in the system's own encoding. */
export const byteOrderMark = '\uFEFF';

/**
 * One record, with its line end. Line breaks inside a cell become LF, so CRLF ends a record and
 * nothing else.
 */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell === 'object') return toText(cell);
  if (typeof cell !== 'string') return String(cell);
  const text = cell.replace(/\r\n?/g, '\n');
  const safe = formulaStart.test(text) ? `'${text}` : text;
  return /[",\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
