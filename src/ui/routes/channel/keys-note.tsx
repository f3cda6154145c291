/** The keys of a stored channel: how they take turns, which are switched off and why. */
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ChannelEntity } from '../../../core/contract/entities.ts';
import { fullTime } from '../../hooks/use-time-text.ts';
import classes from './channel.module.css';

interface KeysNoteProps {
  readonly keys: NonNullable<ChannelEntity['multi_key']>;
  readonly busy: boolean;
  readonly onRevive: () => void;
}

export function KeysNote({ keys, busy, onRevive }: KeysNoteProps) {
  const { t } = useTranslation();
  if (keys.disabled.length === 0) return null;
  return (
    <section className={classes.keysNote} aria-label={t('channel.keys.title')}>
      <div className={classes.keysHead}>
        <b>{t('channel.keys.off', { off: keys.disabled.length, size: keys.size })}</b>
        <Button size="xs" variant="default" loading={busy} onClick={onRevive}>
          {t('channel.keys.revive')}
        </Button>
      </div>
      <ul>
        {keys.disabled.map(({ position, reason, time }) => (
          <li key={position}>
            <b>#{position}</b> {reason} <span className={classes.dim}>{fullTime(time)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
