/**
 * A link to an open row finds it although newer rows moved it to another page, or time out of the
 * range.
 */
import { useEffect, useRef } from 'react';
import { addressOf, type useLogs } from './use-logs.ts';

/** Request ids begin with the time; other rows have no address outside their page. */
const requestAddress = /^\d{14}/;

/**
 * `addresses`: the rows that the URL opens. Only the URL that the screen was opened with is
 * followed.
 */
export function useLinkedRequest(
  { rows, change }: ReturnType<typeof useLogs>['list'],
  addresses: readonly string[],
): void {
  const isDecided = useRef(false);
  useEffect(() => {
    if (rows === undefined || isDecided.current) return;
    isDecided.current = true;
    const [address, ...others] = addresses;
    if (address === undefined || others.length > 0 || !requestAddress.test(address)) return;
    if (!rows.some((row) => addressOf(row) === address))
      change({ request: address }, { replace: true, keepsOpen: true });
  }, [rows, addresses, change]);
}
