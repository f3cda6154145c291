import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { client } from '../../client/api.ts';
import { useIsAdmin, useUser } from '../../client/session.ts';
import { queryKeys } from '../../queries/query-keys.ts';
import { fillBuckets, type Granularity, sumByModel, total, type UsageRow } from './usage-buckets.ts';

export const ranges = { day: 86_400, week: 7 * 86_400, month: 30 * 86_400 } as const;
export type RangeName = keyof typeof ranges;

/** Times move in whole minutes, so that the same span is one entry of the cache. */
const minuteNow = () => Math.floor(Date.now() / 60_000) * 60;

/** Usage of the span and of the one before it; the whole site for administrators. */
export function useUsage(range: RangeName, granularity: Granularity) {
  const admin = useIsAdmin();
  const user = useUser();
  const seconds = ranges[range];
  const query = useQuery({
    queryKey: queryKeys.usage.range(user?.id, admin, range),
    queryFn: async () => {
      const to = minuteNow();
      const from = to - seconds;
      // Two months would exceed what customers may ask for (docs/rules/console.md#dashboard).
      const before = range === 'month' && !admin ? from : from - seconds;
      const input = { start_timestamp: before, end_timestamp: to + 3600 };
      const span = { start_timestamp: from, end_timestamp: to + 3600 };
      const rows: readonly UsageRow[] = await (admin ? client.data.all(input) : client.data.self(input));
      return { rows, outcomes: await client.data.outcomes(span), from, to, compared: before < from };
    },
    refetchInterval: 60_000,
  });
  const usage = useMemo(() => {
    if (query.data === undefined) return undefined;
    const { rows, outcomes, from, to, compared } = query.data;
    const firstHour = from - (from % 3600);
    const now = rows.filter((row) => row.created_at >= firstHour);
    const earlier = rows.filter((row) => row.created_at < firstHour);
    return {
      from,
      to,
      outcomes,
      buckets: fillBuckets(now, from, to, granularity),
      models: sumByModel(now),
      quota: total(now, (row) => row.quota),
      count: total(now, (row) => row.count),
      tokens: total(now, (row) => row.token_used),
      quotaBefore: compared ? total(earlier, (row) => row.quota) : undefined,
    };
  }, [query.data, granularity]);
  return { ...query, usage };
}
export type Usage = NonNullable<ReturnType<typeof useUsage>['usage']>;

/** Quota that the signed-in user spent in the last seven days. */
export function useOwnWeek(): number | undefined {
  const user = useUser();
  return useQuery({
    queryKey: queryKeys.usage.week(user?.id),
    queryFn: async () => {
      const to = minuteNow();
      return total(await client.data.self({ start_timestamp: to - ranges.week, end_timestamp: to + 3600 }), (row) => row.quota);
    },
    staleTime: 300_000,
  }).data;
}
