import type { TaskEntity } from '../../../core/contract/task-logs.ts';
import { taskFilters } from '../../../core/entities/task-filters.ts';
import { readTask, type TaskView } from '../../../core/tasks/task-view.ts';
import { client } from '../../client/api.ts';
import { useIsAdmin, useUser } from '../../client/session.ts';
import { filterQuery, filterUrl } from '../../list/declared-filters.ts';
import { taskSpans } from '../../list/time-range.ts';
import { useList } from '../../list/use-list.ts';
import { queryKeys } from '../../queries/query-keys.ts';
import { keyOf } from './work-key.ts';

const url = filterUrl(taskFilters, taskSpans);

const asTheyAre = (rows: readonly TaskView<TaskEntity>[]) => rows;

export function useTasks() {
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
