import { useQuery } from '@tanstack/react-query';
import { channelTypeInfo } from '../../core/vocabulary/channel-types.ts';
import { client } from '../client/api.ts';
import { queryKeys } from './query-keys.ts';

/** Channel types with what their providers can do. They change with the program only. */
export function useChannelTypes() {
  return useQuery({
    queryKey: queryKeys.channel.types,
    queryFn: () => client.channelTypes.list(),
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
}
export type ChannelTypeFacts = NonNullable<ReturnType<typeof useChannelTypes>>[number];

/** `Claude`; an unknown number stands for itself. */
export function typeName(type: number): string {
  return channelTypeInfo(type)?.name ?? `#${type}`;
}
