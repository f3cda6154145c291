import { resultAddress } from '../../core/contract/task-results.ts';
import { siteAddress } from './site-address.ts';

/**
 * The address of a result as this page may use it; '' for what it must not follow. Addresses of this gateway work from where the
 * reader is, even where the server knows itself only as localhost.
 */
export function reachable(address: string): string {
  const safe = resultAddress(address);
  if (!/^https?:/.test(safe)) return safe;
  const { origin, pathname, search } = new URL(safe);
  const isOwn = ['/mj/image/', '/pg/', '/uploads/'].some((path) => pathname.startsWith(path));
  return isOwn ? `${siteAddress(origin, window.location.origin)}${pathname}${search}` : safe;
}
