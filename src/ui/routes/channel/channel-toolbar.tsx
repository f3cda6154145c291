/** Head and filters of the channel screen. */
import { ActionIcon, Button, Menu, Switch } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Ellipsis, Plus, Trash2, Wallet, Workflow, Zap } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { channelStatuses } from '../../../core/vocabulary/statuses.ts';
import { client } from '../../client/api.ts';
import { toastSuccess } from '../../client/failures.ts';
import { confirmDanger } from '../../components/confirm-danger.tsx';
import { PageHeader } from '../../components/page.tsx';
import { usePhone } from '../../hooks/use-phone.ts';
import { wordKey } from '../../i18n/words.ts';
import { FilterBar, FilterMenu, FilterText } from '../../list/filter-bar.tsx';
import { SearchField } from '../../list/search-field.tsx';
import { useOverview } from '../../queries/use-overview.ts';
import classes from './channel.module.css';
import { failedTest } from './channel-rows.ts';
import type { ChannelRuns } from './use-channel-runs.tsx';
import type { Channels } from './use-channels.ts';

interface ChannelHeaderProps {
  readonly channels: Channels;
  readonly runs: ChannelRuns;
  readonly onCreate: () => void;
  /** There is nothing to act on, and what is empty has the one button itself. */
  readonly empty: boolean;
}

export function ChannelHeader({ channels, runs, onCreate, empty }: ChannelHeaderProps) {
  const { t } = useTranslation();
  const phone = usePhone();
  const lanes = useOverview().data?.lanes;
  const fix = useMutation({
    mutationFn: () => client.channel.fix(),
    onSuccess: (count) => toastSuccess(t('channel.fix.done', { count })),
    onSettled: channels.refresh,
  });
  const removeDisabled = useMutation({
    mutationFn: () => client.channel.removeDisabled(),
    onSuccess: (count) => toastSuccess(t('channel.removeDisabled.done', { count })),
    onSettled: channels.refresh,
  });
  const menu = (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={t('common.more')}>
          <Ellipsis size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {phone && (
          <Menu.Item leftSection={<Zap size={14} />} onClick={() => runs.testAll.mutate()}>
            {t('channel.testAll')}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<Wallet size={14} />} onClick={() => runs.updateAllBalances.mutate()}>
          {t('channel.balanceAll')}
        </Menu.Item>
        <Menu.Item leftSection={<Workflow size={14} />} onClick={() => fix.mutate()}>
          {t('channel.fix')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          c="var(--tp-red-text)"
          leftSection={<Trash2 size={14} />}
          onClick={() =>
            confirmDanger({
              title: t('channel.removeDisabled.title'),
              text: t('channel.removeDisabled.text'),
              confirm: t('channel.removeDisabled.confirm'),
              onConfirm: () => removeDisabled.mutate(),
            })
          }
        >
          {t('channel.removeDisabled')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
  const count = (status: number) => lanes?.filter((lane) => lane.status === status).length ?? 0;
  const parts = [
    t('channel.summary.enabled', { count: count(channelStatuses.enabled) }),
    ...(count(channelStatuses.disabled) > 0 ? [t('channel.summary.disabled', { count: count(channelStatuses.disabled) })] : []),
    ...(count(channelStatuses.autoDisabled) > 0
      ? [t('channel.summary.autoDisabled', { count: count(channelStatuses.autoDisabled) })]
      : []),
  ];
  const progress = [
    ...(runs.tests === undefined ? [] : [t('channel.testAll.progress', progressOf(runs.tests))]),
    ...(runs.balances === undefined ? [] : [t('channel.balanceAll.progress', progressOf(runs.balances))]),
  ].join(t('channel.summary.comma'));
  const sentence =
    phone || lanes === undefined || lanes.length === 0
      ? undefined
      : `${parts.join(t('channel.summary.comma'))}${t('channel.summary.stop')}${t('channel.summary.order')}`;
  return (
    <PageHeader
      title={t('channel.title')}
      count={lanes?.length ?? channels.list.data?.total}
      sentence={progress === '' ? sentence : progress}
      actions={
        empty ? undefined : (
          <>
            {!phone && (
              <Button
                variant="default"
                leftSection={<Zap size={16} strokeWidth={1.75} />}
                loading={runs.testAll.isPending || runs.tests !== undefined}
                onClick={() => runs.testAll.mutate()}
              >
                {t('channel.testAll')}
              </Button>
            )}
            {menu}
            <Button leftSection={<Plus size={16} />} onClick={onCreate}>
              {t('channel.new')}
            </Button>
          </>
        )
      }
    />
  );
}

const progressOf = ({ done, total, failed }: NonNullable<ChannelRuns['tests']>) => ({ done, total, failed });

export function ChannelFilters({ channels, end }: { channels: Channels; end: ReactNode }) {
  const { t } = useTranslation();
  const { state, change } = channels;
  const groups = useQuery({ queryKey: ['group-names', true], queryFn: () => client.channel.groups(), staleTime: 60_000 });
  return (
    <FilterBar
      end={end}
      onClear={channels.filtered ? channels.clear : undefined}
      onRefresh={() => void channels.refresh()}
      refreshing={channels.list.isFetching}
    >
      <SearchField value={state.q} placeholder={t('channel.search')} onSearch={(q) => change({ q })} />
      <FilterText
        label={t('channel.filter.model')}
        value={state.model}
        hint={t('channel.filter.model.placeholder')}
        onChange={(model) => change({ model })}
      />
      <FilterMenu
        label={t('channel.filter.group')}
        value={state.group}
        options={[{ value: '', label: t('common.all') }, ...(groups.data ?? []).map((name) => ({ value: name, label: name }))]}
        onChange={(group) => change({ group })}
      />
      <FilterMenu
        label={t('channel.filter.status')}
        value={state.status}
        always
        options={[
          { value: '', label: t('common.all') },
          ...Object.values<number>(channelStatuses).map((status) => ({
            value: String(status),
            label: t(wordKey('status.channel', status)),
          })),
          { value: failedTest, label: t('channel.filter.status.failed') },
        ]}
        onChange={(status) => change({ status })}
      />
      <Switch
        size="xs"
        className={classes.tagMode ?? ''}
        label={t('channel.tagMode')}
        checked={channels.tagMode}
        onChange={(event) => change({ tags: event.currentTarget.checked ? '1' : '' })}
      />
    </FilterBar>
  );
}
