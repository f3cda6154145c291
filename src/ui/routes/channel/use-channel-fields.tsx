/**
 * The channel form as data: type first, because it decides about the other fields; what is rarely
 * needed is folded.
 */
import type { ChannelEntity } from '../../../core/contract/entities.ts';
import { vendorFields } from '../../../core/providers/fields.ts';
import type { FieldGroup, FormField } from '../../form/fields.ts';
import type { EntityForm } from '../../form/use-entity-form.ts';
import { currentLanguage, useTranslation } from '../../i18n/index.ts';
import type { ChannelTypeFacts } from '../../queries/use-channel-types.ts';
import { useGroupNames } from '../../queries/use-groups.ts';
import { examples } from './channel-examples.ts';
import type { ChannelValues } from './channel-form.ts';
import { readSetting, writeSetting } from './channel-setting.ts';
import { EndsNote } from './ends-note.tsx';
import { KeyField } from './key-field.tsx';
import { ModelField } from './model-field.tsx';
import { TypeField } from './type-field.tsx';
import { useAdvancedFields } from './use-advanced-fields.ts';
import { useModelSource } from './use-model-source.ts';
import { useRecognisedType } from './use-recognised-type.ts';
import { useSettingFields } from './use-setting-fields.tsx';

interface ChannelFieldsProps {
  /** null: a new one. */
  readonly channel: ChannelEntity | null;
  readonly form: Pick<EntityForm<ChannelValues>, 'creating' | 'before' | 'values' | 'set'>;
  readonly types: readonly ChannelTypeFacts[] | undefined;
  /** Of the type that is chosen. */
  readonly facts: ChannelTypeFacts | undefined;
  readonly onClose: () => void;
}

type Fields = readonly FormField<ChannelValues>[];

export function useChannelFields(props: ChannelFieldsProps): {
  readonly fields: Fields;
  readonly groups: readonly FieldGroup<ChannelValues>[];
} {
  const { t } = useTranslation();
  const settingFields = useSettingFields(props.facts);
  const { values } = props.form;
  return {
    fields: [...useAccessFields(props), ...useRoutingFields(props)],
    groups: [
      {
        title: t('channel.form.requests'),
        hint: t('channel.form.requests.hint'),
        note: readSetting(values.setting) === undefined ? t('channel.setting.broken') : undefined,
        fields: [
          ...settingFields,
          {
            kind: 'json',
            name: 'param_override',
            label: t('channel.form.paramOverride'),
            hint: t('channel.form.paramOverride.hint'),
            example: examples.paramOverride,
          },
          {
            kind: 'json',
            name: 'status_code_mapping',
            label: t('channel.form.statusCodes'),
            hint: t('channel.form.statusCodes.hint'),
            example: examples.statusCodes,
          },
        ],
      },
      {
        title: t('channel.form.advanced'),
        hint: t('channel.form.advanced.hint'),
        fields: useAdvancedFields(values, props.facts),
      },
    ],
  };
}

/** How the upstream is reached. */
function useAccessFields({ channel, form, types, facts, onClose }: ChannelFieldsProps): Fields {
  const { t } = useTranslation();
  const { creating, before, values, set } = form;
  const recognised = useRecognisedType(form, types);
  const other = facts === undefined ? undefined : vendorFields(facts.slug).other;
  return [
    {
      kind: 'custom',
      name: 'type',
      label: t('channel.form.type'),
      half: true,
      render: ({ value }) => (
        <TypeField
          types={types}
          value={value as number}
          stored={before.type}
          onChange={recognised.choose}
        />
      ),
    },
    {
      kind: 'text',
      name: 'name',
      label: t('channel.form.name'),
      placeholder: t('channel.form.name.placeholder'),
      required: true,
      half: true,
    },
    {
      kind: 'custom',
      name: 'key',
      label: t('channel.form.key'),
      render: ({ value, error, onChange }) => (
        <KeyField
          facts={facts}
          creating={creating}
          channel={channel}
          setting={values.setting}
          value={value as string}
          error={error}
          onChange={onChange}
          onMode={(mode) => set('setting', writeSetting(values.setting, 'multi_key_mode', mode))}
          onRevived={onClose}
          other={recognised.other}
          onTake={recognised.take}
        />
      ),
    },
    {
      kind: 'text',
      name: 'base_url',
      label: t('channel.form.baseUrl'),
      hint: useBaseUrlHint(facts),
      placeholder: facts?.complete_url
        ? 'https://host/v1/chat/completions'
        : facts?.default_base_url || 'https://',
      required: facts?.available === true && facts.default_base_url === null,
      code: true,
      options: facts?.plan_words ?? [],
    },
    {
      kind: 'text',
      name: 'other',
      label:
        other?.label[currentLanguage()] ?? (facts?.other_label || t('channel.form.other.value')),
      hint: other?.hint[currentLanguage()],
      placeholder: other?.example ?? '',
      required: facts?.other_required === true,
      lines: other?.multiline === true,
      code: true,
      visible: () => facts !== undefined && facts.other_label !== '',
    },
  ];
}

/** What an empty base URL means, and the plans that may be entered instead. */
function useBaseUrlHint(facts: ChannelTypeFacts | undefined): string {
  const { t } = useTranslation();
  const home = facts?.default_base_url;
  const plans = facts?.plan_words ?? [];
  const rule = facts?.complete_url
    ? t('channel.form.baseUrl.full')
    : home
      ? t('channel.form.baseUrl.default', { url: home })
      : home === ''
        ? t('channel.form.baseUrl.derived')
        : t('channel.form.baseUrl.required');
  if (plans.length === 0) return rule;
  const named = t('channel.form.baseUrl.plans', { words: plans.join(t('common.joint')) });
  return `${rule}${t('channel.form.baseUrl.stop')}${named}`;
}

/** Which requests it gets. */
function useRoutingFields({ channel, form, facts }: ChannelFieldsProps): Fields {
  const { t } = useTranslation();
  const groups = useGroupNames();
  const { before, values } = form;
  const fetchModels = useModelSource(channel, form, facts);
  return [
    {
      kind: 'custom',
      name: 'models',
      label: t('channel.form.models'),
      render: ({ value, error, onChange }) => (
        <>
          <ModelField
            required
            value={value as readonly string[]}
            onChange={onChange}
            error={error}
            related={facts?.models ?? []}
            mapping={values.model_mapping}
            fetchModels={fetchModels}
          />
          <EndsNote
            type={values.type}
            models={value as readonly string[]}
            mapping={values.model_mapping}
            onMap={(mapping) => form.set('model_mapping', mapping)}
          />
        </>
      ),
    },
    {
      kind: 'tags',
      name: 'group',
      label: t('channel.form.groups'),
      closed: true,
      options: [...new Set([...groups, ...before.group])],
    },
    {
      kind: 'number',
      name: 'priority',
      label: t('channel.form.priority'),
      hint: t('channel.form.priority.hint'),
      half: true,
    },
    {
      kind: 'number',
      name: 'weight',
      label: t('channel.form.weight'),
      hint: t('channel.form.weight.hint'),
      min: 0,
      half: true,
    },
    {
      kind: 'json',
      name: 'model_mapping',
      label: t('channel.form.mapping'),
      hint: t('channel.form.mapping.hint'),
      example: examples.mapping,
    },
    {
      kind: 'switch',
      name: 'auto_ban',
      label: t('channel.form.autoBan'),
      hint: t('channel.form.autoBan.hint'),
    },
  ];
}
