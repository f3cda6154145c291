import { client } from '../../client/api.ts';
import { useIsAdmin, useUser } from '../../client/session.ts';
import { rangeOf, taskSpans } from '../../list/time-range.ts';
import { useList } from '../../list/use-list.ts';
import { queryKeys } from '../../queries/query-keys.ts';
import { keyOf, readTask, type TaskRow } from './work-row.ts';

const url = {
  ...{ time: taskSpans.initial, start: '', end: '' },
  ...{ id: '', status: '', action: '', platform: '', user: '', channel: '' },
} as const;

const asTheyAre = (rows: readonly TaskRow[]) => rows;

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
      // A task is found whenever it was.
      const { start, end } =
        state.id === ''
          ? rangeOf(state, Math.floor(Date.now() / 1000), taskSpans)
          : { start: 0, end: 0 };
      const own = {
        p: page - 1,
        page_size: pageSize,
        task_id: state.id,
        platform: state.platform,
        status: state.status,
        action: state.action,
        start_timestamp: start,
        end_timestamp: end,
      };
      const { items, total } = await (admin
        ? client.task.list({ ...own, username: state.user, channel_id: Number(state.channel) || 0 })
        : client.task.listSelf(own));
      return { items: items.map(readTask), total };
    },
  });
}
