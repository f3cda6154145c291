import { vendorFields } from '../../../core/providers/fields.ts';
import type { FormField } from '../../form/fields.ts';
import { useTranslation } from '../../i18n/index.ts';
import type { ChannelTypeFacts } from '../../queries/use-channel-types.ts';
import { examples } from './channel-examples.ts';
import type { ChannelValues } from './channel-form.ts';

/** What is rarely needed: the folded end of the channel form. */
export function useAdvancedFields(
  { models, test_model }: Pick<ChannelValues, 'models' | 'test_model'>,
  facts: ChannelTypeFacts | undefined,
): readonly FormField<ChannelValues>[] {
  const { t } = useTranslation();
  const testModels = [...new Set([...models, ...(test_model === '' ? [] : [test_model])])];
  return [
    {
      kind: 'text',
      name: 'tag',
      label: t('channel.form.tag'),
      hint: t('channel.form.tag.hint'),
      half: true,
    },
    {
      kind: 'select',
      name: 'test_model',
      label: t('channel.form.testModel'),
      hint: t('channel.form.testModel.hint'),
      options: testModels.map((model) => ({ value: model, label: model })),
      clearable: true,
      half: true,
    },
    {
      kind: 'number',
      name: 'max_input_tokens',
      label: t('channel.form.maxInput'),
      hint: t('channel.form.maxInput.hint'),
      min: 0,
      grouped: true,
      half: true,
    },
    {
      kind: 'text',
      name: 'openai_organization',
      label: t('channel.form.organization'),
      half: true,
      visible: () => facts !== undefined && vendorFields(facts.slug).organization === true,
    },
    {
      kind: 'json',
      name: 'cost',
      label: t('channel.form.cost'),
      hint: t('channel.form.cost.hint'),
      example: examples.cost,
    },
    {
      kind: 'json',
      name: 'setting',
      label: t('channel.form.setting'),
      hint: t('channel.form.setting.hint'),
    },
  ];
}
