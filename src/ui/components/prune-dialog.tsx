/** Deletes old rows: choose a time, confirm, watch (docs/rules/usage-logs.md#log-prune). */
import { Button, Group, Progress, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { PruneStatus } from '../../core/contract/log.ts';
import { formatCount } from '../../core/pricing/format.ts';
import { client } from '../client/api.ts';
import { failureText, toastFailure, toastSuccess } from '../client/failures.ts';
import { fullTime } from '../hooks/use-time-text.ts';
import { translate, useTranslation } from '../i18n/index.ts';
import { queryKeys } from '../queries/query-keys.ts';
import { confirmDanger } from './confirm-danger.tsx';
import { openDialog } from './dialogs.ts';

const pollMs = 1000;

export function openPrune(): void {
  openDialog({
    title: translate('log.prune.title'),
    role: 'dialog',
    size: 440,
    withCloseButton: true,
    content: (close) => <Prune onClose={close} />,
  });
}

function Prune({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { data, error } = useQuery({
    queryKey: queryKeys.log.prune,
    queryFn: () => client.log.pruneStatus(),
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? pollMs : false),
  });
  const wasRunning = useRef(false);
  const state = data?.state;
  useEffect(() => {
    if (state === 'running') wasRunning.current = true;
    if (!wasRunning.current || state === undefined || state === 'running') return;
    wasRunning.current = false;
    if (state === 'failed') toastFailure(undefined, t('log.prune.failed'));
    else toastSuccess(t('log.prune.done', counted(data?.deleted ?? 0)));
    void queryClient.invalidateQueries({ queryKey: queryKeys.log.all });
    onClose();
  }, [state, data, queryClient, onClose, t]);
  if (error !== null) return <Text size="sm">{failureText(error)}</Text>;
  if (data === undefined) return null;
  const show = (status: PruneStatus) => queryClient.setQueryData(queryKeys.log.prune, status);
  return data.state === 'running' ? (
    <Running status={data} />
  ) : (
    <ChooseTime onStarted={show} onClose={onClose} />
  );
}

const counted = (count: number) => ({ count, n: formatCount(count) });

/** The value of a datetime-local field, local time. */
const fieldText = (seconds: number) => fullTime(seconds).replace(' ', 'T');

/** The time of day now, a month ago; on the last day of a shorter month. */
function monthAgo(): number {
  const at = new Date();
  const day = at.getDate();
  at.setMonth(at.getMonth() - 1);
  if (at.getDate() !== day) at.setDate(0);
  return Math.floor(at.getTime() / 1000);
}

function ChooseTime({
  onStarted,
  onClose,
}: {
  readonly onStarted: (status: PruneStatus) => void;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const [text, setText] = useState(() => fieldText(monthAgo()));
  const [wasSent, setWasSent] = useState(false);
  /** NaN for an empty field. */
  const before = Math.floor(new Date(text).getTime() / 1000);
  const isChosen = before > 0;
  const isFuture = before * 1000 > Date.now();
  const queryClient = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  /** The time in the field; undefined once the dialog is closed. */
  const current = useRef<number>(undefined);
  useEffect(() => {
    current.current = before;
    return () => {
      current.current = undefined;
    };
  }, [before]);
  const older = {
    queryKey: queryKeys.log.older(isChosen ? before : 0),
    queryFn: async () => (await client.log.list({ end_timestamp: before - 1, page_size: 1 })).total,
  };
  const { data: count } = useQuery({ ...older, enabled: isChosen && !isFuture });
  const problem = isFuture
    ? t('log.prune.future')
    : isChosen || !wasSent
      ? undefined
      : t('log.prune.required');
  const start = () =>
    client.log
      .startPrune({ target_timestamp: before })
      .then(onStarted, (error: unknown) => toastFailure(error, t('log.prune.failed')));
  const question = (total: number) => {
    if (total === 0 || current.current !== before) return;
    confirmDanger({
      title: t('log.prune.question', counted(total)),
      text: t('log.prune.effect', { time: fullTime(before) }),
      confirm: t('log.prune.confirm', counted(total)),
      onConfirm: () => void start(),
    });
  };
  const ask = async () => {
    setWasSent(true);
    if (!isChosen || isFuture) return;
    if (count !== undefined) return question(count);
    setAsking(true);
    await queryClient.fetchQuery(older).then(question, (error: unknown) => toastFailure(error));
    setAsking(false);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void ask();
      }}
    >
      <Stack gap={16}>
        <Text size="sm" c="var(--tp-ink2)">
          {t('log.prune.text')}
        </Text>
        <TextInput
          type="datetime-local"
          step={1}
          label={t('log.prune.before')}
          value={text}
          error={problem}
          description={
            count === undefined || !isChosen ? undefined : t('log.prune.count', counted(count))
          }
          onChange={(event) => setText(event.currentTarget.value)}
          data-autofocus
        />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" data-tone="danger" disabled={count === 0} loading={isAsking}>
            {t('log.prune')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Running({ status: { deleted, total, before } }: { readonly status: PruneStatus }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const stop = useMutation({
    mutationFn: () => client.log.stopPrune(),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: queryKeys.log.prune }),
  });
  return (
    <Stack gap={12}>
      <Text size="sm" c="var(--tp-ink2)">
        {t('log.prune.running', { time: fullTime(before) })}
      </Text>
      <Progress
        value={total === 0 ? 0 : Math.min(100, (deleted / total) * 100)}
        aria-label={t('log.prune.label')}
        animated
      />
      <Text size="sm" c="var(--tp-ink2)" role="status">
        {t('log.prune.progress', {
          deleted: formatCount(deleted),
          total: formatCount(Math.max(total, deleted)),
        })}
      </Text>
      <Group justify="flex-end">
        <Button variant="default" loading={stop.isPending} onClick={() => stop.mutate()}>
          {t('log.prune.stop')}
        </Button>
      </Group>
    </Stack>
  );
}
