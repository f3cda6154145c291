import type { ColumnDefinitionBuilder, CreateTableBuilder, SchemaModule } from 'kysely';

/** Column shapes that the migrations share. What an engine spells its own way comes in as {@link ColumnKinds}. */
export interface ColumnKinds {
  /** `id`: 64-bit primary key that the database hands out, never given twice. */
  id<Table extends string>(table: CreateTableBuilder<Table>): CreateTableBuilder<Table, 'id'>;
  /** The same for tables whose newest row is never deleted, where remembering the highest id would cost each insert. */
  appendOnlyId<Table extends string>(table: CreateTableBuilder<Table>): CreateTableBuilder<Table, 'id'>;
  /** Columns of an index that is read in their order and then by id. */
  thenId(columns: readonly string[]): string[];
  /**
   * The same for an index that also carries columns that lists filter and sum by, so that rows that do not match are
   * never fetched. Engines whose indexes cannot test carried columns leave them out.
   */
  thenIdCarrying(columns: readonly string[], carried: readonly string[]): string[];
}

/** One migration: a small step of builder calls that runs on every engine. */
export type Step = (schema: SchemaModule, kinds: ColumnKinds) => Promise<void>;

/** For counters, flags and quotas. */
export const zero = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder => column.notNull().defaultTo(0);

/** For texts that may be empty. */
export const empty = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder => column.notNull().defaultTo('');

export const required = (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder => column.notNull();

/** A default other than 0 and ''. */
export const initially =
  (value: number | string) =>
  (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder =>
    column.notNull().defaultTo(value);

/**
 * The name of a unique index. Engines name the index or the column when it is violated; from this pattern the error
 * finds back to the column (dialects/conflict.ts).
 */
export function uniqueIndexName(table: string, column: string): string {
  return `${table}_${column}_unique`;
}
