/** Addresses of drawn images, as callers and the console are shown them (docs/rules/midjourney.md#images). */
import type { Midjourney } from '../storage/storage.ts';

export interface ImageAddresses {
  /** MjForwardUrlEnabled: through the gateway. */
  readonly forwards: boolean;
  /** ServerAddress; '': the address is one below the site's own. */
  readonly serverAddress: string;
  /** Milliseconds: an unfinished image changes, and must not come from a cache. */
  readonly now: number;
}

/** '' where there is no image yet. */
export function imageAddress(
  { imageUrl, mjId, status }: Pick<Midjourney, 'imageUrl' | 'mjId' | 'status'>,
  { forwards, serverAddress, now }: ImageAddresses,
): string {
  if (imageUrl === '' || !forwards) return imageUrl;
  const address = `${serverAddress.replace(/\/+$/, '')}/mj/image/${encodeURIComponent(mjId)}`;
  return status === 'SUCCESS' ? address : `${address}?rand=${now}000000`;
}
