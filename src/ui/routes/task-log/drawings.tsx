/**
 * The drawing log: what was ordered of Midjourney and what became of it
 * (docs/rules/task-logs.md#log-screens).
 */
import { TriangleAlert } from 'lucide-react';
import { Link } from 'react-router';
import { drawingFilters } from '../../../core/entities/task-filters.ts';
import { type DrawingView, readTask } from '../../../core/tasks/task-view.ts';
import { isRoot } from '../../../core/vocabulary/roles.ts';
import { storageKeys } from '../../browser/local-storage.ts';
import { settingAddress } from '../../browser/setting-address.ts';
import { client } from '../../client/api.ts';
import { useIsAdmin, useUser } from '../../client/session.ts';
import { useTranslation } from '../../i18n/index.ts';
import { filterQuery, filterUrl } from '../../list/declared-filters.ts';
import { ListScreen } from '../../list/list-screen.tsx';
import { drawingSpans } from '../../list/time-range.ts';
import { useExpansion } from '../../list/use-expansion.ts';
import { useList } from '../../list/use-list.ts';
import { queryKeys } from '../../queries/query-keys.ts';
import { useRefreshDrawings } from '../../queries/use-invalidate.ts';
import { useStatus } from '../../queries/use-status.ts';
import { emptyTexts } from './empty-texts.tsx';
import { DrawingDetails } from './lazy-details.tsx';
import { SwitchedOff } from './switched-off.tsx';
import classes from './task-log.module.css';
import { useRunningRows } from './use-running-rows.ts';
import { useDrawingColumns } from './use-work-columns.tsx';
import { useDrawingFilters } from './use-work-filters.ts';
import { WorkCard } from './work-card.tsx';
import { addressOf, keyOf } from './work-key.ts';

const url = filterUrl(drawingFilters, drawingSpans);

const asTheyAre = (rows: readonly DrawingView[]) => rows;

function useDrawings() {
  const admin = useIsAdmin();
  const user = useUser();
  return useList({
    queryKey: queryKeys.drawing.list(user?.id, admin),
    url,
    keeps: ['time', 'start', 'end'],
    keyOf,
    toRows: asTheyAre,
    fetchPage: async ({ state, page, pageSize }) => {
      const query = filterQuery(drawingFilters, state, drawingSpans, admin ? 'admins' : 'owner');
      const input = { ...query, p: page - 1, page_size: pageSize };
      const { items, total } = await (admin
        ? client.drawing.list(input)
        : client.drawing.listSelf(input));
      return { items: items.map(readTask), total };
    },
  });
}

export function DrawingLogScreen() {
  return useStatus()?.enable_drawing === false ? <SwitchedOff what="drawings" /> : <Drawings />;
}

function Drawings() {
  const { t } = useTranslation();
  const admin = useIsAdmin();
  const list = useDrawings();
  const { open, toggle } = useExpansion(list, addressOf);
  useRunningRows(list);
  return (
    <ListScreen
      list={list}
      title={t('taskLog.drawings.title')}
      subtitle={t(admin ? 'taskLog.drawings.subtitle.admin' : 'taskLog.drawings.subtitle')}
      note={<CallbackNotice />}
      filters={useDrawingFilters()}
      onRefresh={useRefreshDrawings()}
      nameOf={(row) => row.publicId || `#${row.entity.id}`}
      columns={useDrawingColumns(open, toggle)}
      columnsKey={storageKeys.drawingColumns}
      expansion={{ open, onToggle: toggle, content: (row) => <DrawingDetails row={row} /> }}
      card={(row) => (
        <WorkCard
          row={row}
          name={row.entity.prompt}
          open={open.includes(keyOf(row))}
          onToggle={() => toggle(row, false)}
          details={<DrawingDetails row={row} />}
        />
      )}
      texts={{ failed: t('taskLog.drawings.failed'), noMatch: t('taskLog.drawings.noMatch') }}
      empty={emptyTexts(t, 'drawings', list)}
    />
  );
}

/** Shows administrators that upstreams cannot report results while callbacks are off. */
function CallbackNotice() {
  const { t } = useTranslation();
  const admin = useIsAdmin();
  const user = useUser();
  const status = useStatus();
  if (!admin || status === undefined || status.mj_notify_enabled) return null;
  return (
    <p className={classes.notice}>
      <TriangleAlert size={16} strokeWidth={1.75} aria-hidden="true" />
      <span>
        {t('taskLog.callbacksOff')}{' '}
        {user !== null && isRoot(user.role) && (
          <Link to={`/setting${settingAddress('operation.drawing', 'MjNotifyEnabled')}`}>
            {t('taskLog.callbacksOff.link')}
          </Link>
        )}
      </span>
    </p>
  );
}
