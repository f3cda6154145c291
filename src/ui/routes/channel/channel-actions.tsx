/** What can be done with a channel, with a tag, and with several channels. */
import { useMutation } from '@tanstack/react-query';
import {
  Copy,
  FlaskConical,
  KeyRound,
  KeySquare,
  ListChecks,
  Pencil,
  Power,
  PowerOff,
  Tag,
  Trash2,
  Zap,
} from 'lucide-react';
import type { ChannelEntity } from '../../../core/contract/entities.ts';
import { channelStatuses } from '../../../core/vocabulary/statuses.ts';
import { client } from '../../client/api.ts';
import { toastFailure, toastSuccess } from '../../client/failures.ts';
import { useRunQuestion } from '../../components/run-question.ts';
import { useTranslation } from '../../i18n/index.ts';
import { groupedNames } from '../../list/grouped-names.ts';
import type { BatchAction, RowAction } from '../../list/row-actions.tsx';
import { useRefreshChannels } from '../../queries/use-invalidate.ts';
import type { ChannelRow, Row, TagRow } from './channel-rows.ts';
import type { ChannelRuns } from './use-channel-runs.tsx';
import type { ChannelTests } from './use-channel-tests.ts';

type Channels = readonly ChannelEntity[];
const { enabled, disabled } = channelStatuses;
const idsOf = (channels: Channels) => channels.map((channel) => channel.id);
const isChannel = (row: Row): row is ChannelRow => row.kind === 'channel';
export const channelsOf = (rows: readonly Row[]): Channels =>
  rows.filter(isChannel).map((row) => row.channel);

/** An action on channels as an action on rows: tags do not offer it. */
function forChannel(
  action: Omit<RowAction<ChannelEntity>, 'when'> & {
    readonly when?: (channel: ChannelEntity) => boolean;
  },
): RowAction<Row> {
  const { onAct, when, confirm, busy, ...rest } = action;
  // `when` is checked first, so the others only ever see channels.
  const channelOf = (row: Row) => (row as ChannelRow).channel;
  return {
    ...rest,
    when: (row) => isChannel(row) && (when?.(row.channel) ?? true),
    onAct: (row) => onAct(channelOf(row)),
    ...(confirm && { confirm: (row: Row) => confirm(channelOf(row)) }),
    ...(busy && { busy: (row: Row) => busy(channelOf(row)) }),
  };
}

function forTag({
  onAct,
  ...rest
}: Omit<RowAction<TagRow>, 'when' | 'confirm' | 'busy'>): RowAction<Row> {
  return { ...rest, when: (row) => row.kind === 'tag', onAct: (row) => onAct(row as TagRow) };
}

interface ChannelActionsProps {
  readonly tests: ChannelTests;
  readonly runs: ChannelRuns;
  readonly onEdit: (channel: ChannelEntity) => void;
  readonly onPickModel: (channel: ChannelEntity) => void;
  readonly onKeys: (channel: ChannelEntity) => void;
  readonly onEditTag: (row: TagRow) => void;
  readonly onTag: () => void;
  readonly onBulkTag: (row: TagRow) => void;
  /** A batch has gone through. */
  readonly onDone: () => void;
}

export function useChannelActions({
  tests,
  runs,
  onEdit,
  onPickModel,
  onKeys,
  onEditTag,
  onTag,
  onBulkTag,
  onDone,
}: ChannelActionsProps): {
  readonly rowActions: readonly RowAction<Row>[];
  readonly batchActions: readonly BatchAction<Row>[];
} {
  const { t } = useTranslation();
  const refresh = useRefreshChannels();
  const askFirst = useRunQuestion('channels');
  const setStatus = useMutation({
    mutationFn: ({ channels, status }: { channels: Channels; status: number }) =>
      client.channel.setStatusMany({ ids: idsOf(channels), status }),
    onSuccess: (_, { channels: { length: count }, status }) => {
      if (count > 1)
        toastSuccess(
          t(status === enabled ? 'channel.enabled.done' : 'channel.disabled.done', { count }),
        );
    },
    onSettled: refresh,
  });
  /** Enabling an enabled channel enables its keys. */
  const enableKeys = useMutation({
    mutationFn: ({ id }: ChannelEntity) => client.channel.update({ id, status: enabled }),
    onSuccess: () => toastSuccess(t('channel.keys.revived')),
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: (channels: Channels) => client.channel.removeMany({ ids: idsOf(channels) }),
    onSuccess: (count) => toastSuccess(t('channel.delete.done', { count })),
    onSettled: refresh,
  });
  const copy = useMutation({
    mutationFn: ({ id }: ChannelEntity) =>
      client.channel.copy({ id, suffix: t('channel.copy.suffix'), reset_balance: true }),
    meta: { quiet: true },
    onSuccess: () => toastSuccess(t('channel.copy.done')),
    onError: (error) => toastFailure(error, t('channel.copy.failed')),
    onSettled: refresh,
  });
  const setTagEnabled = useMutation({
    mutationFn: ({ tag, on }: { tag: string; on: boolean }) =>
      on ? client.channel.enableTag({ tag }) : client.channel.disableTag({ tag }),
    onSuccess: (_, { tag, on }) =>
      toastSuccess(t(on ? 'channel.tag.enabled.done' : 'channel.tag.disabled.done', { tag })),
    onSettled: refresh,
  });
  const question = (channels: Channels) => ({
    title: t('channel.delete.title', { count: channels.length }),
    text: t('channel.delete.text', {
      names: groupedNames(
        channels.map((channel) => channel.name),
        t('common.joint'),
      ),
    }),
    confirm: t('channel.delete.confirm', { count: channels.length }),
  });
  const isEnabled = (channel: ChannelEntity) => channel.status === enabled;
  return {
    rowActions: [
      forChannel({
        key: 'test',
        label: t('channel.test'),
        icon: Zap,
        prominent: true,
        busy: (channel) => tests.running.has(channel.id),
        onAct: (channel) => void tests.test(channel),
      }),
      forChannel({
        key: 'edit',
        label: t('common.edit'),
        icon: Pencil,
        prominent: true,
        onAct: onEdit,
      }),
      forChannel({
        key: 'testWith',
        label: t('channel.test.with'),
        icon: FlaskConical,
        onAct: onPickModel,
      }),
      forChannel({
        key: 'disable',
        label: t('common.disable'),
        icon: PowerOff,
        when: isEnabled,
        onAct: (channel) => setStatus.mutate({ channels: [channel], status: disabled }),
      }),
      forChannel({
        key: 'enable',
        label: t('common.enable'),
        icon: Power,
        when: (channel) => !isEnabled(channel),
        onAct: (channel) => setStatus.mutate({ channels: [channel], status: enabled }),
      }),
      forChannel({
        key: 'keys',
        label: t('channel.keys.open'),
        icon: KeySquare,
        onAct: onKeys,
      }),
      forChannel({
        key: 'enableKeys',
        label: t('channel.keys.revive.all'),
        icon: KeyRound,
        when: (channel) => isEnabled(channel) && (channel.multi_key?.disabled.length ?? 0) > 0,
        onAct: (channel) => enableKeys.mutate(channel),
      }),
      forChannel({
        key: 'copy',
        label: t('channel.copy'),
        icon: Copy,
        onAct: (channel) => copy.mutate(channel),
      }),
      forChannel({
        key: 'delete',
        label: t('common.delete'),
        icon: Trash2,
        danger: true,
        confirm: (channel) => question([channel]),
        onAct: (channel) => remove.mutate([channel]),
      }),
      forTag({
        key: 'editTag',
        label: t('channel.tag.edit'),
        icon: Pencil,
        prominent: true,
        onAct: onEditTag,
      }),
      forTag({
        key: 'bulkTag',
        label: t('channel.bulk.change'),
        icon: ListChecks,
        onAct: onBulkTag,
      }),
      forTag({
        key: 'enableTag',
        label: t('channel.tag.enableAll'),
        icon: Power,
        onAct: ({ tag }) => setTagEnabled.mutate({ tag, on: true }),
      }),
      forTag({
        key: 'disableTag',
        label: t('channel.tag.disableAll'),
        icon: PowerOff,
        onAct: ({ tag }) => setTagEnabled.mutate({ tag, on: false }),
      }),
    ],
    batchActions: [
      {
        key: 'enable',
        label: t('common.enable'),
        icon: Power,
        busy: setStatus.isPending,
        onAct: (rows) =>
          setStatus.mutate({ channels: channelsOf(rows), status: enabled }, { onSuccess: onDone }),
      },
      {
        key: 'disable',
        label: t('common.disable'),
        icon: PowerOff,
        busy: setStatus.isPending,
        onAct: (rows) =>
          setStatus.mutate({ channels: channelsOf(rows), status: disabled }, { onSuccess: onDone }),
      },
      {
        key: 'test',
        label: t('channel.test'),
        icon: Zap,
        busy: runs.testSome.isPending || runs.tests !== undefined,
        onAct: (rows) => askFirst(rows.length, () => runs.testSome.mutate(idsOf(channelsOf(rows)))),
      },
      { key: 'tag', label: t('channel.bulk.tag'), icon: Tag, onAct: onTag },
      {
        key: 'delete',
        label: t('common.delete'),
        icon: Trash2,
        danger: true,
        busy: remove.isPending,
        confirm: (rows) => question(channelsOf(rows)),
        onAct: (rows) => remove.mutate(channelsOf(rows), { onSuccess: onDone }),
      },
    ],
  };
}
