/**
 * The usage log: rows and figures that its filters select; administrators read the whole site's.
 */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { client } from '../../client/api.ts';
import { useIsAdmin, useUser } from '../../client/session.ts';
import { rangeOf, timeParameters } from '../../list/time-range.ts';
import { useList } from '../../list/use-list.ts';
import { queryKeys } from '../../queries/query-keys.ts';
import { type LogRow, readLogRow } from './log-row.ts';

const url = {
  ...timeParameters,
  request: '',
  type: '0',
  model: '',
  token: '',
  user: '',
  channel: '',
  group: '',
} as const;
type LogState = Readonly<Record<keyof typeof url, string>>;

/**
 * Names a row in the URL. Customers' rows have no stable id, but those of requests have a request
 * id.
 */
export const addressOf = ({ entity }: LogRow) => entity.request_id || String(entity.id);

const keyOf = (row: LogRow) => row.entity.id;
const asTheyAre = (rows: readonly LogRow[]) => rows;

/**
 * The filters of a call. A preset range is counted from now, so it is read again with every call.
 */
function callFilters(state: LogState, admin: boolean) {
  // A request is found whenever it was: its id contains its time.
  const range =
    state.request === '' ? rangeOf(state, Math.floor(Date.now() / 1000)) : { start: 0, end: 0 };
  const own = {
    type: Number(state.type) || 0,
    token_name: state.token,
    model_name: state.model,
    start_timestamp: range.start,
    end_timestamp: range.end,
    group: state.group,
    request_id: state.request,
  };
  return admin ? { ...own, username: state.user, channel: Number(state.channel) || 0 } : own;
}

export type LogCallFilters = ReturnType<typeof callFilters>;

export function useLogs() {
  const admin = useIsAdmin();
  const user = useUser();
  const list = useList({
    queryKey: queryKeys.log.list(user?.id, admin),
    url,
    keeps: ['time', 'start', 'end'],
    keyOf,
    toRows: asTheyAre,
    fetchPage: async ({ state, page, pageSize }) => {
      const input = { ...callFilters(state, admin), p: page, page_size: pageSize };
      const { items, total } = await (admin ? client.log.list(input) : client.log.listSelf(input));
      return { items: items.map(readLogRow), total };
    },
  });
  const { state } = list;
  const figures = useQuery({
    queryKey: queryKeys.log.figures(user?.id, admin, state),
    queryFn: () =>
      admin
        ? client.log.stat(callFilters(state, admin))
        : client.log.statSelf(callFilters(state, admin)),
    placeholderData: keepPreviousData,
  });
  return { list, figures: figures.data, filters: () => callFilters(state, admin) };
}
export type LogFigures = ReturnType<typeof useLogs>['figures'];
