/** Sets the tag of several channels. */
import { Button, Group, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ChannelEntity } from '../../../core/contract/entities.ts';
import { client } from '../../client/api.ts';
import { toastSuccess } from '../../client/failures.ts';
import { Dialog } from '../../components/dialog.tsx';
import { FormFailure } from '../../components/form-failure.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { useRefreshChannels } from '../../queries/use-invalidate.ts';

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
  const [tag, setTag] = useState('');
  const save = useMutation({
    meta: { quiet: true },
    mutationFn: (name: string) =>
      client.channel.tagMany({ ids: channels.map((channel) => channel.id), tag: name }),
    onSuccess: async (count) => {
      await refresh();
      toastSuccess(t('channel.tag.batch.done', { count }));
      onDone();
    },
  });
  return (
    <Dialog
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
        <FormFailure error={save.error} />
        <Group justify="flex-end" gap={8} mt={20}>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t(tag.trim() === '' ? 'channel.tag.batch.remove' : 'channel.tag.batch.save')}
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}
