/** The disabled keys of a stored channel, with the reasons, and a button that enables them. */
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ChannelEntity } from '../../../core/contract/entities.ts';
import { channelStatuses } from '../../../core/vocabulary/statuses.ts';
import { client } from '../../client/api.ts';
import { toastSuccess } from '../../client/failures.ts';
import { fullTime } from '../../hooks/use-time-text.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useRefreshChannels } from '../../queries/use-invalidate.ts';
import classes from './channel.module.css';

interface KeysNoteProps {
  readonly channel: ChannelEntity;
  readonly onRevived: () => void;
}

export function KeysNote({ channel, onRevived }: KeysNoteProps) {
  const { t } = useTranslation();
  const refresh = useRefreshChannels();
  const revive = useMutation({
    mutationFn: () => client.channel.update({ id: channel.id, status: channelStatuses.enabled }),
    onSuccess: async () => {
      await refresh();
      onRevived();
      toastSuccess(t('channel.keys.revived'));
    },
  });
  const keys = channel.multi_key;
  if (keys === undefined || keys.disabled.length === 0) return null;
  return (
    <section className={classes.keysNote} aria-label={t('channel.keys.title')}>
      <div className={classes.keysHead}>
        <b>{t('channel.keys.off', { off: keys.disabled.length, size: keys.size })}</b>
        <Button
          size="xs"
          variant="default"
          loading={revive.isPending}
          onClick={() => revive.mutate()}
        >
          {t('channel.keys.revive')}
        </Button>
      </div>
      <ul>
        {keys.disabled.map(({ position, reason, time }) => (
          <li key={position}>
            <b>#{position}</b> {reason || t('channel.keys.byHand')}{' '}
            <span className={classes.dim}>{fullTime(time)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
