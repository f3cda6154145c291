/** The operator's home: channels and tags, their health and order (seed, administration 2 "Channels"). */
import { Button } from '@mantine/core';
import { Plus, Power, PowerOff, Tag, Trash2, Zap } from 'lucide-react';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ChannelEntity } from '../../../core/contract/entities.ts';
import { channelStatuses } from '../../../core/vocabulary/statuses.ts';
import { storageKeys } from '../../browser/local-storage.ts';
import { client } from '../../client/api.ts';
import { toastFailure } from '../../client/failures.ts';
import { confirmDanger } from '../../components/confirm-danger.tsx';
import { ListPage } from '../../components/page.tsx';
import { EmptyState, FailedState, LoadingRows, NoMatchState } from '../../components/states.tsx';
import { usePhone } from '../../hooks/use-phone.ts';
import { BulkAction, BulkBar } from '../../list/bulk-bar.tsx';
import { CardList } from '../../list/card-list.tsx';
import { ColumnMenu } from '../../list/column-menu.tsx';
import { ListTable } from '../../list/data-table.tsx';
import { Pager } from '../../list/pager.tsx';
import { useColumns } from '../../list/use-columns.ts';
import { useDraft } from '../../list/use-draft.ts';
import { ChannelCard } from './channel-card.tsx';
import { useChannelColumns } from './channel-columns.tsx';
import type { ChannelActs } from './channel-menu.tsx';
import { type ChannelRow, channelRows, failedTest, keyOfRow, type Row, type TagRow, tagRows } from './channel-rows.ts';
import { ChannelFilters, ChannelHeader } from './channel-toolbar.tsx';
import { useChannelRuns } from './use-channel-runs.tsx';
import { useChannelTests } from './use-channel-tests.ts';
import { useChannels } from './use-channels.ts';

// Forms come when somebody wants to fill one in: the list must be there first.
const ChannelDrawer = lazy(async () => ({ default: (await import('./channel-drawer.tsx')).ChannelDrawer }));
const TagDrawer = lazy(async () => ({ default: (await import('./tag-dialogs.tsx')).TagDrawer }));
const BatchTagDialog = lazy(async () => ({ default: (await import('./tag-dialogs.tsx')).BatchTagDialog }));
const TestDialog = lazy(async () => ({ default: (await import('./test-dialog.tsx')).TestDialog }));

const isChannel = (row: Row): row is ChannelRow => row.kind === 'channel';

export function ChannelScreen() {
  const { t } = useTranslation();
  const phone = usePhone();
  const channels = useChannels();
  const tests = useChannelTests();
  const runs = useChannelRuns({ onShowFailed: () => channels.change({ status: failedTest }) });
  const { draft, create, edit, close } = useDraft<ChannelEntity>();
  const [selected, setSelected] = useState<Row[]>([]);
  const [openTags, setOpenTags] = useState<ReadonlySet<string>>(new Set());
  const [tested, setTested] = useState<ChannelEntity>();
  const [tagging, setTagging] = useState(false);
  const [editedTag, setEditedTag] = useState<TagRow>();
  const picked = selected.filter(isChannel).map((row) => row.channel);

  /** Priority and weight: problems are warnings in place, and a refusal keeps the field open. */
  const saveOrder = async (call: Promise<unknown>) => {
    try {
      await call;
    } catch (error) {
      toastFailure(error);
      throw error;
    }
    await channels.refresh();
  };
  const acts: ChannelActs = {
    edit,
    test: (channel) => void tests.test(channel),
    pickModel: setTested,
    toggle: (channel) =>
      channels.setStatus.mutate({
        channels: [channel],
        status: channel.status === channelStatuses.enabled ? channelStatuses.disabled : channelStatuses.enabled,
      }),
    reviveKeys: (channel) => channels.reviveKeys.mutate(channel),
    copy: (channel) => channels.copy.mutate(channel),
    remove: (doomed) =>
      confirmDanger({
        title: t('channel.delete.title', { count: doomed.length }),
        text: t('channel.delete.text', { names: doomed.map((channel) => channel.name).join(t('common.joint')) }),
        confirm: t('channel.delete.confirm', { count: doomed.length }),
        onConfirm: () => channels.remove.mutate(doomed, { onSuccess: () => setSelected([]) }),
      }),
    updateBalance: (channel) => tests.updateBalance.mutate(channel),
    saveOrder: ({ id }, field, value) => saveOrder(client.channel.update({ id, [field]: value })),
    saveTagOrder: (tag, field, value) => saveOrder(client.channel.editTag({ tag, [field]: value })),
    toggleTag: (tag) =>
      setOpenTags((before) => {
        const next = new Set(before);
        if (!next.delete(tag)) next.add(tag);
        return next;
      }),
    setTag: (tag, enabled) => channels.setTag.mutate({ tag, enabled }),
    editTag: setEditedTag,
  };
  const { specs, columns } = useChannelColumns(acts, tests.running);
  const settings = useColumns(storageKeys.channelColumns, specs);
  const items = channels.list.data?.items;
  const rows = useMemo(
    () => (items === undefined ? undefined : channels.tagMode ? tagRows(items, openTags) : channelRows(items)),
    [items, channels.tagMode, openTags],
  );
  const empty = rows?.length === 0 && !channels.filtered && !channels.tagMode;
  const setAll = (status: number) =>
    channels.setStatus.mutate({ channels: picked, status }, { onSuccess: () => setSelected([]) });
  const newButton = (
    <Button leftSection={<Plus size={16} />} onClick={create}>
      {t('channel.new')}
    </Button>
  );
  return (
    <ListPage>
      <ChannelHeader channels={channels} runs={runs} onCreate={create} empty={empty} />
      <ChannelFilters channels={channels} end={phone ? undefined : <ColumnMenu columns={settings} />} />
      {rows === undefined ? (
        channels.list.isError ? (
          <FailedState title={t('channel.failed')} error={channels.list.error} onRetry={() => void channels.list.refetch()} />
        ) : (
          <LoadingRows rows={8} height={48} />
        )
      ) : rows.length === 0 ? (
        empty ? (
          <EmptyState title={t('channel.empty.title')} text={t('channel.empty.text')} action={newButton} />
        ) : (
          <NoMatchState
            title={t('channel.noMatch')}
            onClear={() => channels.change({ q: '', model: '', group: '', status: '', tags: '' })}
          />
        )
      ) : phone ? (
        <CardList
          rows={rows.flatMap((row) => (row.kind === 'tag' ? row.channels : [row.channel]))}
          keyOf={(channel) => channel.id}
          label={t('channel.title')}
          render={(channel) => <ChannelCard channel={channel} acts={acts} />}
        />
      ) : (
        <ListTable
          rows={rows}
          columns={columns}
          choices={settings.choices}
          density={settings.density}
          rowHeight={48}
          keyOf={keyOfRow}
          label={t('channel.title')}
          onOpen={(row) => (row.kind === 'tag' ? acts.toggleTag(row.tag) : edit(row.channel))}
          rowState={(row) =>
            row.kind === 'tag'
              ? 'parent'
              : row.channel.status !== channelStatuses.enabled
                ? 'dimmed'
                : row.child
                  ? 'child'
                  : undefined
          }
          selection={{
            selected,
            onChange: setSelected,
            nameOf: (row) => (row.kind === 'tag' ? row.tag : row.channel.name),
            selectable: isChannel,
          }}
          sort={{ columnAccessor: channels.idSort ? 'id' : 'priority', direction: 'desc' }}
          onSort={({ columnAccessor }) => channels.setIdSort(columnAccessor === 'id')}
        />
      )}
      <BulkBar count={picked.length} label={t('channel.bulk.label')} onClear={() => setSelected([])}>
        <BulkAction
          icon={<Power size={16} />}
          label={t('common.enable')}
          busy={channels.setStatus.isPending}
          onClick={() => setAll(channelStatuses.enabled)}
        />
        <BulkAction
          icon={<PowerOff size={16} />}
          label={t('common.disable')}
          busy={channels.setStatus.isPending}
          onClick={() => setAll(channelStatuses.disabled)}
        />
        <BulkAction
          icon={<Zap size={16} />}
          label={t('channel.test')}
          busy={tests.testMany.isPending}
          onClick={() => tests.testMany.mutate(picked)}
        />
        <BulkAction icon={<Tag size={16} />} label={t('channel.bulk.tag')} onClick={() => setTagging(true)} />
        <BulkAction icon={<Trash2 size={16} />} label={t('common.delete')} danger onClick={() => acts.remove(picked)} />
      </BulkBar>
      <Pager
        page={channels.page}
        pageSize={channels.pageSize}
        total={channels.list.data?.total ?? 0}
        onPage={(page) => channels.change({ p: String(page) })}
        onPageSize={(size) => {
          channels.setPageSize(size);
          channels.change({ p: '1' });
        }}
      />
      <Suspense fallback={null}>
        {draft !== undefined && <ChannelDrawer key={draft?.id ?? 'new'} channel={draft} onClose={close} />}
        {tested !== undefined && <TestDialog channel={tested} onClose={() => setTested(undefined)} />}
        {tagging && (
          <BatchTagDialog
            channels={picked}
            onClose={() => setTagging(false)}
            onDone={() => {
              setTagging(false);
              setSelected([]);
            }}
          />
        )}
        {editedTag !== undefined && <TagDrawer key={editedTag.tag} row={editedTag} onClose={() => setEditedTag(undefined)} />}
      </Suspense>
    </ListPage>
  );
}
