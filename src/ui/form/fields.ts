/** Fields of a form as data. `V` are the form's values by field. */
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

/** How a field looks and what its value is. */
export type FieldKind =
  /** Text; `lines` makes it grow with what is typed, `code` is for keys, addresses and patterns. */
  | { readonly kind: 'text'; readonly lines?: boolean; readonly code?: boolean }
  /** A number, or '' while the field is empty. */
  | { readonly kind: 'number'; readonly min?: number | undefined; readonly max?: number | undefined; readonly decimal?: boolean }
  /** An integer of quota, or '' while the field is empty. */
  | { readonly kind: 'quota'; readonly picks?: readonly FieldPick<number>[] }
  | { readonly kind: 'switch' }
  | { readonly kind: 'select'; readonly options: readonly FieldOption[] }
  /** Texts; with `closed` only those of `options`. */
  | { readonly kind: 'tags'; readonly options?: readonly string[]; readonly closed?: boolean }
  /** The text of a JSON document. */
  | { readonly kind: 'json'; readonly example?: string | undefined }
  /** Written, never shown: '' keeps what is stored. */
  | { readonly kind: 'secret'; readonly stored: boolean; readonly lines?: boolean }
  /** Unix seconds, −1 for never, NaN for what is no time. */
  | { readonly kind: 'date'; readonly picks?: readonly FieldPick<number>[] }
  | { readonly kind: 'custom'; readonly render: (props: FieldProps) => ReactNode };

export type Field = FieldBase & FieldKind;

export type FormField<V> = Field & {
  readonly name: keyof V & string;
  /** Shares its line with the next or the previous one. */
  readonly half?: boolean;
  readonly visible?: (values: V) => boolean;
};

/** By field; a field without an entry is right. */
export type FieldErrors<V> = Partial<Record<keyof V & string, string>>;
