import { useQuery } from '@tanstack/react-query';
import { client } from '../client/api.ts';
import { useUser } from '../client/session.ts';
import { queryKeys } from './query-keys.ts';

/** The signed-in account with its live balance. */
export function useSelf() {
  const user = useUser();
  return useQuery({
    queryKey: queryKeys.self(user?.id),
    queryFn: () => client.self.get(),
    enabled: user !== null,
    refetchInterval: 60_000,
  });
}
