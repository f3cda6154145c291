/** One field of a form, drawn from its declaration. */
import { Autocomplete, MultiSelect, NumberInput, Select, Switch, TagsInput, Textarea, TextInput } from '@mantine/core';
import { fieldOfTime, timeOfField } from './date-field.ts';
import type { Field, FieldProps } from './fields.ts';
import { SwitchRow } from './form-drawer.tsx';
import { JsonField } from './json-field.tsx';
import { QuickPicks } from './quick-picks.tsx';
import { QuotaField } from './quota-field.tsx';
import { SecretField } from './secret-field.tsx';

const codeStyle = { input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } };
const separators = [',', ' ', '\n', ';', '，'];

export function FormFieldInput({ field, value, onChange, error }: FieldProps & { readonly field: Field }) {
  const { label, hint, placeholder, required = false, disabled = false, first = false } = field;
  const common = {
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
  switch (field.kind) {
    case 'text': {
      const look = field.code ? { styles: codeStyle, spellCheck: false } : {};
      if (!field.lines && field.options !== undefined && field.options.length > 0)
        return <Autocomplete {...common} {...look} data={[...field.options]} value={String(value)} onChange={onChange} />;
      const write = (event: { readonly currentTarget: { readonly value: string } }) => onChange(event.currentTarget.value);
      const props = { ...common, ...look, value: String(value), onChange: write };
      return field.lines ? <Textarea {...props} autosize minRows={2} maxRows={8} /> : <TextInput {...props} />;
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
          value={value as number | ''}
          onChange={onChange}
        />
      );
    }
    case 'quota':
      return (
        <div>
          <QuotaField {...common} value={value as number | ''} onChange={onChange} />
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
    case 'select':
      return (
        <Select
          {...common}
          searchable={field.options.length > 8}
          allowDeselect={false}
          clearable={field.clearable ?? false}
          data={[...field.options]}
          value={field.clearable && value === '' ? null : String(value)}
          onChange={(next) => onChange(next ?? '')}
        />
      );
    case 'tags': {
      const texts = value as readonly string[];
      const props = { ...common, placeholder: texts.length === 0 ? placeholder : '', value: [...texts], onChange };
      if (field.closed) return <MultiSelect {...props} searchable data={[...(field.options ?? [])]} />;
      return <TagsInput {...props} splitChars={separators} acceptValueOnBlur data={[...(field.options ?? [])]} />;
    }
    case 'json':
      return <JsonField {...{ label, error, example: field.example, value: String(value), onChange }} description={hint} />;
    case 'secret':
      return (
        <SecretField {...common} stored={field.stored} lines={field.lines ?? false} value={String(value)} onChange={onChange} />
      );
    case 'date':
      return (
        <div>
          <TextInput
            {...common}
            type="datetime-local"
            step={1}
            value={fieldOfTime(Number(value))}
            onChange={(event) => onChange(timeOfField(event.currentTarget.value))}
          />
          <Picks label={label} picks={field.picks} onChange={onChange} />
        </div>
      );
    case 'custom':
      return field.render({ value, onChange, error });
  }
}

function Picks({
  label,
  picks = [],
  onChange,
}: {
  label: string;
  picks: readonly { readonly label: string; readonly valueOf: () => unknown }[] | undefined;
  onChange: (value: unknown) => void;
}) {
  if (picks.length === 0) return null;
  return (
    <QuickPicks label={label} picks={picks.map((pick) => ({ label: pick.label, onPick: () => onChange(pick.valueOf()) }))} />
  );
}
