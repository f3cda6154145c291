/** Filters of the usage log in the URL, and the rows and figures they select. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { client } from '../../client/api.ts';
import { useIsAdmin, useUser } from '../../client/session.ts';
import { type Preset, presetRange, presets, readRange } from '../../list/time-range.ts';
import { usePageSize } from '../../list/use-page-size.ts';
import { pageOf, useUrlState } from '../../list/use-url-state.ts';
import { readLogRow } from './log-row.ts';

const defaults = {
  time: 'threeDays',
  start: '',
  end: '',
  type: '0',
  model: '',
  token: '',
  user: '',
  channel: '',
  group: '',
  p: '1',
} as const;
/** Filters that "clear all" resets; time is always set. */
export const clearable = ['type', 'model', 'token', 'user', 'channel', 'group'] as const;

export function useLogs() {
  const admin = useIsAdmin();
  const user = useUser();
  const [state, change] = useUrlState(defaults);
  const [pageSize, setPageSize] = usePageSize();
  const page = pageOf(state.p);
  const custom = readRange(state.start, state.end);
  const preset: Preset = presets.find((name) => name === state.time) ?? 'threeDays';

  const filters = () => {
    const range = custom ?? presetRange(preset, Math.floor(Date.now() / 1000));
    const own = {
      type: Number(state.type) || 0,
      token_name: state.token,
      model_name: state.model,
      start_timestamp: range.start,
      end_timestamp: range.end,
      group: state.group,
    };
    return admin ? { ...own, username: state.user, channel: Number(state.channel) || 0 } : own;
  };
  const key = [user?.id, admin, state, pageSize];
  const list = useQuery({
    queryKey: ['log', ...key],
    queryFn: async () => {
      const input = { ...filters(), p: page, page_size: pageSize };
      const answer = await (admin ? client.log.list(input) : client.log.listSelf(input));
      return { ...answer, rows: answer.items.map(readLogRow) };
    },
    placeholderData: keepPreviousData,
  });
  const figures = useQuery({
    queryKey: ['log-stat', ...key],
    queryFn: () => (admin ? client.log.stat(filters()) : client.log.statSelf(filters())),
    placeholderData: keepPreviousData,
  });
  return {
    state,
    change,
    custom,
    preset,
    page,
    pageSize,
    setPageSize,
    list,
    figures,
    filtered: clearable.some((name) => state[name] !== defaults[name]),
    clear: () => change(Object.fromEntries(clearable.map((name) => [name, defaults[name]]))),
    refresh: () => Promise.all([list.refetch(), figures.refetch()]),
  };
}
export type Logs = ReturnType<typeof useLogs>;
