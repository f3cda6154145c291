/**
 * The task log: music, lyrics, images and videos, and what became of them
 * (docs/rules/task-logs.md#log-screens).
 */

import type { TaskEntity } from '../../../core/contract/task-logs.ts';
import { taskOrder } from '../../../core/contract/task-results.ts';
import { taskFilters } from '../../../core/entities/task-filters.ts';
import { readTask, type TaskView } from '../../../core/tasks/task-view.ts';
import { storageKeys } from '../../browser/local-storage.ts';
import { client } from '../../client/api.ts';
import { useIsAdmin, useUser } from '../../client/session.ts';
import { useTranslation } from '../../i18n/index.ts';
import { filterQuery, filterUrl } from '../../list/declared-filters.ts';
import { ListScreen } from '../../list/list-screen.tsx';
import { taskSpans } from '../../list/time-range.ts';
import { useExpansion } from '../../list/use-expansion.ts';
import { useList } from '../../list/use-list.ts';
import { queryKeys } from '../../queries/query-keys.ts';
import { useRefreshTasks } from '../../queries/use-invalidate.ts';
import { useStatus } from '../../queries/use-status.ts';
import { emptyTexts } from './empty-texts.tsx';
import { TaskDetails } from './lazy-details.tsx';
import { SwitchedOff } from './switched-off.tsx';
import { useRunningRows } from './use-running-rows.ts';
import { useTaskColumns } from './use-work-columns.tsx';
import { useTaskFilters } from './use-work-filters.ts';
import { WorkCard } from './work-card.tsx';
import { addressOf, keyOf } from './work-key.ts';

const url = filterUrl(taskFilters, taskSpans);

const asTheyAre = (rows: readonly TaskView<TaskEntity>[]) => rows;

function useTasks() {
  const admin = useIsAdmin();
  const user = useUser();
  return useList({
    queryKey: queryKeys.task.list(user?.id, admin),
    url,
    keeps: ['time', 'start', 'end'],
    keyOf,
    toRows: asTheyAre,
    fetchPage: async ({ state, page, pageSize }) => {
      const query = filterQuery(taskFilters, state, taskSpans, admin ? 'admins' : 'owner');
      const input = { ...query, p: page - 1, page_size: pageSize };
      const { items, total } = await (admin
        ? client.task.list(input)
        : client.task.listSelf(input));
      return { items: items.map(readTask), total };
    },
  });
}

export function TaskLogScreen() {
  return useStatus()?.enable_task === false ? <SwitchedOff what="tasks" /> : <Tasks />;
}

function Tasks() {
  const { t } = useTranslation();
  const admin = useIsAdmin();
  const list = useTasks();
  const { open, toggle } = useExpansion(list, addressOf);
  useRunningRows(list);
  return (
    <ListScreen
      list={list}
      title={t('taskLog.tasks.title')}
      subtitle={t(admin ? 'taskLog.tasks.subtitle.admin' : 'taskLog.tasks.subtitle')}
      filters={useTaskFilters()}
      onRefresh={useRefreshTasks()}
      nameOf={(row) => row.publicId}
      columns={useTaskColumns(open, toggle)}
      columnsKey={storageKeys.taskColumns}
      expansion={{ open, onToggle: toggle, content: (row) => <TaskDetails row={row} /> }}
      card={(row) => (
        <WorkCard
          row={row}
          name={taskOrder(row.entity).prompt}
          open={open.includes(keyOf(row))}
          onToggle={() => toggle(row, false)}
          details={<TaskDetails row={row} />}
        />
      )}
      texts={{ failed: t('taskLog.tasks.failed'), noMatch: t('taskLog.tasks.noMatch') }}
      empty={emptyTexts(t, 'tasks', list)}
    />
  );
}
