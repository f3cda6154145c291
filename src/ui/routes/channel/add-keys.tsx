/** Keys that are pasted to those of a channel; what it has already is named. */
import { Button, Group, Text, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ChannelKeyList } from '../../../core/contract/channel-keys.ts';
import { client } from '../../client/api.ts';
import { FormFailure } from '../../components/form-failure.tsx';
import { useTranslation } from '../../i18n/index.ts';
import classes from './channel.module.css';

interface AddKeysProps {
  /** The channel's. */
  readonly id: number;
  readonly onAdded: (list: ChannelKeyList) => void;
}

export function AddKeys({ id, onAdded }: AddKeysProps) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const add = useMutation({
    meta: { quiet: true },
    mutationFn: () => client.channelKeys.add({ id, keys: text }),
    onSuccess: ({ mode, keys }) => {
      setText('');
      onAdded({ mode, keys });
    },
  });
  const { data } = add;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') add.mutate();
      }}
    >
      <Textarea
        mt={12}
        label={t('channel.keys.add')}
        description={t('channel.keys.add.hint')}
        classNames={{ input: classes.code ?? '' }}
        autosize
        minRows={1}
        maxRows={8}
        autoComplete="off"
        spellCheck={false}
        value={text}
        disabled={add.isPending}
        onChange={(event) => {
          setText(event.currentTarget.value);
          add.reset();
        }}
      />
      <FormFailure error={add.error} />
      <Group mt={8} gap={8} justify="space-between" wrap="nowrap">
        <div role="status">
          {data !== undefined && (
            <Text size="sm">{t('channel.keys.add.done', { count: data.added })}</Text>
          )}
          {data !== undefined && data.repeated.length > 0 && (
            <Text size="sm" c="var(--tp-org-text)">
              {t('channel.keys.add.repeated', {
                names: data.repeated
                  .map((one) => t('channel.keys.add.repeated.one', one))
                  .join(t('common.joint')),
              })}
            </Text>
          )}
        </div>
        <Button
          type="submit"
          size="xs"
          variant="default"
          loading={add.isPending}
          disabled={text.trim() === ''}
        >
          {t('channel.keys.add.submit')}
        </Button>
      </Group>
    </form>
  );
}
