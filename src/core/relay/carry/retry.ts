/** Whether another channel may be tried (docs/rules/routing.md#retry-statuses). */
import type { Provider } from '../../canonical/provider.ts';

/** One API's table: after status_code_mapping, before any byte reached the client. */
export function isRetryableStatus(
  status: number,
  provider: Pick<Provider, 'retryableStatuses'>,
): boolean {
  if (status >= 200 && status < 300) return false;
  if (status === 307 || status === 429) return true;
  if (provider.retryableStatuses?.includes(status) === true) return true;
  if (status === 400 || status === 408 || status === 504 || status === 524) return false;
  return true;
}
