/** Create or edit a channel: type first, it changes the fields; what is rarely touched is folded. */
import { MultiSelect, NumberInput, Switch, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { ChannelEntity } from '../../../core/contract/entities.ts';
import { channelStatuses } from '../../../core/vocabulary/statuses.ts';
import { client } from '../../client/api.ts';
import { toastFailure, toastSuccess } from '../../client/failures.ts';
import { BoxedTypeLogo } from '../../components/provider-logo.tsx';
import { FieldRow, FormDrawer, SwitchRow } from '../../form/form-drawer.tsx';
import { JsonField } from '../../form/json-field.tsx';
import { useChangeTexts } from '../../form/use-changes.ts';
import { useGroupNames } from '../../queries/use-groups.ts';
import { useRefreshChannels } from '../../queries/use-invalidate.ts';
import { BaseUrlField, OtherField } from './address-fields.tsx';
import { AdvancedFields, type JsonFieldOf, RequestFields } from './advanced-fields.tsx';
import { writeSetting } from './channel-setting.ts';
import { Folded } from './folded.tsx';
import { KeyField } from './key-field.tsx';
import { KeysNote } from './keys-note.tsx';
import { ModelField } from './model-field.tsx';
import { TypeField } from './type-field.tsx';
import { useChannelForm } from './use-channel-form.ts';
import { useChannelLabels } from './use-channel-labels.ts';
import { typeName } from './use-channel-types.ts';

interface ChannelDrawerProps {
  /** null: a new one. */
  readonly channel: ChannelEntity | null;
  readonly onClose: () => void;
}

const mappingExample = JSON.stringify({ 'gpt-4o': 'gpt-4o-2024-11-20' }, null, 2);

export function ChannelDrawer({ channel, onClose }: ChannelDrawerProps) {
  const { t } = useTranslation();
  const { form, before, creating, types, facts, refused, open, toggle, saving, submit } = useChannelForm(channel, onClose);
  const values = form.getValues();
  const labels = useChannelLabels(facts);
  const changeTexts = useChangeTexts();
  const refresh = useRefreshChannels();
  const groups = useGroupNames();
  const revive = useMutation({
    mutationFn: (id: number) => client.channel.update({ id, status: channelStatuses.enabled }),
    onSuccess: async () => {
      await refresh();
      onClose();
      toastSuccess(t('channel.keys.revived'));
    },
  });
  const fetchModels = async (): Promise<readonly string[]> => {
    const reachedBy = ['key', 'type', 'base_url', 'other', 'setting'] as const;
    if (channel !== null && reachedBy.every((field) => values[field] === before[field]))
      return client.channel.fetchModels({ id: channel.id });
    if (values.key.trim() === '' && facts?.key_optional !== true) {
      toastFailure(new Error(), t('channel.form.models.fetch.key'));
      return [];
    }
    const { type, other, setting } = values;
    return client.channel.previewModels({ type, base_url: values.base_url.trim(), key: values.key.trim(), other, setting });
  };
  const errorOf = (field: keyof typeof values) => form.errors[field] as string | undefined;
  const json: JsonFieldOf = (field, description, example) => (
    <JsonField
      label={labels[field] ?? ''}
      description={description}
      example={example}
      value={values[field]}
      error={errorOf(field)}
      onChange={(text) => form.setFieldValue(field, text)}
    />
  );
  const fieldOf = (field: 'base_url' | 'other') => ({
    facts,
    label: labels[field] ?? '',
    value: values[field],
    error: errorOf(field),
    onChange: (value: string) => form.setFieldValue(field, value),
  });
  const wasHint = (field: 'priority' | 'weight', hint: string) => {
    const changed = !creating && values[field] !== before[field];
    return changed ? `${t('common.was', { value: before[field] })}${t('common.changes.joint')}${hint}` : hint;
  };
  return (
    <FormDrawer
      opened
      creating={creating}
      onClose={onClose}
      title={t(creating ? 'channel.form.new' : 'channel.form.edit')}
      subtitle={channel === null ? t('channel.form.new.hint') : `#${channel.id} · ${channel.name}`}
      logo={<BoxedTypeLogo type={values.type} name={typeName(values.type)} />}
      changes={changeTexts(before, values, labels, ['key', 'type', 'setting'])}
      submitLabel={t(creating ? 'channel.new' : 'common.save')}
      submitting={saving}
      onSubmit={submit}
    >
      <FieldRow>
        <TypeField types={types} value={values.type} stored={before.type} onChange={(type) => form.setFieldValue('type', type)} />
        <TextInput
          label={labels.name}
          placeholder={t('channel.form.name.placeholder')}
          withAsterisk
          required
          {...form.getInputProps('name')}
        />
      </FieldRow>
      <KeyField
        facts={facts}
        creating={creating}
        label={labels.key ?? ''}
        setting={values.setting}
        value={values.key}
        error={errorOf('key')}
        stored={channel?.multi_key?.size ?? 0}
        onChange={(key) => form.setFieldValue('key', key)}
        onMode={(mode) => form.setFieldValue('setting', writeSetting(values.setting, 'multi_key_mode', mode))}
      />
      {channel?.multi_key !== undefined && (
        <KeysNote keys={channel.multi_key} busy={revive.isPending} onRevive={() => revive.mutate(channel.id)} />
      )}
      <BaseUrlField {...fieldOf('base_url')} />
      <OtherField {...fieldOf('other')} />
      <ModelField
        value={values.models}
        onChange={(models) => form.setFieldValue('models', models)}
        error={errorOf('models')}
        related={facts?.models ?? []}
        fetchModels={facts === undefined || facts.lists_models ? fetchModels : undefined}
      />
      <MultiSelect
        label={labels.group}
        searchable
        data={[...new Set([...groups, ...before.group])]}
        {...form.getInputProps('group')}
        value={[...values.group]}
      />
      <FieldRow>
        <NumberInput
          label={labels.priority}
          description={wasHint('priority', t('channel.form.priority.hint'))}
          allowDecimal={false}
          {...form.getInputProps('priority')}
        />
        <NumberInput
          label={labels.weight}
          description={wasHint('weight', t('channel.form.weight.hint'))}
          allowDecimal={false}
          allowNegative={false}
          {...form.getInputProps('weight')}
        />
      </FieldRow>
      {json('model_mapping', t('channel.form.mapping.hint'), mappingExample)}
      <SwitchRow title={t('channel.form.autoBan')} hint={t('channel.form.autoBan.hint')}>
        <Switch aria-label={t('channel.form.autoBan')} {...form.getInputProps('auto_ban', { type: 'checkbox' })} />
      </SwitchRow>
      <Folded
        title={t('channel.form.requests')}
        hint={t('channel.form.requests.hint')}
        open={open.requests}
        onToggle={() => toggle('requests')}
      >
        {() => <RequestFields form={form} labels={labels} json={json} facts={facts} refused={refused} />}
      </Folded>
      <Folded
        title={t('channel.form.advanced')}
        hint={t('channel.form.advanced.hint')}
        open={open.advanced}
        onToggle={() => toggle('advanced')}
      >
        {() => <AdvancedFields form={form} labels={labels} json={json} facts={facts} />}
      </Folded>
    </FormDrawer>
  );
}
