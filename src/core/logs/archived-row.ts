/** A line of an archive as a row of usage logs. */
import { isText } from '../entities/convert.ts';
import type { Field } from '../entities/field.ts';
import { logFields } from '../entities/log.ts';
import { AppError } from '../kernel/errors.ts';
import { isObject, parseJson } from '../kernel/json.ts';
import { storableText } from '../storage/storable-text.ts';
import type { ArchivedLog } from '../storage/storage.ts';

const columns = Object.entries<Field>(logFields).filter(([, { stored }]) => stored !== false);
const names = new Set(columns.map(([name]) => name));

/**
 * Columns that an earlier version did not have yet get their defaults. Throws AppError
 * archive_foreign: it is the row of another table, or of a newer version.
 */
export function readArchivedRow(text: string, file: string, line: number): ArchivedLog {
  const row = parseJson(text);
  const foreign = () => new AppError('archive_foreign', { file, line });
  if (!isObject(row) || Object.keys(row).some((name) => !names.has(name))) throw foreign();
  const values = columns.map(([name, field]) => {
    const value = columnValue(field, row[name]);
    if (value === undefined) throw foreign();
    return [name, value] as const;
  });
  const { id, created_at: time, ...others } = Object.fromEntries(values);
  if (typeof id !== 'number' || typeof time !== 'number' || id < 1 || time < 0) throw foreign();
  return { ...others, id, created_at: time };
}

/** Undefined: not what the column holds. */
function columnValue(field: Field, given: unknown): string | number | null | undefined {
  if (given === null) return field.nullable === true ? null : undefined;
  if (isText(field.kind)) {
    if (given === undefined) return String(field.default);
    return typeof given === 'string' ? storableText(given) : undefined;
  }
  if (given === undefined && !field.generated) {
    return field.nullable === true ? null : Number(field.default);
  }
  return Number.isSafeInteger(given) ? Number(given) : undefined;
}
