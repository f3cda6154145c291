/** Names of the channel's fields and words for what is wrong with them. */
import { useTranslation } from 'react-i18next';
import type { FieldLabels } from '../../hooks/use-changes.ts';
import type { TextKey } from '../../i18n/index.ts';
import type { ChannelProblem, ChannelValues } from './channel-form.ts';

/** What `other` means is the provider's to say; its known names have a translation. */
const otherLabels: Readonly<Record<string, TextKey>> = {
  'API version': 'channel.form.other.version',
  Region: 'channel.form.other.region',
  'Account ID': 'channel.form.other.account',
  Plugin: 'channel.form.other.plugin',
  'Knowledge base ID': 'channel.form.other.knowledge',
};

export function useChannelLabels(otherLabel = ''): FieldLabels<ChannelValues> {
  const { t } = useTranslation();
  const known = otherLabels[otherLabel];
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
    other: known === undefined ? otherLabel || t('channel.form.other.value') : t(known),
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
  region: 'channel.form.error.region',
  baseUrl: 'channel.form.baseUrl.required',
} as const satisfies Record<ChannelProblem, TextKey>;

export function useProblemText(): (problem: ChannelProblem) => string {
  const { t } = useTranslation();
  return (problem) => t(problemKeys[problem]);
}
