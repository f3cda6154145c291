import { Drawer, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { SlidersHorizontal } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { logTypes } from '../../../core/vocabulary/log-types.ts';
import { client } from '../../client/api.ts';
import { useIsAdmin } from '../../client/session.ts';
import { IconButton } from '../../components/icon-button.tsx';
import { usePhone } from '../../hooks/use-phone.ts';
import { wordKey } from '../../i18n/words.ts';
import { FilterBar, FilterMenu, FilterText } from '../../list/filter-bar.tsx';
import { TimeFilter } from '../../list/time-filter.tsx';
import type { Logs } from './use-logs.ts';

/** Types that rows can have; unknown ones are never asked for. */
const offeredTypes = Object.values<number>(logTypes).filter((type) => type !== logTypes.unknown);

export function LogTimeFilter({ logs, label }: { logs: Logs; label: string }) {
  return (
    <TimeFilter
      label={label}
      preset={logs.preset}
      custom={logs.custom}
      onPreset={(time) => logs.change({ time, start: '', end: '' })}
      onCustom={({ start, end }) => logs.change({ start: String(start), end: String(end) })}
    />
  );
}

export function LogFilters({ logs, end }: { logs: Logs; end: ReactNode }) {
  const { t } = useTranslation();
  const admin = useIsAdmin();
  const phone = usePhone();
  const [sheet, toggle] = useDisclosure(false);
  const { data: groups } = useQuery({
    queryKey: ['group-names', admin],
    queryFn: async () => (admin ? client.channel.groups() : Object.keys(await client.self.groups())),
    staleTime: 60_000,
  });
  const { state, change } = logs;
  const type = (
    <FilterMenu
      label={t('log.filter.type')}
      value={state.type}
      empty="0"
      options={[
        { value: '0', label: t('common.all') },
        ...offeredTypes.map((value) => ({ value: String(value), label: t(wordKey('logType', value)) })),
      ]}
      onChange={(value) => change({ type: value })}
    />
  );
  const text = (name: 'model' | 'token' | 'user' | 'channel', hint: string, digitsOnly = false) => (
    <FilterText
      key={name}
      label={t(`log.filter.${name}`)}
      value={state[name]}
      hint={hint}
      digitsOnly={digitsOnly}
      onChange={(value) => change({ [name]: value })}
    />
  );
  const model = text('model', t('log.filter.exact'));
  const token = text('token', t('log.filter.exactName'));
  const rest = (
    <>
      {admin && text('user', t('log.filter.exactName'))}
      {admin && text('channel', t('log.filter.channelId'), true)}
      <FilterMenu
        label={t('log.filter.group')}
        value={state.group}
        options={[{ value: '', label: t('common.all') }, ...(groups ?? []).map((name) => ({ value: name, label: name }))]}
        onChange={(value) => change({ group: value })}
      />
    </>
  );
  const bar = {
    onRefresh: () => void logs.refresh(),
    refreshing: logs.list.isFetching,
    onClear: logs.filtered ? logs.clear : undefined,
  };
  if (phone) {
    return (
      <FilterBar
        {...bar}
        end={
          <IconButton label={t('log.filter.more')} onClick={toggle.open}>
            <SlidersHorizontal size={16} strokeWidth={1.75} />
          </IconButton>
        }
      >
        {type}
        {model}
        {token}
        <Drawer
          opened={sheet}
          onClose={toggle.close}
          position="bottom"
          size="auto"
          title={t('log.filter.more')}
          closeButtonProps={{ 'aria-label': t('common.close') }}
        >
          <Stack align="flex-start" gap={12} pb={16}>
            {rest}
          </Stack>
        </Drawer>
      </FilterBar>
    );
  }
  return (
    <FilterBar {...bar} end={end}>
      <LogTimeFilter logs={logs} label={t('log.filter.time')} />
      {type}
      {model}
      {token}
      {rest}
    </FilterBar>
  );
}
