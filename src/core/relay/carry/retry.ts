/** Whether another channel may be tried (docs/rules/routing.md#retry-statuses). */
import type { Provider } from '../../canonical/provider.ts';
import type { Failure } from '../failure.ts';

/**
 * An error about the request fails everywhere; one about the account behind a key, whatever its
 * status, only here.
 */
export function isRetryable(
  { error, mappedStatus }: Extract<Failure, { from: 'upstream' }>,
  provider: Pick<Provider, 'retryableStatuses'>,
): boolean {
  if (error.about !== undefined) return false;
  return error.accountFault === true || isRetryableStatus(mappedStatus, provider);
}

/** One API's table: after status_code_mapping, before any byte reached the client. */
function isRetryableStatus(status: number, provider: Pick<Provider, 'retryableStatuses'>): boolean {
  if (status >= 200 && status < 300) return false;
  if (status === 307 || status === 429) return true;
  if (provider.retryableStatuses?.includes(status) === true) return true;
  if (status === 400 || status === 408 || status === 504 || status === 524) return false;
  return true;
}
