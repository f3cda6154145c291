import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { CallError } from '../../core/contract/envelope.ts';
import { client } from '../client/api.ts';
import { queryKeys } from './query-keys.ts';
import { useRefreshWallet } from './use-invalidate.ts';

const isOpen = (state: string | undefined) => state === undefined || state === 'NOTPAY';

/** How often an unpaid order is looked up, in ms (docs/rules/console.md#wallet). */
const pollMs = 3000;

/**
 * The state of an own order, read every three seconds until it is final; also while the payer looks
 * at another window, to pay. The balance is read again once the order is paid, and `onPaid` is
 * called. `failing`: the last read failed; `unknown`: because there is no such own order.
 */
export function useOrderState(tradeNo: string, onPaid: () => void = () => {}) {
  const refresh = useRefreshWallet();
  const query = useQuery({
    queryKey: queryKeys.orderState(tradeNo),
    queryFn: async () => (await client.topUp.state({ trade_no: tradeNo })).status,
    refetchInterval: ({ state: { data } }) => (isOpen(data) ? pollMs : false),
    refetchIntervalInBackground: true,
    enabled: tradeNo !== '',
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  const paid = query.data === 'SUCCESS';
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per payment, whatever the caller passes
  useEffect(() => {
    if (!paid) return;
    void refresh();
    onPaid();
  }, [paid]);
  const { error } = query;
  const unknown = error instanceof CallError && error.code === 'order_unknown';
  return { state: query.data, failing: error !== null, unknown };
}
