import { useQuery } from '@tanstack/react-query';
import { client } from '../../client/api.ts';
import { useUser } from '../../client/session.ts';
import { queryKeys } from '../../queries/query-keys.ts';

/** Local midnights, Unix seconds: the begin of each of the last days, today last. */
function lastDays(count: number, now: Date): readonly number[] {
  return Array.from({ length: count }, (_, index) => {
    const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() - (count - 1 - index));
    return day.getTime() / 1000;
  });
}

export interface Fortnight {
  readonly days: readonly { readonly start: number; readonly quota: number }[];
  /** Quota spent in all of them, and in the last seven. */
  readonly total: number;
  readonly week: number;
}

/** Sums the hourly rows of the dashboard by day. `now` is the reader's time. */
export function sumDays(
  rows: readonly { readonly created_at: number; readonly quota: number }[],
  now: Date,
): Fortnight {
  const starts = lastDays(14, now);
  const days = starts.map((start, index) => {
    const end = starts[index + 1] ?? Number.POSITIVE_INFINITY;
    const ofDay = rows.filter(({ created_at }) => created_at >= start && created_at < end);
    return { start, quota: ofDay.reduce((sum, { quota }) => sum + quota, 0) };
  });
  const sum = (part: Fortnight['days']) => part.reduce((total, { quota }) => total + quota, 0);
  return { days, total: sum(days), week: sum(days.slice(-7)) };
}

/** What the signed-in user spent in the last two weeks; undefined until it is known. */
export function useFortnight(): Fortnight | undefined {
  const user = useUser();
  return useQuery({
    queryKey: queryKeys.usage.fortnight(user?.id),
    queryFn: async () => {
      const now = new Date();
      const [start_timestamp = 0] = lastDays(14, now);
      const end_timestamp = Math.floor(now.getTime() / 1000) + 3600;
      return sumDays(await client.data.self({ start_timestamp, end_timestamp }), now);
    },
    staleTime: 60_000,
  }).data;
}
