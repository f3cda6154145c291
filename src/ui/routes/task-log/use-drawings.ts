import { drawingFilters } from '../../../core/entities/task-filters.ts';
import { type DrawingView, readTask } from '../../../core/tasks/task-view.ts';
import { client } from '../../client/api.ts';
import { useIsAdmin, useUser } from '../../client/session.ts';
import { filterQuery, filterUrl } from '../../list/declared-filters.ts';
import { drawingSpans } from '../../list/time-range.ts';
import { useList } from '../../list/use-list.ts';
import { queryKeys } from '../../queries/query-keys.ts';
import { keyOf } from './work-key.ts';

const url = filterUrl(drawingFilters, drawingSpans);

const asTheyAre = (rows: readonly DrawingView[]) => rows;

export function useDrawings() {
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
