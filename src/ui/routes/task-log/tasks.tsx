/**
 * The task log: music, lyrics, images and videos, and what became of them
 * (docs/rules/task-logs.md#log-screens).
 */
import { taskOrder } from '../../../core/contract/task-results.ts';
import { storageKeys } from '../../browser/local-storage.ts';
import { useIsAdmin } from '../../client/session.ts';
import { useTranslation } from '../../i18n/index.ts';
import { ListScreen } from '../../list/list-screen.tsx';
import { useExpansion } from '../../list/use-expansion.ts';
import { useRefreshTasks } from '../../queries/use-invalidate.ts';
import { useStatus } from '../../queries/use-status.ts';
import { emptyTexts } from './empty-texts.tsx';
import { TaskDetails } from './lazy-details.tsx';
import { SwitchedOff } from './switched-off.tsx';
import { useRunningRows } from './use-running-rows.ts';
import { useTasks } from './use-tasks.ts';
import { useTaskColumns } from './use-work-columns.tsx';
import { useTaskFilters } from './use-work-filters.ts';
import { WorkCard } from './work-card.tsx';
import { addressOf, keyOf } from './work-key.ts';

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
