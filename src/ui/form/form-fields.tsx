import type { FieldErrors, FormField } from './fields.ts';
import { FieldRow } from './form-drawer.tsx';
import { FormFieldInput } from './form-field.tsx';

interface FormFieldsProps<V extends object> {
  readonly fields: readonly FormField<V>[];
  readonly values: V;
  readonly errors: FieldErrors<V>;
  readonly onChange: (name: keyof V & string, value: unknown) => void;
}

/** Lines of a form: a field each, or two halves. */
function linesOf<F extends { readonly half?: boolean }>(fields: readonly F[]): readonly (readonly F[])[] {
  const lines: F[][] = [];
  for (const field of fields) {
    const last = lines.at(-1);
    if (field.half && last?.length === 1 && last[0]?.half) last.push(field);
    else lines.push([field]);
  }
  return lines;
}

/** The fields that are visible with these values. */
export function FormFields<V extends object>({ fields, values, errors, onChange }: FormFieldsProps<V>) {
  const draw = (field: FormField<V>) => (
    <FormFieldInput
      key={field.name}
      field={field}
      value={values[field.name]}
      error={errors[field.name]}
      onChange={(value) => onChange(field.name, value)}
    />
  );
  return linesOf(fields.filter((field) => field.visible?.(values) ?? true)).map((line) =>
    line[0]?.half ? (
      <FieldRow key={line[0].name}>
        {line.map(draw)}
        {line.length === 1 && <span />}
      </FieldRow>
    ) : (
      line.map(draw)
    ),
  );
}
