/** What is rarely touched on a channel, in two folded parts. */
import { NumberInput, Select, TextInput } from '@mantine/core';
import type { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { vendorFields } from '../../../core/providers/fields.ts';
import { FieldRow } from '../../form/form-drawer.tsx';
import type { FieldLabels } from '../../form/use-changes.ts';
import type { ChannelValues } from './channel-form.ts';
import type { ServerProblem } from './server-problem.ts';
import { SettingFields } from './setting-fields.tsx';
import type { ChannelTypeFacts } from './use-channel-types.ts';

/** Draws one of the JSON fields; `example` is offered while it is empty. */
export type JsonFieldOf = (
  field: 'model_mapping' | 'status_code_mapping' | 'setting' | 'param_override',
  description: string,
  example?: string,
) => ReactNode;

interface FoldedFieldsProps {
  readonly form: Pick<ReturnType<typeof useForm<ChannelValues>>, 'getValues' | 'getInputProps' | 'setFieldValue'>;
  readonly labels: FieldLabels<ChannelValues>;
  readonly json: JsonFieldOf;
}

const overrideExample = JSON.stringify(
  {
    operations: [
      { mode: 'set', path: 'temperature', value: 0.7, keep_origin: true },
      { mode: 'delete', path: 'user' },
    ],
  },
  null,
  2,
);
const statusExample = JSON.stringify({ '403': '503' }, null, 2);

/** What becomes of requests on their way, and of replies. */
export function RequestFields({
  form,
  json,
  facts,
  refused,
}: FoldedFieldsProps & { facts: ChannelTypeFacts | undefined; refused: ServerProblem | undefined }) {
  const { t } = useTranslation();
  return (
    <>
      <SettingFields
        text={form.getValues().setting}
        slug={facts?.slug ?? ''}
        fields={facts?.settings ?? []}
        problem={refused === undefined ? undefined : { field: refused.inSetting, message: refused.message }}
        onChange={(text) => form.setFieldValue('setting', text)}
      />
      {json('param_override', t('channel.form.paramOverride.hint'), overrideExample)}
      {json('status_code_mapping', t('channel.form.statusCodes.hint'), statusExample)}
    </>
  );
}

export function AdvancedFields({ form, labels, json, facts }: FoldedFieldsProps & { facts: ChannelTypeFacts | undefined }) {
  const { t } = useTranslation();
  const values = form.getValues();
  return (
    <>
      <FieldRow>
        <TextInput label={labels.tag} description={t('channel.form.tag.hint')} {...form.getInputProps('tag')} />
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
        {facts !== undefined && vendorFields(facts.slug).organization === true && (
          <TextInput label={labels.openai_organization} {...form.getInputProps('openai_organization')} />
        )}
      </FieldRow>
      {json('setting', t('channel.form.setting.hint'))}
    </>
  );
}
