/** The operator's home: channels and tags, their health and order. */
import { Suspense, useState } from 'react';
import type { ChannelEntity } from '../../../core/contract/entities.ts';
import { channelFilters } from '../../../core/entities/channel-filters.ts';
import { channelStatuses } from '../../../core/vocabulary/statuses.ts';
import { storageKeys } from '../../browser/local-storage.ts';
import { client } from '../../client/api.ts';
import { toastFailure } from '../../client/failures.ts';
import { latePart } from '../../client/late-part.ts';
import { BoxedTypeLogo } from '../../components/provider-logo.tsx';
import { loadTextPart, useTranslation } from '../../i18n/index.ts';
import { wordKey } from '../../i18n/words.ts';
import { labelOf, useFilterBar } from '../../list/declared-filters.ts';
import { ListScreen } from '../../list/list-screen.tsx';
import { useDraft } from '../../list/use-draft.ts';
import { useGroupNames } from '../../queries/use-groups.ts';
import { useRefreshChannels } from '../../queries/use-invalidate.ts';
import { channelsOf, useChannelActions } from './channel-actions.tsx';
import { useChannelColumns } from './channel-columns.tsx';
import { ChannelHeaderActions, useChannelSummary } from './channel-header.tsx';
import { failedTest, liveStates, type Row, stateOfRow, type TagRow } from './channel-rows.ts';
import type { EditedTag } from './tag-drawer.tsx';
import { useChannelBulk } from './use-channel-bulk.ts';
import { useChannelRuns } from './use-channel-runs.tsx';
import { useChannelTests } from './use-channel-tests.ts';
import { useChannels } from './use-channels.ts';

/** Those of the list. */
const stateWords = {
  cooling: 'channel.status.tripped',
  failing: 'channel.failing',
  working: 'channel.working',
  untested: 'channel.untested',
} as const;

function useChannelFilters() {
  const { t } = useTranslation();
  const groups = useGroupNames();
  const statuses = Object.values<number>(channelStatuses).map((status) => ({
    value: String(status),
    label: t(wordKey('status.channel', status)),
  }));
  const filters = useFilterBar(channelFilters, undefined, {
    keyword: { kind: 'search' },
    model: { hint: t('channel.filter.model.placeholder') },
    group: { options: groups.map((name) => ({ value: name, label: name })) },
    status: {
      always: true,
      options: [
        ...statuses,
        { value: failedTest, label: labelOf(channelFilters.failed) },
        ...liveStates.map((value) => ({ value, label: t(stateWords[value]) })),
      ],
    },
    tag: { hint: t('channel.filter.tag.placeholder') },
    // Choices of the status.
    failed: false,
    state: false,
  });
  return [...filters, { kind: 'switch', name: 'tags', label: t('channel.tagMode') }] as const;
}

// Forms load when somebody opens one: the list must be there first.
const ChannelDrawer = latePart(async () => {
  const [module] = await Promise.all([import('./channel-drawer.tsx'), loadTextPart('channelForm')]);
  return { default: module.ChannelDrawer };
});
const TagDrawer = latePart(async () => {
  const [module] = await Promise.all([import('./tag-drawer.tsx'), loadTextPart('channelForm')]);
  return { default: module.TagDrawer };
});
const BatchTagDialog = latePart(async () => ({
  default: (await import('./batch-tag-dialog.tsx')).BatchTagDialog,
}));
const KeysDialog = latePart(async () => ({
  default: (await import('./keys-dialog.tsx')).KeysDialog,
}));
const TestDialog = latePart(async () => ({
  default: (await import('./test-dialog.tsx')).TestDialog,
}));

const loadChannel = (id: number) => client.channel.get({ id });

export function ChannelScreen() {
  const { t } = useTranslation();
  const { list, grouped, sorting, toggleTag } = useChannels();
  const refresh = useRefreshChannels();
  const tests = useChannelTests();
  const runs = useChannelRuns({ onShowFailed: () => list.change({ status: failedTest }) });
  const summary = useChannelSummary(runs);
  const { draft, create, edit, close } = useDraft<ChannelEntity>('channel', loadChannel);
  const [tested, setTested] = useState<ChannelEntity>();
  const [keysOf, setKeysOf] = useState<ChannelEntity>();
  const [tagging, setTagging] = useState(false);
  const [editedTag, setEditedTag] = useState<EditedTag>();
  const bulk = useChannelBulk(list, grouped);

  const editTag = async (row: TagRow) => {
    const { loadTag } = await import('./tag-drawer.tsx');
    setEditedTag(await loadTag(row));
  };
  /** Priority and weight are edited in place: a refusal is shown, and keeps the field open. */
  const saveOrder = async (call: Promise<unknown>) => {
    try {
      await call;
    } catch (error) {
      toastFailure(error);
      throw error;
    }
    await refresh();
  };
  const columns = useChannelColumns(
    {
      toggleTag,
      showTag: (tag) => list.change({ tag, tags: '' }),
      updateBalance: (channel) => tests.updateBalance.mutate(channel),
      saveOrder: ({ id }, field, value) => saveOrder(client.channel.update({ id, [field]: value })),
      saveTagOrder: (tag, field, value) =>
        saveOrder(client.channel.editTag({ tag, [field]: value })),
    },
    grouped,
  );
  const { rowActions, batchActions } = useChannelActions({
    tests,
    runs,
    onEdit: edit,
    onPickModel: setTested,
    onKeys: setKeysOf,
    onEditTag: (row) => void editTag(row).catch(toastFailure),
    onBulkTag: bulk.onTag,
    onTag: () => setTagging(true),
    onDone: () => list.select([]),
  });
  return (
    <ListScreen<Row, keyof typeof list.state>
      list={list}
      title={t('channel.title')}
      count={summary.count}
      subtitle={summary.sentence}
      progress={summary.progress}
      actions={<ChannelHeaderActions runs={runs} />}
      create={{ label: t('channel.new'), onCreate: create }}
      filters={useChannelFilters()}
      onRefresh={refresh}
      nameOf={(row) => (row.kind === 'tag' ? row.tag : row.channel.name)}
      columns={columns}
      columnsKey={storageKeys.channelColumns}
      rowState={stateOfRow}
      sorting={sorting}
      rowActions={rowActions}
      onOpen={(row) => (row.kind === 'tag' ? toggleTag(row.tag) : edit(row.channel))}
      logo={(row) =>
        row.kind === 'channel' && (
          <BoxedTypeLogo
            type={row.channel.type}
            name={row.channel.name}
            grey={row.channel.status !== channelStatuses.enabled}
          />
        )
      }
      batch={{
        label: t('channel.bulk.label'),
        actions: batchActions,
        selectable: (row) => row.kind === 'channel',
        bulk,
      }}
      texts={{ failed: t('channel.failed'), noMatch: t('channel.noMatch') }}
      empty={{
        title: t('channel.empty.title'),
        text: t('channel.empty.text'),
        when: !list.filtered && !grouped,
      }}
    >
      <Suspense fallback={null}>
        {draft !== undefined && (
          <ChannelDrawer key={draft?.id ?? 'new'} channel={draft} onClose={close} />
        )}
        {tested !== undefined && (
          <TestDialog channel={tested} onClose={() => setTested(undefined)} />
        )}
        {keysOf !== undefined && (
          <KeysDialog channel={keysOf} onClose={() => setKeysOf(undefined)} />
        )}
        {tagging && (
          <BatchTagDialog
            channels={channelsOf(list.selected)}
            onClose={() => setTagging(false)}
            onDone={() => {
              setTagging(false);
              list.select([]);
            }}
          />
        )}
        {editedTag !== undefined && (
          <TagDrawer key={editedTag.tag} row={editedTag} onClose={() => setEditedTag(undefined)} />
        )}
      </Suspense>
    </ListScreen>
  );
}
