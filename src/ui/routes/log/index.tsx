/** Usage logs: figures of the range, rows that open on ticket and route. */
import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { formatCount, formatTokenCount } from '../../../core/pricing/format.ts';
import { storageKeys } from '../../browser/local-storage.ts';
import { useIsAdmin } from '../../client/session.ts';
import { TotalText } from '../../components/money-text.tsx';
import { usePhone } from '../../hooks/use-phone.ts';
import { useTranslation } from '../../i18n/index.ts';
import { ListScreen } from '../../list/list-screen.tsx';
import { useExpansion } from '../../list/use-expansion.ts';
import { useRefreshLogs } from '../../queries/use-invalidate.ts';
import { useSelf } from '../../queries/use-self.ts';
import { LogDetails } from './lazy-details.tsx';
import classes from './log.module.css';
import { LogCard } from './log-card.tsx';
import { useLogColumns } from './log-columns.tsx';
import { LogMenu } from './log-menu.tsx';
import { useLinkedRequest } from './use-linked-request.ts';
import { useLogFilters } from './use-log-filters.ts';
import { addressOf, type LogFigures, useLogs } from './use-logs.ts';

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
