import { client } from '../../client/api.ts';
import { useIsAdmin, useUser } from '../../client/session.ts';
import { drawingSpans, rangeOf } from '../../list/time-range.ts';
import { useList } from '../../list/use-list.ts';
import { queryKeys } from '../../queries/query-keys.ts';
import { type DrawingRow, keyOf, readDrawing } from './work-row.ts';

const url = {
  ...{ time: drawingSpans.initial, start: '', end: '' },
  ...{ id: '', status: '', action: '', user: '', channel: '' },
} as const;

const asTheyAre = (rows: readonly DrawingRow[]) => rows;

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
      // A drawing is found whenever it was.
      const { start, end } =
        state.id === ''
          ? rangeOf(state, Math.floor(Date.now() / 1000), drawingSpans)
          : { start: 0, end: 0 };
      const own = {
        p: page - 1,
        page_size: pageSize,
        mj_id: state.id,
        status: state.status,
        action: state.action,
        start_timestamp: start * 1000,
        end_timestamp: end * 1000,
      };
      const { items, total } = await (admin
        ? client.drawing.list({
            ...own,
            username: state.user,
            channel_id: Number(state.channel) || 0,
          })
        : client.drawing.listSelf(own));
      return { items: items.map(readDrawing), total };
    },
  });
}
