/** What is rarely touched on a channel. */
import { NumberInput, Select, TextInput } from '@mantine/core';
import type { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { FieldRow } from '../../components/form-drawer.tsx';
import type { FieldLabels } from '../../hooks/use-changes.ts';
import classes from './channel.module.css';
import { type ChannelValues, openaiType } from './channel-form.ts';

/** Draws one of the JSON fields. */
export type JsonFieldOf = (
  field: 'model_mapping' | 'status_code_mapping' | 'setting' | 'param_override',
  description: string,
) => ReactNode;

interface AdvancedFieldsProps {
  readonly form: Pick<ReturnType<typeof useForm<ChannelValues>>, 'getValues' | 'getInputProps' | 'setFieldValue'>;
  readonly labels: FieldLabels<ChannelValues>;
  readonly json: JsonFieldOf;
  /** The editors of JSON are made only where they can be seen. */
  readonly shown: boolean;
}

export function AdvancedFields({ form, labels, json, shown }: AdvancedFieldsProps) {
  const { t } = useTranslation();
  const values = form.getValues();
  return (
    <div className={classes.advancedFields}>
      <FieldRow>
        <TextInput label={labels.tag} {...form.getInputProps('tag')} />
        <Select
          label={labels.test_model}
          description={t('channel.form.testModel.hint')}
          searchable
          clearable
          data={[...new Set([...values.models, ...(values.test_model === '' ? [] : [values.test_model])])]}
          value={values.test_model === '' ? null : values.test_model}
          onChange={(model) => form.setFieldValue('test_model', model ?? '')}
        />
      </FieldRow>
      <FieldRow>
        <NumberInput
          label={labels.max_input_tokens}
          description={t('channel.form.maxInput.hint')}
          allowDecimal={false}
          allowNegative={false}
          thousandSeparator=","
          {...form.getInputProps('max_input_tokens')}
        />
        {values.type === openaiType && (
          <TextInput label={labels.openai_organization} {...form.getInputProps('openai_organization')} />
        )}
      </FieldRow>
      {shown && json('status_code_mapping', t('channel.form.statusCodes.hint'))}
      {shown && json('setting', t('channel.form.setting.hint'))}
      {shown && json('param_override', t('channel.form.paramOverride.hint'))}
    </div>
  );
}
