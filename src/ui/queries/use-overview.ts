import { useQuery } from '@tanstack/react-query';
import type { Overview } from '../../core/contract/overview.ts';
import { type ChannelState, channelStates } from '../../core/vocabulary/channel-states.ts';
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

/** How many channels are in these states; undefined before the first answer. */
export const channelCount = (
  overview: Overview | undefined,
  states: readonly ChannelState[] = channelStates,
): number | undefined =>
  overview && states.reduce((sum, state) => sum + overview.channel_states[state], 0);

/** How many channels there are; undefined for customers and before the first answer. */
export function useChannelCount(): number | undefined {
  const admin = useIsAdmin();
  const { data } = useOverview();
  return admin ? channelCount(data) : undefined;
}

/** Ids and names of all channels, read when they are needed; empty for customers. */
export function useChannelNames(): readonly { readonly id: number; readonly name: string }[] {
  const enabled = useIsAdmin();
  const { data = [] } = useQuery({
    queryKey: queryKeys.overview.channelNames,
    queryFn: () => client.overview.channelNames({}),
    enabled,
    staleTime: 60_000,
  });
  return data;
}
