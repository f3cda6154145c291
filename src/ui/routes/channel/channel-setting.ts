/**
 * A channel's `setting` JSON as a form sees it: fields are read out of the text and written back
 * into it, so that the form and the raw text are two views of the same data.
 */
import { isObject, type JsonObject, type JsonValue, parseJson } from '../../../core/kernel/json.ts';
import { allowing, guardedFieldNames } from '../../../core/vocabulary/guarded-fields.ts';

/** Undefined: the text holds no JSON object, nothing can be read from it or written into it. */
export function readSetting(text: string): JsonObject | undefined {
  if (text.trim() === '') return {};
  const parsed = parseJson(text);
  return isObject(parsed) ? (parsed as JsonObject) : undefined;
}

/**
 * The text with one field set; what is empty, or off, is left out. Other fields stay where they
 * are.
 */
export function writeSetting(text: string, name: string, value: JsonValue | undefined): string {
  const { [name]: _, ...others } = readSetting(text) ?? {};
  const fields = isNothing(value) ? others : { ...readSetting(text), [name]: value };
  return Object.keys(fields).length === 0 ? '' : JSON.stringify(fields, null, 2);
}

function isNothing(value: JsonValue | undefined): value is undefined {
  if (isObject(value)) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === '';
}

/**
 * A header that a channel's requests carry. Where the name is a pattern, the caller's headers are
 * forwarded and `value` is empty.
 */
export interface HeaderRow {
  readonly name: string;
  readonly value: string;
}

/** `*` and `re:…` name headers of the caller (docs/rules/channel-rules.md). */
export function isHeaderPattern(name: string): boolean {
  return /^\s*(\*\s*$|re(gex)?:)/s.test(name);
}

export function headerRows(value: JsonValue | undefined): readonly HeaderRow[] {
  if (!isObject(value)) return [];
  return Object.entries(value as JsonObject).map(([name, content]) => ({
    name,
    value:
      typeof content === 'string' ? content : isHeaderPattern(name) ? '' : JSON.stringify(content),
  }));
}

/** Rows without a name are not there yet; of two with one name the last counts. */
export function headersOf(rows: readonly HeaderRow[]): JsonObject {
  const named = rows.filter(({ name }) => name.trim() !== '');
  return Object.fromEntries(
    named.map(({ name, value }) => [name.trim(), isHeaderPattern(name) ? true : value]),
  );
}

export function allowedFields(setting: JsonObject): readonly string[] {
  return guardedFieldNames.filter((field) => setting[allowing(field)] === true);
}

export function writeAllowed(text: string, allowed: readonly string[]): string {
  return guardedFieldNames.reduce(
    (next, field) => writeSetting(next, allowing(field), allowed.includes(field) || undefined),
    text,
  );
}
