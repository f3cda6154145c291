import { type QueryKey, useQuery } from '@tanstack/react-query';
import type { UsageSummary } from '../../../core/contract/data.ts';
import { client } from '../../client/api.ts';
import { useIsAdmin, useUser } from '../../client/session.ts';
import { queryKeys } from '../../queries/query-keys.ts';
import { useStatus } from '../../queries/use-status.ts';
import type { Granularity } from './bucket-label.ts';

export const ranges = {
  day: 86_400,
  week: 7 * 86_400,
  month: 30 * 86_400,
  quarter: 90 * 86_400,
} as const;
export type RangeName = keyof typeof ranges;

/** The range that a granularity begins with (DataExportDefaultTime). */
export const rangeOf: Readonly<Record<Granularity, RangeName>> = {
  hour: 'day',
  day: 'week',
  week: 'month',
};

/** Hours are shown for a month at most. */
export const allowsHours = (range: RangeName): boolean => range !== 'quarter';

/** What the dashboard shows. `username` ''; everybody, or for customers oneself. */
export interface UsageView {
  readonly range: RangeName;
  readonly by: Granularity;
  /** Administrators may look at themselves, or at anybody by name. */
  readonly own: boolean;
  readonly username: string;
}

/**
 * What was read for another range stays until this one is there; what was read of somebody else
 * does not.
 */
const ofSameUser =
  ({ own, username }: UsageView) =>
  <T>(before: T | undefined, query?: { readonly queryKey: QueryKey }): T | undefined => {
    const earlier = query?.queryKey.at(-1) as UsageView | undefined;
    return earlier?.own === own && earlier.username === username ? before : undefined;
  };

/** Times move in whole minutes, so that the same span is one entry of the cache. */
const minuteNow = () => Math.floor(Date.now() / 60_000) * 60;

export const viewerZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Milliseconds after which an open page asks again (DataExportInterval). */
export function useRefetchInterval(): number {
  return (useStatus()?.data_export_interval ?? 5) * 60_000;
}

export type Usage = UsageSummary & { readonly from: number; readonly to: number };

/** Usage of the range and of the one before it, in the viewer's time zone. */
export function useUsage(view: UsageView) {
  const user = useUser();
  const query = useQuery({
    queryKey: queryKeys.usage.range(user?.id, view),
    queryFn: async (): Promise<Usage> => {
      const input = usageInput(view);
      const { start_timestamp: from, end_timestamp: to } = input;
      return { ...(await client.data.usage(input)), from, to };
    },
    refetchInterval: useRefetchInterval(),
    placeholderData: ofSameUser(view),
  });
  return { ...query, usage: query.data };
}

/** The input of a call about what the dashboard shows. */
export function usageInput({ range, by, own, username }: UsageView) {
  const to = minuteNow();
  return {
    start_timestamp: to - ranges[range],
    end_timestamp: to,
    by,
    zone: viewerZone(),
    scope: own ? ('self' as const) : ('site' as const),
    username,
  };
}

/** The same by tag. */
export function useTagUsage(view: UsageView) {
  const user = useUser();
  return useQuery({
    queryKey: queryKeys.usage.tags(user?.id, view),
    queryFn: () => client.data.tags(usageInput(view)),
    refetchInterval: useRefetchInterval(),
    placeholderData: ofSameUser(view),
  });
}

/** Quota that the signed-in user spent in the last seven days. */
export function useOwnWeek(): number | undefined {
  const user = useUser();
  return useQuery({
    queryKey: queryKeys.usage.week(user?.id),
    queryFn: async () => {
      const to = minuteNow();
      const range = {
        start_timestamp: to - ranges.week,
        end_timestamp: to,
        by: 'day' as const,
        zone: viewerZone(),
      };
      return (await client.data.usage({ ...range, scope: 'self' })).totals.quota;
    },
    staleTime: 300_000,
  }).data;
}

/** Revenue, cost and margin of all channels; administrators only. */
export function useMargins({ range, by }: Pick<UsageView, 'range' | 'by'>) {
  const user = useUser();
  return useQuery({
    queryKey: queryKeys.usage.margins(user?.id, range, by),
    queryFn: () => {
      const to = minuteNow();
      return client.data.margins({
        start_timestamp: to - ranges[range],
        end_timestamp: to,
        by,
        zone: viewerZone(),
      });
    },
    enabled: useIsAdmin(),
    refetchInterval: useRefetchInterval(),
    placeholderData: (previous) => previous,
  });
}
