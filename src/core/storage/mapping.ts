import type { Insertable, Selectable } from 'kysely';
import { rowName } from '../entities/convert.ts';
import type {
  Field as DeclaredField,
  Fields as DeclaredFields,
  MappedRow,
} from '../entities/field.ts';
import { clampQuota, type Quota, toQuota } from '../kernel/quota.ts';
import type { Database, TableName } from './schema.ts';

/** How one field of a row type is stored in its column. */
interface Field<Value> {
  readonly column: string;
  read(stored: unknown): Value;
  write(value: Value): unknown;
}

type Fields<Row> = { readonly [Name in keyof Row]-?: Field<Row[Name]> };

/** Converts between a row type and the columns of a table. */
export interface Mapping<Table extends TableName, Row> {
  read(stored: Selectable<Database[Table]>): Row;
  /** Only the given fields; undefined counts as not given. */
  write(row: Partial<Row>): Insertable<Database[Table]>;
}

const same = <Value>(column: string): Field<Value> => ({
  column,
  read: (stored) => stored as Value,
  write: (value) => value,
});

/** A column that stores the value unchanged. */
export const text = <Value extends string = string>(column: string): Field<Value> => same(column);
export const integer = (column: string): Field<number> => same(column);
export const nullableText = (column: string): Field<string | null> => same(column);
export const nullableInteger = (column: string): Field<number | null> => same(column);
/** Stored as 0 and 1, because the SQLite driver cannot bind booleans. */
export const flag = (column: string): Field<boolean> => ({
  column,
  read: (stored) => stored === 1,
  write: (value) => (value ? 1 : 0),
});
/**
 * Throws on writing values that are not safe integers; stored ones are read as the nearest
 * (docs/rules/ledger.md#quota-range).
 */
export const quota = (column: string): Field<Quota> => ({
  column,
  read: (stored) => clampQuota(stored as number),
  write: toQuota,
});

/** A sum; stored ones beyond the safe integers are read as the nearest. */
export const counter = (column: string): Field<number> => ({
  column,
  read: (stored) => clampQuota(stored as number),
  write: (value) => value,
});

/** The type requires every field of the row type, so that a new one is not forgotten. */
export function defineMapping<Table extends TableName, Row>(
  fields: Fields<Row>,
): Mapping<Table, Row> {
  const entries = Object.entries(fields) as [keyof Row, Field<Row[keyof Row]>][];
  return {
    read(stored) {
      const columns = stored as Record<string, unknown>;
      return Object.fromEntries(
        entries.map(([name, field]) => [name, field.read(columns[field.column])]),
      ) as Row;
    },
    write(row) {
      const columns: Record<string, unknown> = {};
      for (const [name, field] of entries) {
        const value = row[name];
        if (value !== undefined) columns[field.column] = field.write(value);
      }
      return columns as Insertable<Database[Table]>;
    },
  };
}

/**
 * The mapping of an entity whose fields are declared (core/entities). The repository seals and
 * opens the rest.
 */
export function defineEntityMapping<Table extends TableName, F extends DeclaredFields>(
  fields: F,
): Mapping<Table, MappedRow<F>> {
  const mapped = Object.entries(fields)
    .filter(([, { kind, sealed, stored }]) => kind !== 'secret' && !sealed && stored !== false)
    .map(([name, field]) => [rowName(name), columnOf(field.column ?? name, field)]);
  return defineMapping<Table, MappedRow<F>>(Object.fromEntries(mapped) as Fields<MappedRow<F>>);
}

function columnOf(column: string, { kind }: DeclaredField): Field<unknown> {
  if (kind === 'flag' || kind === 'bit') return flag(column);
  if (kind === 'quota') return quota(column);
  return same(column);
}
