import { useQuery } from '@tanstack/react-query';
import { client } from '../client/api.ts';
import { useUser } from '../client/session.ts';

/** The signed-in account with its live balance. */
export function useSelf() {
  const user = useUser();
  return useQuery({
    queryKey: ['self', user?.id],
    queryFn: () => client.self.get(),
    enabled: user !== null,
    refetchInterval: 60_000,
  });
}
