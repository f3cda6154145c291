import type { Text } from '../base/text.ts';
import type { Line } from '../kit/lines.ts';
import type { Tone } from '../kit/tones.ts';
import type { Column } from '../show/table.ts';
import type { EditableField } from './entity-fields.ts';
import type { Action } from './keys.ts';
import type { Host } from './view.ts';

/** The rows that a command applies to. */
export interface Target<Row> {
  /** The selected rows, else the one under the cursor. */
  readonly rows: readonly Row[];
  /** The name of the row, or the number of rows. */
  readonly name: string;
  /** Loads the list again. */
  reload(): Promise<void>;
}

/** What a key of this entity does. */
export interface EntityCommand<Row> {
  readonly action: Action;
  /** Needs no row. */
  readonly isForAll?: boolean;
  run(host: Host, target: Target<Row>): Promise<void> | void;
}

/** Loads a page of rows that match the filter; `page` counts from 0. */
type LoadPage<Row> = (
  host: Host,
  filter: string,
  page: number,
) => Promise<{ readonly items: readonly Row[]; readonly total: number }>;

/** An order in which the loaded rows are sorted: texts from a to z, numbers from the largest. */
export interface FigureOrder<Row> {
  readonly title: Text;
  figure(row: Row): string | number;
}
/** An order besides that of the list. With `load`, the gateway sorts, however long the list is. */
export type RowOrder<Row> =
  | FigureOrder<Row>
  | { readonly title: Text; readonly load: LoadPage<Row> };

/** Definition of the view of one kind of entity. */
export interface EntitySpec<Row> {
  readonly title: Text;
  readonly columns: readonly Column<Row>[];
  keyOf(row: Row): number;
  nameOf(row: Row): string;
  /** A symbol before the row that shows its state without colour. */
  readonly state?: (row: Row, host: Host) => { readonly glyph: string; readonly tone: Tone };
  readonly load: LoadPage<Row>;
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
  /** Keys of this entity alone. */
  readonly commands?: readonly EntityCommand<Row>[];
  readonly orders?: readonly RowOrder<Row>[];
  /** Rows of the same tag can be shown alone; the tag is '' for rows without one. */
  readonly tags?: { readonly action: Action; readonly title: Text; of(row: Row): string };
  /** Additional lines of the card. */
  readonly card?: (host: Host, row: Row, width: number) => readonly Line[];
}
