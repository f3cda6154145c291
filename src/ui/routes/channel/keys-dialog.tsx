/**
 * Each key of a channel that has several: its state and reason, and what can be done with it
 * (docs/rules/channels.md#single-keys).
 */
import { Button, SegmentedControl, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ChannelKey, KeyAction } from '../../../core/contract/channel-keys.ts';
import type { ChannelEntity } from '../../../core/contract/entities.ts';
import { client } from '../../client/api.ts';
import { confirmDanger } from '../../components/confirm-danger.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FailedState, LoadingRows } from '../../components/states.tsx';
import { useTranslation } from '../../i18n/index.ts';
import { queryKeys } from '../../queries/query-keys.ts';
import { useRefreshChannels } from '../../queries/use-invalidate.ts';
import { AddKeys } from './add-keys.tsx';
import { KeyRow } from './key-row.tsx';
import classes from './keys-dialog.module.css';
import { type TestOutcome, useTestRun } from './use-test-run.ts';

/** Keys drawn at once. */
const step = 100;

interface KeyChange {
  readonly action: KeyAction;
  readonly names: string[];
  readonly reason: string;
}

const isAtFault = (result: TestOutcome | undefined): boolean =>
  result !== undefined && result !== 'running' && result.atFault;
const messageOf = (result: TestOutcome | undefined): string =>
  result === undefined || result === 'running' ? '' : result.message;

export function KeysDialog({
  channel,
  onClose,
}: {
  readonly channel: ChannelEntity;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
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
    mutationFn: ({ action, names, reason }: KeyChange) =>
      client.channelKeys.change({ id, action, names, reason }),
    onSuccess: (list) => queryClient.setQueryData(queryKey, list),
    onSettled: refresh,
  });
  const run = useTestRun((name, _: undefined) => client.channelKeys.test({ id, name }));
  const keys = data?.keys ?? [];
  const disabled = keys.filter(({ enabled }) => !enabled);
  const shown = only === 'all' ? keys : disabled;
  const act = (action: KeyAction, of: readonly ChannelKey[]) =>
    change.mutate({ action, names: of.map(({ name }) => name), reason: '' });
  const failed = keys.filter(({ name, enabled }) => enabled && isAtFault(run.results.get(name)));
  const test = (of: readonly ChannelKey[]) =>
    void run.test(
      of.map(({ name }) => name),
      undefined,
    );
  /** Each with its own failure as the reason; keys that failed alike go together. */
  const disableFailed = async () => {
    const alike = Map.groupBy(failed, ({ name }) => messageOf(run.results.get(name)));
    for (const [reason, of] of alike)
      await change
        .mutateAsync({ action: 'disable', names: of.map(({ name }) => name), reason })
        .catch(() => undefined); // The mutation says so.
  };
  const askToRemove = (of: readonly ChannelKey[]) =>
    confirmDanger({
      title: t('channel.keys.remove.title', { count: of.length }),
      text: t('channel.keys.remove.text'),
      confirm: t('channel.keys.remove.confirm', { count: of.length }),
      onConfirm: () => act('remove', of),
    });
  return (
    <Dialog
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
                { value: 'all', label: `${t('channel.keys.all')} ${keys.length}` },
                { value: 'disabled', label: `${t('channel.keys.disabled')} ${disabled.length}` },
              ]}
            />
            <span className={classes.gap} />
            {run.busy ? (
              <Button size="xs" variant="default" disabled={run.isStopping} onClick={run.stop}>
                {t('channel.keys.test.stop')}
              </Button>
            ) : (
              <Button
                size="xs"
                variant="default"
                disabled={keys.length === 0}
                onClick={() => test(keys)}
              >
                {t('channel.keys.test.all')}
              </Button>
            )}
            <Button
              size="xs"
              variant="default"
              disabled={failed.length === 0 || run.busy}
              onClick={() => void disableFailed()}
            >
              {t('channel.keys.test.disable', { failed: failed.length })}
            </Button>
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
                result={run.results.get(key.name)}
                busy={run.busy}
                onTest={() => test([key])}
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
          <AddKeys
            id={id}
            onAdded={(list) => {
              queryClient.setQueryData(queryKey, list);
              void refresh();
            }}
          />
        </>
      )}
    </Dialog>
  );
}
