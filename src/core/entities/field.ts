/**
 * How the fields of an entity are declared. A declaration is plain data under the field's name on
 * the wire, which is also the name of its column unless it says otherwise. The API schemas
 * (contract/entity-schema.ts), the table's columns and their mapping (storage/entity-mapping.ts),
 * presenters, readers and limits (this folder), and the flags and columns of the command line
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
  /** Unix seconds in rows, an ISO 8601 time in the API. */
  instant: { row: number; plain: number; wire: string };
  /** Not mapped to a column: the repository encrypts and decrypts it. */
  secret: { row: Secret; plain: string; wire: string };
}
interface Same<Value> {
  row: Value;
  plain: Value;
  wire: Value;
}
export type Kind = keyof Kinds;

/**
 * The calls that write an entity. `own`: users change what is theirs, where that is a call other
 * than the edit by administrators.
 */
export type WriteCall = 'create' | 'edit' | 'own';

/** Bounds of a text's length in characters (not bytes, not UTF-16 units), or of a number. */
export interface Limits {
  readonly min?: number;
  readonly max?: number;
  /** A text's length in UTF-8 bytes, in place of `max`. */
  readonly maxBytes?: number;
  /** What a text must match. */
  readonly pattern?: RegExp;
  /**
   * Texts that are refused although they are within the bounds, in lower case and trimmed, and
   * their error.
   */
  readonly refused?: { readonly texts: ReadonlySet<string>; readonly error: ErrorCode };
  /** The calls whose values are bounded. Absent: all. */
  readonly calls?: readonly WriteCall[];
  /** The error of a value outside the bounds. Its parameters are `min` and `max`. */
  readonly error: ErrorCode;
  /** The error of an empty text, where it differs. */
  readonly empty?: ErrorCode;
}

/** Present where callers may write the field. */
export interface Input {
  /** The calls that accept the field. Absent: create and edit. */
  readonly calls?: readonly WriteCall[];
  /** A call that creates must give it. */
  readonly required?: true;
  /** The service chooses the value of a new entity if the call leaves the field out. */
  readonly optional?: true;
  /** The value of a new entity if the call leaves the field out. Absent: the column's default. */
  readonly default?: string | number | boolean;
  /** The initial value in a form for a new entity. Absent: the default. */
  readonly initial?: string | number | boolean;
  /** null stands for an empty text or 0, as in One API and New API. */
  readonly nullable?: true;
  /** The calls in which an empty text leaves the field unchanged. */
  readonly emptyKeeps?: readonly WriteCall[];
}

export type Masking = 'always' | 'for-others';

export interface Field {
  readonly kind: Kind;
  /** The name of the column, where it differs. */
  readonly column?: string;
  /**
   * The table has no such column. The service derives stored fields from the input, or supplies the
   * value for replies.
   */
  readonly stored?: false;
  /** The column holds the encrypted text: the repository encrypts and decrypts it. */
  readonly sealed?: true;
  /** The column may hold null. */
  readonly nullable?: true;
  /** Null is an empty text in the API. */
  readonly nullAsEmpty?: true;
  /** The database generates it. */
  readonly generated?: true;
  /** The column's default, as the migrations set it. Absent: an insert must give the value. */
  readonly default?: string | number | boolean;
  /** Never leaves the server. */
  readonly hidden?: true;
  /**
   * Replies contain only a part of the text, `for-others` except where the presenter has to
   * show the whole.
   */
  readonly masked?: Masking;
  /** The provider whose row in `user_identities` holds the value. */
  readonly identity?: string;
  readonly input?: Input;
  /** Spaces around the text are removed. */
  readonly trim?: true;
  /**
   * The text is sent in an HTTP header, so it must be a valid header value (`header_text_invalid`).
   */
  readonly header?: true;
  readonly limits?: Limits;
  /** Lists only. */
  readonly separator?: ',' | '\n';
  /** Times only: the value that means never. */
  readonly never?: number;
  /** Integers only: the value that means no limit or nothing, which cards leave out. */
  readonly none?: number;
  /** A noun, lower case in English: the title in tables and cards. */
  readonly label?: Text;
  /** What the field is for: the help of its flag, the hint in its form. */
  readonly help?: Text;
  /** The name of its flag. Absent: its own with hyphens. */
  readonly flag?: string;
}

export type Fields = Readonly<Record<string, Field>>;

/**
 * Checks a declaration and keeps its literal types.
 *
 * @example
 *   const fields = defineFields({
 *     model_name: { kind: 'text', default: '' },
 *     is_stream: { kind: 'flag', default: false },
 *     ledger_id: { kind: 'integer', nullable: true, hidden: true },
 *   });
 *
 *   columnDefaults(fields);
 *   // → { modelName: '', isStream: false }
 *   createPresenter(fields)({ modelName: 'gpt-5', isStream: true });
 *   // → { model_name: 'gpt-5', is_stream: true }
 */
export function defineFields<const F extends Fields>(fields: F): F {
  return fields;
}

/**
 * Some fields of a declaration, in the given order: a smaller reply, or the fields that a command
 * offers.
 */
export function pickFields<F extends Fields, const N extends keyof F & string>(
  fields: F,
  names: readonly N[],
): Pick<F, N> {
  return Object.fromEntries(names.map((name) => [name, fields[name]])) as unknown as Pick<F, N>;
}

// ---- types that derive from a declaration
// -------------------------------------------------------------------------

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;
/** `allow_ips` → `allowIps`, `DeletedAt` → `deletedAt`. */
export type RowName<Name extends string> = Uncapitalize<CamelCase<Name>>;

type Name<F extends Fields> = keyof F & string;
type OrNull<F extends Field> = F extends { nullable: true } ? null : never;
type RowValue<F extends Field> = Kinds[F['kind']]['row'] | OrNull<F>;
/** A field's value in presenters and readers. */
export type PlainValue<F extends Field> = Kinds[F['kind']]['plain'] | OrNull<F>;
type WireValue<F extends Field> =
  | Kinds[F['kind']]['wire']
  | (F extends { nullAsEmpty: true } ? never : OrNull<F>);

/** The calls that accept a field. */
type CallsOf<F extends Field> = F extends { input: { calls: readonly (infer Call)[] } }
  ? Call
  : F extends { input: Input }
    ? 'create' | 'edit'
    : never;
/** Names of the fields that callers may write, by one of these calls. */
export type InputName<F extends Fields, Call extends WriteCall = WriteCall> = {
  [N in Name<F>]: [CallsOf<F[N]> & Call] extends [never] ? never : N;
}[Name<F>];
/** Names of the fields that leave the server. */
export type VisibleName<F extends Fields> = {
  [N in Name<F>]: F[N] extends { hidden: true } ? never : N;
}[Name<F>];
/** Names of the visible fields of which some reader sees a part only. */
export type MaskedName<F extends Fields, When extends Masking = Masking> = {
  [N in VisibleName<F>]: F[N] extends { masked: When } ? N : never;
}[VisibleName<F>];
/** Names of the fields that are part of the row. */
type RowFieldName<F extends Fields> = {
  [N in Name<F>]: F[N] extends { stored: false } ? never : N;
}[Name<F>];
/** Names of the fields with a column of their own. */
export type ColumnName<F extends Fields> = {
  [N in RowFieldName<F>]: F[N] extends { kind: 'secret' } ? never : N;
}[RowFieldName<F>];
/** Names of the fields whose columns hold the value as it is. */
type MappedName<F extends Fields> = {
  [N in ColumnName<F>]: F[N] extends { sealed: true } ? never : N;
}[ColumnName<F>];

/** An entity as the program holds it: every stored field, in camelCase. */
export type RowOf<F extends Fields> = {
  readonly [N in RowFieldName<F> as RowName<N>]: RowValue<F[N]>;
};
/** The fields that have a default. */
export type ColumnDefaults<F extends Fields> = {
  readonly [N in RowFieldName<F> as F[N] extends { default: unknown }
    ? RowName<N>
    : never]: RowValue<F[N]>;
};
/** A row without what the repository encrypts and decrypts. */
export type MappedRow<F extends Fields> = {
  readonly [N in MappedName<F> as RowName<N>]: RowValue<F[N]>;
};
/** The fields that callers may write, with limits checked. Secrets are text. */
export type WritableRow<F extends Fields, Call extends WriteCall = WriteCall> = {
  readonly [N in InputName<F, Call> as RowName<N>]: F[N] extends { kind: 'secret' }
    ? string
    : RowValue<F[N]>;
};
/** The same fields before the check: a quota may be any number. */
export type Written<F extends Fields, Call extends WriteCall = WriteCall> = {
  readonly [N in InputName<F, Call> as RowName<N>]: PlainValue<F[N]>;
};
/**
 * A presenter's input: a row whose secrets are replaced by the text to show, with the fields that
 * are not stored.
 */
export type PresentableRow<F extends Fields> = {
  readonly [N in VisibleName<F> as RowName<N>]: PlainValue<F[N]>;
};
/** The entity in replies. */
export type WireEntity<F extends Fields> = { [N in VisibleName<F>]: WireValue<F[N]> };
/** The entity in requests, with the field names of the API. */
export type WireInput<F extends Fields, Call extends WriteCall = WriteCall> = {
  readonly [N in InputName<F, Call>]: WireValue<F[N]>;
};
