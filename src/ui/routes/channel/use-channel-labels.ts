/** Names of the channel's fields and words for what is wrong with them. */
import { useTranslation } from 'react-i18next';
import { vendorFields } from '../../../core/providers/fields.ts';
import type { FieldLabels } from '../../form/use-changes.ts';
import { currentLanguage, type TextKey } from '../../i18n/index.ts';
import type { ChannelProblem, ChannelValues } from './channel-form.ts';
import type { ChannelTypeFacts } from './use-channel-types.ts';

export function useChannelLabels(facts: ChannelTypeFacts | undefined): FieldLabels<ChannelValues> {
  const { t } = useTranslation();
  const other = facts === undefined ? undefined : vendorFields(facts.slug).other;
  return {
    type: t('channel.form.type'),
    name: t('channel.form.name'),
    key: t('channel.form.key'),
    base_url: t('channel.form.baseUrl'),
    models: t('channel.form.models'),
    group: t('channel.form.groups'),
    priority: t('channel.form.priority'),
    weight: t('channel.form.weight'),
    model_mapping: t('channel.form.mapping'),
    auto_ban: t('channel.form.autoBan'),
    tag: t('channel.form.tag'),
    test_model: t('channel.form.testModel'),
    other: other?.label[currentLanguage()] ?? (facts?.other_label || t('channel.form.other.value')),
    openai_organization: t('channel.form.organization'),
    max_input_tokens: t('channel.form.maxInput'),
    status_code_mapping: t('channel.form.statusCodes'),
    setting: t('channel.form.setting'),
    param_override: t('channel.form.paramOverride'),
  };
}

const problemKeys = {
  nameAndKey: 'channel.form.error.nameAndKey',
  models: 'channel.form.error.models',
  groups: 'channel.form.error.groups',
  mapping: 'channel.form.error.mapping',
  json: 'common.json.object',
  integer: 'common.integer',
  nonNegative: 'common.nonNegative',
  other: 'channel.form.error.other',
  baseUrl: 'channel.form.baseUrl.required',
} as const satisfies Record<ChannelProblem, TextKey>;

export function useProblemText(): (problem: ChannelProblem) => string {
  const { t } = useTranslation();
  return (problem) => t(problemKeys[problem]);
}
