/** Usage logs: figures of the range, rows that open on ticket and route. */
import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { logFilters } from '../../../core/entities/log-filters.ts';
import { formatCount, formatTokenCount } from '../../../core/pricing/format.ts';
import { logTypes } from '../../../core/vocabulary/log-types.ts';
import { storageKeys } from '../../browser/local-storage.ts';
import { useIsAdmin } from '../../client/session.ts';
import { TotalText } from '../../components/money-text.tsx';
import { usePhone } from '../../hooks/use-phone.ts';
import { useTranslation } from '../../i18n/index.ts';
import { wordKey } from '../../i18n/words.ts';
import { useFilterBar } from '../../list/declared-filters.ts';
import { ListScreen } from '../../list/list-screen.tsx';
import { logSpans } from '../../list/time-range.ts';
import { useExpansion } from '../../list/use-expansion.ts';
import { useGroupNames, useOwnGroups } from '../../queries/use-groups.ts';
import { useRefreshLogs } from '../../queries/use-invalidate.ts';
import { useSelf } from '../../queries/use-self.ts';
import { LogDetails } from './lazy-details.tsx';
import classes from './log.module.css';
import { LogCard } from './log-card.tsx';
import { useLogColumns } from './log-columns.tsx';
import { LogMenu } from './log-menu.tsx';
import {
  useChannelSuggestions,
  useModelSuggestions,
  useTokenSuggestions,
  useUserSuggestions,
} from './log-suggestions.ts';
import { addressOf, type LogFigures, useLogs } from './use-logs.ts';

/** Types that rows can have; no row of type "unknown" is ever written. */
const offeredTypes = Object.values<number>(logTypes).filter((type) => type !== logTypes.unknown);

function useLogFilters() {
  const { t } = useTranslation();
  const admin = useIsAdmin();
  const allGroups = useGroupNames(admin);
  const ownGroups = Object.keys(useOwnGroups() ?? {});
  const groups = admin ? allGroups : ownGroups;
  const exactName = t('log.filter.exactName');
  return useFilterBar(logFilters, logSpans, {
    request: { kind: 'search', width: 220 },
    type: {
      options: offeredTypes.map((type) => ({
        value: String(type),
        label: t(wordKey('logType', type)),
      })),
    },
    model: { hint: t('log.filter.exact'), useOptions: useModelSuggestions },
    token: { hint: exactName, useOptions: useTokenSuggestions },
    user: { hint: exactName, useOptions: useUserSuggestions },
    channel: { hint: t('log.filter.channelId'), useOptions: useChannelSuggestions },
    tag: { hint: exactName },
    group: { options: groups.map((name) => ({ value: name, label: name })) },
  });
}

/** Request ids begin with the time; other rows have no address outside their page. */
const requestAddress = /^\d{14}/;

/**
 * A link to an open row finds it although newer rows moved it to another page, or time out of the
 * range. `addresses`: the rows that the URL opens. Only the URL that the screen was opened with is
 * followed.
 */
function useLinkedRequest(
  { rows, change }: ReturnType<typeof useLogs>['list'],
  addresses: readonly string[],
): void {
  const isDecided = useRef(false);
  useEffect(() => {
    if (rows === undefined || isDecided.current) return;
    isDecided.current = true;
    const [address, ...others] = addresses;
    if (address === undefined || others.length > 0 || !requestAddress.test(address)) return;
    if (!rows.some((row) => addressOf(row) === address))
      change({ request: address }, { replace: true, keepsOpen: true });
  }, [rows, addresses, change]);
}

export function LogScreen() {
  const { t } = useTranslation();
  const admin = useIsAdmin();
  const phone = usePhone();
  const { list, figures, filters: callFilters } = useLogs();
  const { data: self } = useSelf();
  const { open, toggle, addresses } = useExpansion(list, addressOf);
  useLinkedRequest(list, addresses);
  const columns = useLogColumns(open, toggle);
  const filters = useLogFilters();
  const refresh = useRefreshLogs();
  return (
    <ListScreen
      list={list}
      title={t('log.title')}
      count={null}
      subtitle={t(admin ? 'log.subtitle.admin' : 'log.subtitle')}
      actions={
        <>
          {!phone && <Figures figures={figures} />}
          <LogMenu filters={callFilters} />
        </>
      }
      note={phone ? <Figures figures={figures} /> : undefined}
      filters={filters}
      onRefresh={refresh}
      nameOf={(row) => row.entity.model_name}
      columns={columns}
      columnsKey={storageKeys.logColumns}
      rowHeight={42}
      expansion={{ open, onToggle: toggle, content: (row) => <LogDetails row={row} /> }}
      card={(row) => (
        <LogCard
          row={row}
          open={open.includes(list.keyOf(row))}
          onToggle={() => toggle(row, false)}
        />
      )}
      texts={{ failed: t('log.failed'), noMatch: t('log.noMatch') }}
      empty={{
        title: t('log.empty.title'),
        text: t('log.empty.text'),
        action: (
          <Button component={Link} to="/token">
            {t('log.empty.action')}
          </Button>
        ),
        when: !list.filtered && (self?.request_count ?? 0) === 0,
      }}
    />
  );
}

function Figures({ figures }: { figures: LogFigures }) {
  const { t } = useTranslation();
  return (
    <dl className={classes.figures} aria-label={t('log.stat.label')}>
      <div>
        <dt>{t('log.stat.quota')}</dt>
        <dd>{figures === undefined ? '—' : <TotalText quota={figures.quota} />}</dd>
      </div>
      <div title={t('log.stat.rpm.hint')}>
        <dt>{t('log.stat.rpm')}</dt>
        <dd>{figures === undefined ? '—' : formatCount(figures.rpm)}</dd>
      </div>
      <div title={t('log.stat.tpm.hint')}>
        <dt>{t('log.stat.tpm')}</dt>
        <dd>{figures === undefined ? '—' : formatTokenCount(figures.tpm)}</dd>
      </div>
    </dl>
  );
}
