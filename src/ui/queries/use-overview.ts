import { useQuery } from '@tanstack/react-query';
import { client } from '../client/api.ts';
import { useIsAdmin, useUser } from '../client/session.ts';
import { queryKeys } from './query-keys.ts';

/** How often live figures are read again, ms. */
const pollMs = 15_000;

/** Live figures and channel health; administrators see the whole site. */
export function useOverview() {
  const user = useUser();
  return useQuery({
    queryKey: queryKeys.overview.of(user?.id),
    queryFn: () => client.overview.get({}),
    enabled: user !== null,
    refetchInterval: pollMs,
  });
}

/** How many channels there are; undefined for customers and before the first answer. */
export function useChannelCount(): number | undefined {
  const admin = useIsAdmin();
  const { data } = useOverview();
  return admin ? data?.lanes.length : undefined;
}
