/**
 * The usage log: rows and figures that its filters select; administrators read the whole site's.
 */
import { useQuery } from '@tanstack/react-query';
import { logFilters } from '../../../core/entities/log-filters.ts';
import { type LogView, readLog } from '../../../core/logs/log-view.ts';
import { client } from '../../client/api.ts';
import { useIsAdmin, useUser } from '../../client/session.ts';
import { filterQuery, filterUrl } from '../../list/declared-filters.ts';
import { logSpans } from '../../list/time-range.ts';
import { useList } from '../../list/use-list.ts';
import { queryKeys } from '../../queries/query-keys.ts';

const url = filterUrl(logFilters, logSpans);

/**
 * Names a row in the URL. Customers' rows have no stable id, but those of requests have a request
 * id.
 */
export const addressOf = ({ entity }: LogView) => entity.request_id || String(entity.id);

const keyOf = (row: LogView) => row.entity.id;
const asTheyAre = (rows: readonly LogView[]) => rows;

export function useLogs() {
  const admin = useIsAdmin();
  const user = useUser();
  const queryOf = (state: typeof url) =>
    filterQuery(logFilters, state, logSpans, admin ? 'admins' : 'owner');
  const list = useList({
    queryKey: queryKeys.log.list(user?.id, admin),
    url,
    keeps: ['time', 'start', 'end'],
    keyOf,
    toRows: asTheyAre,
    fetchPage: async ({ state, page, pageSize }) => {
      const input = { ...queryOf(state), p: page, page_size: pageSize };
      const { items, total } = await (admin ? client.log.list(input) : client.log.listSelf(input));
      return { items: items.map(readLog), total };
    },
  });
  const { state } = list;
  // Of these filters only: the sums of others would be taken for theirs.
  const figures = useQuery({
    queryKey: queryKeys.log.figures(user?.id, admin, state),
    queryFn: () => (admin ? client.log.stat(queryOf(state)) : client.log.statSelf(queryOf(state))),
  });
  return { list, figures: figures.data, filters: () => queryOf(state) };
}
export type LogQuery = ReturnType<ReturnType<typeof useLogs>['filters']>;
export type LogFigures = ReturnType<typeof useLogs>['figures'];
