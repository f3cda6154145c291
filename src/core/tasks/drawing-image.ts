/**
 * Addresses of drawn images, as callers and the console are shown them
 * (docs/rules/midjourney.md#images).
 */
import type { Midjourney } from '../storage/storage.ts';

/**
 * '' where there is no image yet. `imagesAt`: the address of the site through which images are
 * shown; undefined: they are shown where their proxy has them. `now`: milliseconds; an unfinished
 * image changes, and must not come from a cache.
 */
export function imageAddress(
  { imageUrl, mjId, status }: Pick<Midjourney, 'imageUrl' | 'mjId' | 'status'>,
  imagesAt: string | undefined,
  now: number,
): string {
  if (imageUrl === '' || imagesAt === undefined) return imageUrl;
  const address = `${imagesAt.replace(/\/+$/, '')}/mj/image/${encodeURIComponent(mjId)}`;
  return status === 'SUCCESS' ? address : `${address}?rand=${now}000000`;
}
