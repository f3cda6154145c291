/** The fields that need no list and no other heavy control: a screen may show them at once. */
import { NumberInput, Switch, Textarea, TextInput } from '@mantine/core';
import { Picks } from './field-picks.tsx';
import type { Field, FieldProps, RowRange } from './fields.ts';
import { SwitchRow } from './form-rows.tsx';
import { JsonField } from './json-field.tsx';
import { QuotaField } from './quota-field.tsx';

type PlainKind = 'text' | 'number' | 'quota' | 'switch' | 'json' | 'custom';
export type PlainField = Extract<Field, { readonly kind: PlainKind }>;

const plainKinds: ReadonlySet<string> = new Set<PlainKind>([
  'text',
  'number',
  'quota',
  'switch',
  'json',
  'custom',
]);

/** Whether `PlainFieldInput` draws the field. Suggestions for a text are left out by it. */
export function isPlain(field: Field): field is PlainField {
  return plainKinds.has(field.kind);
}

const codeStyle = { input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } };

/** What all inputs show in the same way. */
export function commonProps(
  { label, hint, placeholder, required = false, disabled = false, first = false }: Field,
  error: string | undefined,
) {
  return {
    label,
    // What is wrong takes the place of the hint.
    description: error === undefined ? hint : undefined,
    placeholder,
    disabled,
    error,
    required,
    withAsterisk: required,
    ...(first && { 'data-autofocus': true }),
  };
}

/** A field that grows with its text. */
export function rowsOf({ rows: [minRows, maxRows] = [2, 8] }: { readonly rows?: RowRange }) {
  return { autosize: true, minRows, maxRows };
}

export const lookOf = ({ code }: { readonly code?: boolean }) =>
  code ? { styles: codeStyle, spellCheck: false } : {};

export function PlainFieldInput({
  field,
  value,
  onChange,
  error,
}: FieldProps & { readonly field: PlainField }) {
  const { label, hint, disabled = false } = field;
  const common = commonProps(field, error);
  switch (field.kind) {
    case 'text': {
      const write = (event: { readonly currentTarget: { readonly value: string } }) =>
        onChange(event.currentTarget.value);
      const props = { ...common, ...lookOf(field), value: String(value), onChange: write };
      return field.lines ? <Textarea {...props} {...rowsOf(field)} /> : <TextInput {...props} />;
    }
    case 'number': {
      const { min, max, decimal = false, grouped = false } = field;
      return (
        <NumberInput
          {...common}
          {...(min === undefined ? {} : { min, allowNegative: min < 0 })}
          {...(max === undefined ? {} : { max })}
          clampBehavior="none"
          allowDecimal={decimal}
          thousandSeparator={grouped ? ',' : ''}
          // Typed, they mean the point; where they separate thousands, only the point does.
          {...(decimal && !grouped && { allowedDecimalSeparators: ['.', ',', '，', '。'] })}
          value={value as number | ''}
          onChange={onChange}
        />
      );
    }
    case 'quota':
      return (
        <div>
          <QuotaField
            {...common}
            allowNegative={field.signed ?? false}
            value={value as number | ''}
            onChange={onChange}
          />
          {!disabled && <Picks label={label} picks={field.picks} onChange={onChange} />}
        </div>
      );
    case 'switch':
      return (
        <SwitchRow title={label} hint={hint}>
          <Switch
            aria-label={label}
            disabled={disabled}
            checked={value === true}
            onChange={(event) => onChange(event.currentTarget.checked)}
          />
        </SwitchRow>
      );
    case 'json':
      return (
        <JsonField
          {...{ label, error, example: field.example, value: String(value), onChange }}
          description={hint}
        />
      );
    case 'custom':
      return field.render({ value, onChange, error });
  }
}
