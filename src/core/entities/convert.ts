/** Converts entities between the field names of the API (`allow_ips`) and those of rows (`allowIps`). */
import type { Field, Fields, Kind, PresentableRow, WireEntity, WireInput, Written } from './field.ts';

/** `allow_ips` → `allowIps`. */
export function rowName(wireName: string): string {
  return wireName.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

interface NamedField {
  readonly wire: string;
  readonly row: string;
  readonly isBit: boolean;
}

function namedFields(fields: Fields, isMeant: (field: Field) => boolean): readonly NamedField[] {
  return Object.entries(fields)
    .filter(([, field]) => isMeant(field))
    .map(([name, { kind }]) => ({ wire: name, row: rowName(name), isBit: kind === 'bit' }));
}

/** A function that converts a row's visible fields to API names. The caller must first replace secrets by the text to show. */
export function createPresenter<F extends Fields>(fields: F): (row: PresentableRow<F>) => WireEntity<F> {
  const names = namedFields(fields, (field) => field.hidden !== true);
  return (values) => {
    const read = values as Readonly<Record<string, unknown>>;
    const entries = names.map(({ wire, row, isBit }) => [wire, isBit ? Number(read[row]) : read[row]]);
    return Object.fromEntries(entries) as WireEntity<F>;
  };
}

interface InputReader<F extends Fields> {
  (input: WireInput<F>): Written<F>;
  /** Absent and undefined fields stay absent. */
  (input: Partial<WireInput<F>>): Partial<Written<F>>;
}

/** A function that converts the fields of a request to row names. Fields that callers may not write are dropped. */
export function createInputReader<F extends Fields>(fields: F): InputReader<F> {
  const names = namedFields(fields, (field) => field.input !== undefined);
  const read = (input: Readonly<Record<string, unknown>>) => {
    const present = names.filter(({ wire }) => input[wire] !== undefined);
    return Object.fromEntries(present.map(({ wire, row, isBit }) => [row, isBit ? input[wire] === 1 : input[wire]]));
  };
  return read as unknown as InputReader<F>;
}

/** The fields of an entity that callers may write, with their API names. */
export function inputOf<F extends Fields>(fields: F, entity: WireInput<F>): WireInput<F> {
  return Object.fromEntries(Object.entries(entity).filter(([name]) => fields[name]?.input !== undefined)) as WireInput<F>;
}

/** The initial values of a form for a new entity, with their API names. */
export function initialInput<F extends Fields>(fields: F): WireInput<F> {
  const written = Object.entries(fields).filter(([, field]) => field.input !== undefined);
  return Object.fromEntries(written.map(([name, field]) => [name, initialOf(field)])) as WireInput<F>;
}

function initialOf(field: Field): string | number | boolean {
  const initial = field.input?.initial;
  return initial === undefined ? defaultInput(field) : field.kind === 'bit' ? Number(initial) : initial;
}

/** The value in the API if a call that creates leaves the field out. */
export function defaultInput({ kind, input, default: stored }: Field): string | number | boolean {
  const value = input?.default ?? stored ?? emptyValue(kind);
  return kind === 'bit' ? Number(value) : value;
}

/** '', 0 or false. */
export function emptyValue(kind: Kind): string | number | boolean {
  if (kind === 'flag') return false;
  return isText(kind) ? '' : 0;
}

/** Whether the field is a text in the API. */
export function isText(kind: Kind): boolean {
  return kind === 'text' || kind === 'list' || kind === 'json' || kind === 'secret';
}
