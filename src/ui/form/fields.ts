/**
 * Forms as data: their fields, and the groups of fields that are folded. `V` are the form's values
 * by name.
 */
import type { ReactNode } from 'react';

export interface FieldProps<T = unknown> {
  readonly value: T;
  readonly onChange: (value: T) => void;
  readonly error: string | undefined;
}

export interface FieldOption {
  readonly value: string;
  readonly label: string;
}

/** A frequent value under a field. */
export interface FieldPick<T> {
  readonly label: string;
  /** Reckoned when it is picked: some depend on the time. */
  readonly valueOf: () => T;
}

interface FieldBase {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly placeholder?: string | undefined;
  /** Marked with a star. */
  readonly required?: boolean;
  readonly disabled?: boolean;
  /** Takes the focus when the form opens. */
  readonly first?: boolean;
}

/** Rows that a field of several lines has at least and at most. */
export type RowRange = readonly [least: number, most: number];

/** How a field looks and what its value is. */
export type FieldKind =
  /**
   * Text; `lines` makes it grow with what is typed, within `rows`, `code` is for keys, addresses
   * and patterns, `options` are suggested while a text of one line is typed.
   */
  | {
      readonly kind: 'text';
      readonly lines?: boolean;
      readonly rows?: RowRange;
      readonly code?: boolean;
      readonly options?: readonly string[];
    }
  /** A number, or '' while the field is empty. `grouped`: with separators between thousands. */
  | {
      readonly kind: 'number';
      readonly min?: number | undefined;
      readonly max?: number | undefined;
      readonly decimal?: boolean;
      readonly grouped?: boolean;
    }
  /** An integer of quota, or '' while the field is empty. `signed`: it may be negative. */
  | {
      readonly kind: 'quota';
      readonly picks?: readonly FieldPick<number>[];
      readonly signed?: boolean;
    }
  | { readonly kind: 'switch' }
  /** `clearable`: '' is no choice. */
  | {
      readonly kind: 'select';
      readonly options: readonly FieldOption[];
      readonly clearable?: boolean;
    }
  /** Texts; with `closed` only those of `options`; `phrases` may contain spaces. */
  | {
      readonly kind: 'tags';
      readonly options?: readonly string[];
      readonly closed?: boolean;
      readonly phrases?: boolean;
    }
  /** The text of a JSON document. */
  | { readonly kind: 'json'; readonly example?: string | undefined }
  /** Written, never shown: '' keeps what is stored. */
  | {
      readonly kind: 'secret';
      readonly stored: boolean;
      readonly lines?: boolean;
      readonly rows?: RowRange;
    }
  /** Unix seconds, −1 for never, NaN for what is no time. */
  | { readonly kind: 'date'; readonly picks?: readonly FieldPick<number>[] }
  | { readonly kind: 'custom'; readonly render: (props: FieldProps) => ReactNode };

export type Field = FieldBase & FieldKind;

/** A part of a value that is edited in a field of its own, such as a member of a JSON text. */
export interface FieldPart {
  /**
   * Where it is in the value. A refusal that the server reports at `<name>.<path>` is shown at this
   * field.
   */
  readonly path: string;
  readonly read: (whole: unknown) => unknown;
  /** The whole value with this part replaced. */
  readonly write: (whole: unknown, part: unknown) => unknown;
}

export type FormField<V> = Field & {
  readonly name: keyof V & string;
  readonly part?: FieldPart;
  /** Shares its line with the next or the previous one. */
  readonly half?: boolean;
  readonly visible?: (values: V) => boolean;
};

/**
 * Fields that are rarely needed. The group is folded until it is opened, or until one of its fields
 * is wrong.
 */
export interface FieldGroup<V> {
  readonly title: string;
  readonly hint: string;
  /** Shown above the fields. */
  readonly note?: string | undefined;
  readonly fields: readonly FormField<V>[];
}

/** Messages by field, or by the path of a part of one; a field without an entry is right. */
export type FieldErrors<V> = Partial<
  Record<(keyof V & string) | `${keyof V & string}.${string}`, string>
>;
