/** Names of the channel's fields and words for what is wrong with them. */
import { useTranslation } from 'react-i18next';
import type { FieldLabels } from '../../hooks/use-changes.ts';
import type { TextKey } from '../../i18n/index.ts';
import type { ChannelProblem, ChannelValues } from './channel-form.ts';
import type { ChannelTypeFacts } from './use-channel-types.ts';

/** What `other` means, by type; else the provider's own word stands. */
const otherLabels: Readonly<Record<number, TextKey>> = {
  3: 'channel.form.other.version',
  17: 'channel.form.other.plugin',
  18: 'channel.form.other.version',
  21: 'channel.form.other.knowledge',
  24: 'channel.form.other.version',
  39: 'channel.form.other.account',
  41: 'channel.form.other.region',
};

export function useChannelLabels(facts: ChannelTypeFacts | undefined): FieldLabels<ChannelValues> {
  const { t } = useTranslation();
  const known = facts === undefined ? undefined : otherLabels[facts.type];
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
    other: known === undefined ? facts?.other_label || t('channel.form.other.value') : t(known),
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
