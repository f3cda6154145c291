/** One field of a form, drawn from its declaration. */
import { Autocomplete, MultiSelect, Select, TagsInput, TextInput } from '@mantine/core';
import { fieldOfTime, timeOfField } from './date-field.ts';
import { Picks } from './field-picks.tsx';
import type { Field, FieldProps } from './fields.ts';
import { commonProps, isPlain, lookOf, PlainFieldInput } from './plain-field.tsx';
import { SecretFieldInput } from './secret-field.tsx';
import { isTaken, phraseSeparators, tagSeparators } from './tags.ts';

export function FormFieldInput({
  field,
  value,
  onChange,
  error,
}: FieldProps & { readonly field: Field }) {
  const common = commonProps(field, error);
  if (
    field.kind === 'text' &&
    !field.lines &&
    field.options !== undefined &&
    field.options.length > 0
  )
    return (
      <Autocomplete
        {...common}
        {...lookOf(field)}
        data={[...field.options]}
        value={String(value)}
        onChange={onChange}
      />
    );
  if (isPlain(field)) return <PlainFieldInput {...{ field, value, onChange, error }} />;
  switch (field.kind) {
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
      const props = {
        ...common,
        placeholder: texts.length === 0 ? field.placeholder : '',
        value: [...texts],
        onChange,
      };
      if (field.closed)
        return <MultiSelect {...props} searchable data={[...(field.options ?? [])]} />;
      const splitChars = field.phrases ? phraseSeparators : tagSeparators;
      const data = [...(field.options ?? [])];
      return (
        <TagsInput
          {...props}
          splitChars={splitChars}
          isDuplicate={isTaken}
          acceptValueOnBlur
          data={data}
        />
      );
    }
    case 'secret':
      return <SecretFieldInput {...{ field, value, onChange, error }} />;
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
          <Picks label={field.label} picks={field.picks} onChange={onChange} />
        </div>
      );
  }
}
