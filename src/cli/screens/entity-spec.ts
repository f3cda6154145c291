import type { Text } from '../base/text.ts';
import type { Line } from '../kit/lines.ts';
import type { Tone } from '../kit/tones.ts';
import type { Column } from '../show/table.ts';
import type { EditableField } from './entity-fields.ts';
import type { Host } from './view.ts';

/** Definition of the view of one kind of entity. */
export interface EntitySpec<Row> {
  readonly title: Text;
  readonly columns: readonly Column<Row>[];
  keyOf(row: Row): number;
  nameOf(row: Row): string;
  /** A symbol before the row that shows its state without colour. */
  readonly state?: (row: Row, host: Host) => { readonly glyph: string; readonly tone: Tone };
  /** A hundred rows that match the filter. `page` counts from 0; only a list with {@link tagOf} is asked for others than the first. */
  load(host: Host, filter: string, page: number): Promise<{ readonly items: readonly Row[]; readonly total: number }>;
  /** Enables or disables rows, after a confirmation. */
  readonly toggle?: {
    isOn(row: Row): boolean;
    apply(host: Host, row: Row, on: boolean): Promise<void>;
  };
  readonly remove?: (host: Host, row: Row) => Promise<void>;
  /** Tests a row and shows the result. */
  readonly test?: (host: Host, row: Row) => Promise<void>;
  /** The fields that can be edited. */
  readonly fields?: readonly EditableField<Row>[];
  /** The field that a key of its own changes for all selected rows. */
  readonly weight?: EditableField<Row>;
  /** The tag of a row, '' if it has none; the list can be narrowed to one tag. */
  readonly tagOf?: (row: Row) => string;
  /** Additional lines of the card. */
  readonly card?: (host: Host, row: Row, width: number) => readonly Line[];
}
