import { useTranslation } from '../i18n/index.ts';
import { isVisible, pathOf } from './field-paths.ts';
import type { FormField } from './fields.ts';
import { FormFieldInput } from './form-field.tsx';
import { FieldRow } from './form-rows.tsx';

export interface FormFieldsProps<V extends object> {
  readonly fields: readonly FormField<V>[];
  readonly values: V;
  /** The stored values; undefined for something new. */
  readonly before: V | undefined;
  /** By the path of the field. */
  readonly errors: Readonly<Record<string, string>>;
  readonly onChange: (name: keyof V & string, value: unknown) => void;
}

/** Lines of a form: a field each, or two halves. */
function linesOf<F extends { readonly half?: boolean }>(
  fields: readonly F[],
): readonly (readonly F[])[] {
  const lines: F[][] = [];
  for (const field of fields) {
    const last = lines.at(-1);
    if (field.half && last?.length === 1 && last[0]?.half) last.push(field);
    else lines.push([field]);
  }
  return lines;
}

/** The fields that are visible with these values. */
export function FormFields<V extends object>({
  fields,
  values,
  before,
  errors,
  onChange,
}: FormFieldsProps<V>) {
  const { t } = useTranslation();
  /** The hint of a changed number begins with the stored one. */
  const hintOf = ({ kind, name, hint }: FormField<V>) => {
    if (kind !== 'number' || before === undefined || before[name] === values[name]) return hint;
    const was = t('common.was', { value: String(before[name]) });
    return hint === undefined ? was : `${was}${t('common.changes.joint')}${hint}`;
  };
  const draw = (field: FormField<V>) => {
    const { name, part } = field;
    const whole = values[name];
    return (
      <FormFieldInput
        key={pathOf(field)}
        field={{ ...field, hint: hintOf(field) }}
        value={part === undefined ? whole : part.read(whole)}
        error={errors[pathOf(field)]}
        onChange={(value) => onChange(name, part === undefined ? value : part.write(whole, value))}
      />
    );
  };
  return linesOf(fields.filter((field) => isVisible(field, values))).map((line) =>
    line[0]?.half ? (
      <FieldRow key={pathOf(line[0])}>
        {line.map(draw)}
        {line.length === 1 && <span />}
      </FieldRow>
    ) : (
      line.map(draw)
    ),
  );
}
