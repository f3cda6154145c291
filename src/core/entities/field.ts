/**
 * How the fields of an entity are declared. A declaration is plain data under the field's name on the wire, which is also
 * the name of its column. The API schemas (contract/entity-schema.ts), the table's columns and their mapping
 * (storage/entity-mapping.ts), presenters, readers and limits (this folder), and the flags and columns of the command line
 * derive from it when their modules load.
 */
import type { ErrorCode } from '../kernel/errors.ts';
import type { Quota } from '../kernel/quota.ts';
import type { Secret } from '../kernel/secret.ts';
import type { Text } from '../kernel/text.ts';

/** The types of each kind: in a row, in presenters and readers, and in the API. */
interface Kinds {
  text: Same<string>;
  /** A text that lists values, divided by the field's separator. */
  list: Same<string>;
  /** The text of a JSON object, or ''. */
  json: Same<string>;
  integer: Same<number>;
  decimal: Same<number>;
  /** A column of 0 and 1. */
  flag: Same<boolean>;
  /** A flag that is 0 or 1 in the API too. */
  bit: { row: boolean; plain: boolean; wire: number };
  quota: { row: Quota; plain: number; wire: number };
  /** Unix seconds. */
  time: Same<number>;
  /** Not mapped to a column: the repository encrypts and decrypts it. */
  secret: { row: Secret; plain: string; wire: string };
}
interface Same<Value> {
  row: Value;
  plain: Value;
  wire: Value;
}
export type Kind = keyof Kinds;

/** Bounds of a text's length in characters (not bytes, not UTF-16 units), or of a number. */
export interface Limits {
  readonly min?: number;
  readonly max?: number;
  /** The error of a value outside the bounds. Its parameters are `min` and `max`. */
  readonly error: ErrorCode;
  /** The error of an empty text, where it differs. */
  readonly empty?: ErrorCode;
}

/** Present where callers may write the field, when they create the entity and when they edit it. */
export interface Input {
  /** A call that creates must give it. */
  readonly required?: true;
  /** The value of a new entity if the call leaves the field out. Absent: the column's default. */
  readonly default?: string | number | boolean;
  /** The initial value in a form for a new entity. Absent: the default. */
  readonly initial?: string | number | boolean;
  /** null stands for an empty text or 0, as in One API and New API. */
  readonly nullable?: true;
}

export interface Field {
  readonly kind: Kind;
  /** The column may hold null. */
  readonly nullable?: true;
  /** The database generates it. */
  readonly generated?: true;
  /** The column's default, as the migrations set it. Absent: an insert must give the value. */
  readonly default?: string | number | boolean;
  /** Never leaves the server. */
  readonly hidden?: true;
  readonly input?: Input;
  /** Spaces around the text are removed. */
  readonly trim?: true;
  readonly limits?: Limits;
  /** Lists only. */
  readonly separator?: ',' | '\n';
  /** Times only: the value that means never. */
  readonly never?: number;
  /** A noun, lower case in English: the title in tables and cards. */
  readonly label?: Text;
  /** What the field is for: the help of its flag, the hint in its form. */
  readonly help?: Text;
  /** The name of its flag. Absent: its own with hyphens. */
  readonly flag?: string;
}

export type Fields = Readonly<Record<string, Field>>;

/** Checks a declaration and keeps its literal types. */
export function defineFields<const F extends Fields>(fields: F): F {
  return fields;
}

// ---- types that derive from a declaration -------------------------------------------------------------------------

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

type Name<F extends Fields> = keyof F & string;
type OrNull<F extends Field> = F extends { nullable: true } ? null : never;
type RowValue<F extends Field> = Kinds[F['kind']]['row'] | OrNull<F>;
type PlainValue<F extends Field> = Kinds[F['kind']]['plain'] | OrNull<F>;
type WireValue<F extends Field> = Kinds[F['kind']]['wire'] | OrNull<F>;

/** Names of the fields that callers may write. */
export type InputName<F extends Fields> = { [N in Name<F>]: F[N] extends { input: Input } ? N : never }[Name<F>];
/** Names of the fields that leave the server. */
export type VisibleName<F extends Fields> = { [N in Name<F>]: F[N] extends { hidden: true } ? never : N }[Name<F>];
/** Names of the fields with a column of their own. */
export type ColumnName<F extends Fields> = { [N in Name<F>]: F[N] extends { kind: 'secret' } ? never : N }[Name<F>];

/** An entity as the program holds it: every field, in camelCase. */
export type RowOf<F extends Fields> = { readonly [N in Name<F> as CamelCase<N>]: RowValue<F[N]> };
/** The fields of {@link RowOf} that callers may write, with limits checked. Secrets are text. */
export type WritableRow<F extends Fields> = {
  readonly [N in InputName<F> as CamelCase<N>]: F[N] extends { kind: 'secret' } ? string : RowValue<F[N]>;
};
/** The same fields before the check: a quota may be any number. */
export type Written<F extends Fields> = { readonly [N in InputName<F> as CamelCase<N>]: PlainValue<F[N]> };
/** A presenter's input: a row whose secrets are replaced by the text to show. */
export type PresentableRow<F extends Fields> = { readonly [N in VisibleName<F> as CamelCase<N>]: PlainValue<F[N]> };
/** The entity in replies. */
export type WireEntity<F extends Fields> = { [N in VisibleName<F>]: WireValue<F[N]> };
/** The entity in requests, with the field names of the API. */
export type WireInput<F extends Fields> = { readonly [N in InputName<F>]: WireValue<F[N]> };
