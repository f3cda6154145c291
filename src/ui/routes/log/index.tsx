/** Usage logs: filters in the URL, figures of the range, rows that open on ticket and route (seed, end user 2). */
import { Button } from '@mantine/core';
import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatCount, formatTokenCount } from '../../../core/pricing/format.ts';
import { storageKeys } from '../../browser/local-storage.ts';
import { useIsAdmin } from '../../client/session.ts';
import { TotalText } from '../../components/money-text.tsx';
import { ListPage, PageHeader } from '../../components/page.tsx';
import { EmptyState, FailedState, LoadingRows, NoMatchState } from '../../components/states.tsx';
import { usePhone } from '../../hooks/use-phone.ts';
import { CardList } from '../../list/card-list.tsx';
import { ColumnMenu } from '../../list/column-menu.tsx';
import { ListTable } from '../../list/data-table.tsx';
import { Pager } from '../../list/pager.tsx';
import { useColumns } from '../../list/use-columns.ts';
import { useSelf } from '../../queries/use-self.ts';
import classes from './log.module.css';
import { LogCard } from './log-card.tsx';
import { useLogColumns } from './log-columns.tsx';
import { LogDetails } from './log-details.tsx';
import { LogFilters, LogTimeFilter } from './log-filters.tsx';
import type { LogRow } from './log-row.ts';
import { type Logs, useLogs } from './use-logs.ts';

const keyOf = (row: LogRow) => row.entity.id;

export function LogScreen() {
  const { t } = useTranslation();
  const admin = useIsAdmin();
  const phone = usePhone();
  const logs = useLogs();
  const [open, setOpen] = useState<readonly unknown[]>([]);
  // Only one row is open unless Shift is held (design, console.md 4 "Expansion").
  const toggle = useCallback((row: LogRow, keep: boolean) => {
    const key = keyOf(row);
    setOpen((before) => (before.includes(key) ? before.filter((id) => id !== key) : keep ? [...before, key] : [key]));
  }, []);
  const { specs, columns } = useLogColumns(open, toggle);
  const settings = useColumns(storageKeys.logColumns, specs);
  const figures = <Figures logs={logs} />;
  const rows = logs.list.data?.rows;
  return (
    <ListPage>
      <PageHeader
        title={t('log.title')}
        sentence={phone ? undefined : t(admin ? 'log.subtitle.admin' : 'log.subtitle')}
        actions={phone ? <LogTimeFilter logs={logs} label="" /> : figures}
      />
      {phone && figures}
      <LogFilters logs={logs} end={<ColumnMenu columns={settings} />} />
      {rows === undefined ? (
        logs.list.isError ? (
          <FailedState title={t('log.failed')} error={logs.list.error} onRetry={() => void logs.refresh()} />
        ) : (
          <LoadingRows rows={8} height={42} />
        )
      ) : rows.length === 0 ? (
        <NoLogs logs={logs} />
      ) : phone ? (
        <CardList
          rows={rows}
          keyOf={keyOf}
          label={t('log.title')}
          render={(row) => <LogCard row={row} open={open.includes(keyOf(row))} onToggle={() => toggle(row, false)} />}
        />
      ) : (
        <ListTable
          rows={rows}
          columns={columns}
          choices={settings.choices}
          density={settings.density}
          rowHeight={42}
          keyOf={keyOf}
          label={t('log.title')}
          expansion={{ open, onToggle: toggle, content: (row) => <LogDetails row={row} /> }}
        />
      )}
      <Pager
        page={logs.page}
        pageSize={logs.pageSize}
        total={logs.list.data?.total ?? 0}
        onPage={(page) => logs.change({ p: String(page) })}
        onPageSize={(size) => {
          logs.setPageSize(size);
          logs.change({ p: '1' });
        }}
      />
    </ListPage>
  );
}

function Figures({ logs }: { logs: Logs }) {
  const { t } = useTranslation();
  const { data } = logs.figures;
  return (
    <dl className={classes.figures} aria-label={t('log.stat.label')}>
      <div>
        <dt>{t('log.stat.quota')}</dt>
        <dd>{data === undefined ? '—' : <TotalText quota={data.quota} />}</dd>
      </div>
      <div title={t('log.stat.rpm.hint')}>
        <dt>{t('log.stat.rpm')}</dt>
        <dd>{data === undefined ? '—' : formatCount(data.rpm)}</dd>
      </div>
      <div title={t('log.stat.tpm.hint')}>
        <dt>{t('log.stat.tpm')}</dt>
        <dd>{data === undefined ? '—' : formatTokenCount(data.tpm)}</dd>
      </div>
    </dl>
  );
}

function NoLogs({ logs }: { logs: Logs }) {
  const { t } = useTranslation();
  const { data: self } = useSelf();
  if (logs.filtered || (self?.request_count ?? 0) > 0) {
    return (
      <NoMatchState
        title={t('log.noMatch')}
        onClear={() =>
          logs.change({
            time: 'threeDays',
            start: '',
            end: '',
            type: '0',
            model: '',
            token: '',
            user: '',
            channel: '',
            group: '',
          })
        }
      />
    );
  }
  return (
    <EmptyState
      title={t('log.empty.title')}
      text={t('log.empty.text')}
      action={
        <Button component={Link} to="/token">
          {t('log.empty.action')}
        </Button>
      }
    />
  );
}
