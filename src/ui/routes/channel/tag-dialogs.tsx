/** Tags: set one for many channels, or override what all channels of a tag have. */
import { Button, Group, Modal, MultiSelect, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChannelEntity } from '../../../core/contract/entities.ts';
import { client } from '../../client/api.ts';
import { toastSuccess } from '../../client/failures.ts';
import { FormDrawer } from '../../form/form-drawer.tsx';
import { isJsonObject, JsonField } from '../../form/json-field.tsx';
import { useReturnFocus } from '../../hooks/use-return-focus.ts';
import { useGroupNames } from '../../queries/use-groups.ts';
import { useRefreshChannels } from '../../queries/use-invalidate.ts';
import type { TagRow } from './channel-rows.ts';
import { ModelField } from './model-field.tsx';

export function BatchTagDialog({
  channels,
  onClose,
  onDone,
}: {
  channels: readonly ChannelEntity[];
  onClose: () => void;
  onDone: () => void;
}) {
  const { t } = useTranslation();
  const refresh = useRefreshChannels();
  useReturnFocus();
  const [tag, setTag] = useState('');
  const save = useMutation({
    mutationFn: (name: string) => client.channel.tagMany({ ids: channels.map((channel) => channel.id), tag: name }),
    onSuccess: async (count) => {
      await refresh();
      toastSuccess(t('channel.tag.batch.done', { count }));
      onDone();
    },
  });
  return (
    <Modal
      opened
      onClose={onClose}
      size={420}
      title={t('channel.tag.batch.title', { count: channels.length })}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate(tag.trim());
        }}
      >
        <TextInput
          data-autofocus
          label={t('channel.tag.batch.name')}
          description={t('channel.tag.batch.hint')}
          value={tag}
          onChange={(event) => setTag(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap={8} mt={20}>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t(tag.trim() === '' ? 'channel.tag.batch.remove' : 'channel.tag.batch.save')}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

interface TagValues {
  readonly name: string;
  readonly models: readonly string[];
  readonly groups: readonly string[];
  readonly mapping: string;
}

/** Fields are overrides: empty means no change, an empty name dissolves the tag (docs/rules/channels.md#tags). */
export function TagDrawer({ row, onClose }: { row: TagRow; onClose: () => void }) {
  const { t } = useTranslation();
  const refresh = useRefreshChannels();
  const [values, setValues] = useState<TagValues>({ name: row.tag, models: [], groups: [], mapping: '' });
  const groups = useGroupNames();
  const set = (change: Partial<TagValues>) => setValues({ ...values, ...change });
  const changes = [
    ...(values.name.trim() === row.tag ? [] : [t('channel.tag.edit.name')]),
    ...(values.models.length > 0 ? [t('channel.form.models')] : []),
    ...(values.groups.length > 0 ? [t('channel.form.groups')] : []),
    ...(values.mapping.trim() === '' ? [] : [t('channel.form.mapping')]),
  ];
  const save = useMutation({
    mutationFn: () =>
      client.channel.editTag({
        tag: row.tag,
        ...(values.name.trim() === row.tag ? {} : { new_tag: values.name.trim() }),
        ...(values.models.length > 0 ? { models: values.models.join(',') } : {}),
        ...(values.groups.length > 0 ? { groups: values.groups.join(',') } : {}),
        ...(values.mapping.trim() === '' ? {} : { model_mapping: values.mapping }),
      }),
    onSuccess: async () => {
      await refresh();
      onClose();
      toastSuccess(t('channel.tag.edit.done'));
    },
  });
  const mappingProblem = isJsonObject(values.mapping) ? undefined : t('channel.form.error.mapping');
  return (
    <FormDrawer
      opened
      creating={false}
      onClose={onClose}
      title={t('channel.tag.edit.title', { tag: row.tag })}
      subtitle={t('channel.tag.row', { count: row.channels.length })}
      changes={changes}
      submitLabel={t('common.save')}
      submitting={save.isPending}
      onSubmit={() => {
        if (changes.length === 0) return toastSuccess(t('channel.tag.edit.nothing'));
        if (mappingProblem === undefined) save.mutate();
      }}
    >
      <p style={{ color: 'var(--tp-dim)', fontSize: 13 }}>{t('channel.tag.edit.hint')}</p>
      <TextInput
        data-autofocus
        label={t('channel.tag.edit.name')}
        description={t('channel.tag.edit.name.hint')}
        value={values.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <ModelField
        required={false}
        value={values.models}
        onChange={(models) => set({ models })}
        related={[]}
        description={t('channel.tag.edit.models.hint')}
      />
      <MultiSelect
        label={t('channel.form.groups')}
        description={t('channel.tag.edit.groups.hint')}
        searchable
        data={[...groups]}
        value={[...values.groups]}
        onChange={(next) => set({ groups: next })}
      />
      <JsonField
        label={t('channel.form.mapping')}
        description={t('channel.form.mapping.hint')}
        value={values.mapping}
        error={mappingProblem}
        onChange={(mapping) => set({ mapping })}
      />
    </FormDrawer>
  );
}
