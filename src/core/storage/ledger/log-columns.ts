/**
 * The columns of the log rows that the ledger writes, out of their declaration: the writers of both
 * engines derive their statements from them.
 */
import { isText, rowName } from '../../entities/convert.ts';
import type { Field } from '../../entities/field.ts';
import { logFields } from '../../entities/log.ts';
import type { SettledLog } from './settlement.ts';

interface SettledColumn {
  readonly column: string;
  readonly name: keyof SettledLog;
  readonly field: Field;
}

/** All but the row's id and that of its posting, which the writers know. */
const settledColumns: readonly SettledColumn[] = Object.entries<Field>(logFields)
  .filter(([column, field]) => field.stored !== false && !['id', 'ledger_id'].includes(column))
  .map(([column, field]) => ({ column, name: rowName(column) as keyof SettledLog, field }));

/** The columns of an insert; the posting's id is the last. */
export const logColumnNames: readonly string[] = [
  ...settledColumns.map(({ column }) => `"${column}"`),
  'ledger_id',
];

/**
 * The values for {@link logColumnNames} but the last, as SQLite's driver binds them. A charge that
 * an earlier release left in the journal takes the defaults of newer columns.
 */
export function logValues(row: Partial<SettledLog>): unknown[] {
  return settledColumns.map(({ name, field }) => {
    const given = row[name];
    const value = given === undefined ? field.default : given;
    return typeof value === 'boolean' ? Number(value) : value;
  });
}

/** Fields and types of a row as JSON, for PostgreSQL's json_to_recordset. */
export const logRecord = settledColumns
  .map(({ name, field: { kind } }) => {
    const type = kind === 'flag' ? 'boolean' : isText(kind) ? 'text' : 'bigint';
    return `"${name}" ${type}`;
  })
  .join(', ');

/** The same fields of the record `entry`, in the order of {@link logColumnNames}. */
export const logSelection = settledColumns
  .map(({ name, field: { kind } }) => `entry."${name}"${kind === 'flag' ? '::integer' : ''}`)
  .join(', ');
