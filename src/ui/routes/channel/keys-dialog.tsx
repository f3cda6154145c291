/**
 * Each key of a channel that has several: its state and reason, and what can be done with it
 * (docs/rules/channels.md#single-keys).
 */
import { Button, Modal, SegmentedControl, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ChannelKey, KeyAction } from '../../../core/contract/channel-keys.ts';
import type { ChannelEntity } from '../../../core/contract/entities.ts';
import { client } from '../../client/api.ts';
import { confirmDanger } from '../../components/confirm-danger.tsx';
import { FailedState, LoadingRows } from '../../components/states.tsx';
import { StatusDot } from '../../components/status-dot.tsx';
import { useReturnFocus } from '../../hooks/use-return-focus.ts';
import { fullTime } from '../../hooks/use-time-text.ts';
import { useTranslation } from '../../i18n/index.ts';
import { queryKeys } from '../../queries/query-keys.ts';
import { useRefreshChannels } from '../../queries/use-invalidate.ts';
import { useHealthState } from './channel-status.tsx';
import classes from './keys-dialog.module.css';

/** Keys drawn at once. */
const step = 100;

export function KeysDialog({
  channel,
  onClose,
}: {
  readonly channel: ChannelEntity;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  useReturnFocus();
  const { id } = channel;
  const queryClient = useQueryClient();
  const refresh = useRefreshChannels();
  const [only, setOnly] = useState<'all' | 'disabled'>('all');
  const [most, setMost] = useState(step);
  const queryKey = queryKeys.channel.keys(id);
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: () => client.channelKeys.list({ id }),
  });
  const change = useMutation({
    mutationFn: ({ action, names }: { action: KeyAction; names: string[] }) =>
      client.channelKeys.change({ id, action, names }),
    onSuccess: (list) => queryClient.setQueryData(queryKey, list),
    onSettled: refresh,
  });
  const keys = data?.keys ?? [];
  const disabled = keys.filter(({ enabled }) => !enabled);
  const shown = only === 'all' ? keys : disabled;
  const act = (action: KeyAction, of: readonly ChannelKey[]) =>
    change.mutate({ action, names: of.map(({ name }) => name) });
  const askToRemove = (of: readonly ChannelKey[]) =>
    confirmDanger({
      title: t('channel.keys.remove.title', { count: of.length }),
      text: t('channel.keys.remove.text'),
      confirm: t('channel.keys.remove.confirm', { count: of.length }),
      onConfirm: () => act('remove', of),
    });
  return (
    <Modal
      opened
      onClose={onClose}
      size={640}
      title={t('channel.keys.of', { name: channel.name })}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      {error !== null && data === undefined && (
        <FailedState
          title={t('channel.keys.failed')}
          error={error}
          onRetry={() => void refetch()}
        />
      )}
      {error === null && data === undefined && <LoadingRows rows={5} height={44} />}
      {data !== undefined && (
        <>
          <Text size="sm" c="dimmed" mb={12}>
            {t('channel.keys.hint')}
          </Text>
          <div className={classes.bar}>
            <SegmentedControl
              aria-label={t('channel.keys.title')}
              value={only}
              onChange={(value) => setOnly(value as 'all' | 'disabled')}
              data={[
                { value: 'all', label: `${t('common.all')} ${keys.length}` },
                { value: 'disabled', label: `${t('channel.keys.disabled')} ${disabled.length}` },
              ]}
            />
            <span className={classes.gap} />
            <Button
              size="xs"
              variant="default"
              disabled={disabled.length === 0}
              onClick={() => act('enable', disabled)}
            >
              {t('channel.keys.revive')}
            </Button>
            <Button
              size="xs"
              variant="default"
              disabled={disabled.length === 0}
              onClick={() => askToRemove(disabled)}
            >
              {t('channel.keys.removeDisabled')}
            </Button>
          </div>
          <ul className={classes.keys} aria-busy={change.isPending}>
            {shown.slice(0, most).map((key) => (
              <KeyRow
                key={`${key.position} ${key.name}`}
                entry={key}
                onAct={(action) => act(action, [key])}
                onRemove={() => askToRemove([key])}
              />
            ))}
            {shown.length === 0 && <li className={classes.dim}>{t('channel.keys.none')}</li>}
          </ul>
          {shown.length > most && (
            <Button size="xs" variant="subtle" onClick={() => setMost(most + step)}>
              {t('channel.keys.more', { count: shown.length - most })}
            </Button>
          )}
        </>
      )}
    </Modal>
  );
}

interface KeyRowProps {
  readonly entry: ChannelKey;
  readonly onAct: (action: 'enable' | 'disable') => void;
  readonly onRemove: () => void;
}

function KeyRow({ entry, onAct, onRemove }: KeyRowProps) {
  const { t } = useTranslation();
  const health = useHealthState(entry);
  const { position, name, enabled, reason, time } = entry;
  const state = !enabled
    ? ({ tone: reason === '' ? 'off' : 'red', label: t('channel.keys.state.disabled') } as const)
    : (health ?? ({ tone: 'ok', label: t('channel.keys.state.enabled') } as const));
  const label = (action: string) => t('channel.keys.act', { action, position });
  const [toggle, toggled] = enabled
    ? (['disable', t('common.disable')] as const)
    : (['enable', t('common.enable')] as const);
  return (
    <li>
      <span className={classes.position}>#{position}</span>
      <code className={classes.name}>{name}</code>
      <span className={classes.state}>
        <StatusDot {...state} />
        {!enabled && (
          <span className={classes.dim}>
            {reason === '' ? t('channel.keys.byHand') : reason}
            {time > 0 && ` · ${fullTime(time)}`}
          </span>
        )}
      </span>
      <Button
        size="compact-xs"
        variant="subtle"
        aria-label={label(toggled)}
        onClick={() => onAct(toggle)}
      >
        {toggled}
      </Button>
      <Button
        size="compact-xs"
        variant="subtle"
        c="var(--tp-red-text)"
        aria-label={label(t('common.delete'))}
        onClick={onRemove}
      >
        {t('common.delete')}
      </Button>
    </li>
  );
}
