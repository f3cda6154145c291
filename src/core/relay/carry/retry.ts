/** Whether another channel may be tried (spec, relay 7). */
import type { Provider } from '../../canonical/provider.ts';

/** The table of the family: after status_code_mapping, before any byte reached the client. */
export function isRetryableStatus(status: number, provider: Pick<Provider, 'retryableStatuses'>): boolean {
  if (status >= 200 && status < 300) return false;
  if (status === 307 || status === 429) return true;
  if (provider.retryableStatuses?.includes(status) === true) return true;
  if (status === 400 || status === 408 || status === 504 || status === 524) return false;
  return true;
}
