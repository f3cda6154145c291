import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { client } from '../../client/api.ts';
import { useUser } from '../../client/session.ts';
import { queryKeys } from '../../queries/query-keys.ts';

/** Milliseconds after the last key. */
const debounceMs = 300;

/**
 * What the server asks for an amount with a discount code; it is asked again 300 ms after the last
 * change.
 */
export function useSum(amount: number, code: string, enabled: boolean) {
  const user = useUser();
  const [input] = useDebouncedValue(`${amount} ${code.trim()}`, debounceMs);
  const current = `${amount} ${code.trim()}`;
  const query = useQuery({
    queryKey: queryKeys.topUp.sum(amount, code.trim(), user?.id),
    queryFn: () => client.topUp.amount({ amount, top_up_code: code.trim() }),
    // Options of the site may change the price.
    staleTime: 5000,
    placeholderData: keepPreviousData,
    enabled: enabled && input === current,
    retry: false,
  });
  const waits = query.isPlaceholderData || query.isFetching || input !== current;
  return {
    sum: query.error === null ? query.data : undefined,
    error: waits ? null : query.error,
    waits,
  };
}
