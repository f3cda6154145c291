/**
 * Converts entities between the field names of the API (`allow_ips`) and those of rows
 * (`allowIps`).
 */
import type {
  ColumnDefaults,
  Field,
  Fields,
  InputName,
  Kind,
  MaskedName,
  PlainValue,
  PresentableRow,
  RowName,
  VisibleName,
  WireEntity,
  WireInput,
  WriteCall,
} from './field.ts';

/** `allow_ips` → `allowIps`, `DeletedAt` → `deletedAt`. */
export function rowName<Name extends string>(wireName: Name): RowName<Name> {
  const joined = wireName.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return `${joined.charAt(0).toLowerCase()}${joined.slice(1)}` as RowName<Name>;
}

/** Whether a call accepts the field. Without a call: whether any does. */
export function isWritable({ input }: Field, call?: WriteCall): boolean {
  if (input === undefined || call === undefined) return input !== undefined;
  return (input.calls ?? createAndEdit).includes(call);
}
const createAndEdit: readonly WriteCall[] = ['create', 'edit'];

interface NamedField {
  readonly wire: string;
  readonly row: string;
  readonly field: Field;
}

function namedFields(fields: Fields, isMeant: (field: Field) => boolean): readonly NamedField[] {
  return Object.entries(fields)
    .filter(([, field]) => isMeant(field))
    .map(([name, field]) => ({ wire: name, row: rowName(name), field }));
}

// ---- replies
// ------------------------------------------------------------------------------------------------------

/** What remains of the text of each masked field. */
type Masks<F extends Fields> = {
  readonly [N in MaskedName<F> as RowName<N>]: (text: string) => string;
};
/** Whether a reader sees the whole text of fields that are masked for others. */
export type Shown = 'whole' | 'masked';
type Presenter<F extends Fields> = (
  row: PresentableRow<F>,
  ...shown: [MaskedName<F, 'for-others'>] extends [never] ? [] : [Shown]
) => WireEntity<F>;

/**
 * A function that converts a row's visible fields to API names. The caller must first replace
 * secrets by the text to show, and supply the visible fields that are not stored.
 */
export function createPresenter<F extends Fields>(
  fields: F,
  ...masks: [MaskedName<F>] extends [never] ? [] : [Masks<F>]
): Presenter<F> {
  const names = namedFields(fields, (field) => field.hidden !== true);
  const mask = (masks[0] ?? {}) as Readonly<Record<string, (text: string) => string>>;
  const present = (values: Readonly<Record<string, unknown>>, shown: Shown = 'masked') => {
    const entries = names.map(({ wire, row, field }) => {
      const value = wireValue(field, values[row]);
      const isMasked =
        field.masked === 'always' || (field.masked === 'for-others' && shown === 'masked');
      return [wire, isMasked ? mask[row]?.(String(value)) : value];
    });
    return Object.fromEntries(entries);
  };
  return present as unknown as Presenter<F>;
}

function wireValue({ kind, nullAsEmpty }: Field, value: unknown): unknown {
  if (value === null) return nullAsEmpty ? emptyValue(kind) : null;
  if (kind === 'bit') return Number(value);
  return kind === 'instant' ? new Date(Number(value) * 1000).toISOString() : value;
}

// ---- requests
// -----------------------------------------------------------------------------------------------------

/** Absent and undefined fields stay absent. */
type InputReader<F extends Fields, Call extends WriteCall> = <
  Given extends Partial<WireInput<F, Call>>,
>(
  input: Given,
) => {
  readonly [N in keyof Given & InputName<F, Call> as RowName<N>]:
    | PlainValue<F[N]>
    | (undefined extends Given[N] ? undefined : never);
};

/**
 * A function that converts the fields of a request to row names. Fields that the call (absent: any
 * call) does not accept are dropped.
 */
export function createInputReader<F extends Fields, Call extends WriteCall = WriteCall>(
  fields: F,
  call?: Call,
): InputReader<F, Call> {
  const names = namedFields(fields, (field) => isWritable(field, call));
  const read = (input: Readonly<Record<string, unknown>>) => {
    const present = names.filter(({ wire }) => input[wire] !== undefined);
    return Object.fromEntries(
      present.map(({ wire, row, field }) => [
        row,
        field.kind === 'bit' ? input[wire] === 1 : input[wire],
      ]),
    );
  };
  return read as unknown as InputReader<F, Call>;
}

// ---- forms
// --------------------------------------------------------------------------------------------------------

type EditableEntity<F extends Fields, Call extends WriteCall> = Pick<
  WireInput<F, Call>,
  keyof WireInput<F, Call> & VisibleName<F>
>;

/**
 * The fields of an entity that a call (absent: any call) may write, with their API names. Those
 * that never leave the server, such as a password, are empty.
 */
export function inputOf<F extends Fields, Call extends WriteCall = WriteCall>(
  fields: F,
  entity: EditableEntity<F, Call>,
  call?: Call,
): WireInput<F, Call> {
  const values: Readonly<Record<string, unknown>> = entity;
  const names = namedFields(fields, (field) => isWritable(field, call));
  return Object.fromEntries(
    names.map(({ wire, field }) => [wire, field.hidden ? emptyValue(field.kind) : values[wire]]),
  ) as WireInput<F, Call>;
}

/** The initial values of a form for a new entity, with their API names. */
export function initialInput<F extends Fields>(fields: F): WireInput<F, 'create'> {
  const names = namedFields(fields, (field) => isWritable(field, 'create'));
  return Object.fromEntries(names.map(({ wire, field }) => [wire, initialOf(field)])) as WireInput<
    F,
    'create'
  >;
}

function initialOf(field: Field): string | number | boolean {
  const initial = field.input?.initial;
  return initial === undefined
    ? defaultInput(field)
    : field.kind === 'bit'
      ? Number(initial)
      : initial;
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
  return (
    kind === 'text' || kind === 'list' || kind === 'json' || kind === 'secret' || kind === 'instant'
  );
}

/** The declared defaults of columns, by the names of rows: what an insert may leave out. */
export function columnDefaults<F extends Fields>(fields: F): ColumnDefaults<F> {
  const left = Object.entries<Field>(fields).filter(([, field]) => field.default !== undefined);
  return Object.fromEntries(
    left.map(([name, field]) => [rowName(name), field.default]),
  ) as ColumnDefaults<F>;
}
