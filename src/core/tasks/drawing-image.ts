/**
 * Addresses of drawn images, as callers and the console are shown them
 * (docs/rules/midjourney.md#images).
 */
import { createSignedLinks, type SignedLinkDeps } from '../files/signed-links.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { Midjourney } from '../storage/storage.ts';

export interface DrawingImages {
  /**
   * '' where there is no image yet; where images are not forwarded, the address that the proxy
   * reported.
   */
  addressOf(drawing: Pick<Midjourney, 'imageUrl' | 'mjId' | 'status'>): string;
  /** Whether the site gave this address of the drawing away. */
  isValid(mjId: string, signature: string): boolean;
}

export interface DrawingImageDeps extends SignedLinkDeps {
  readonly options: Pick<OptionStore, 'get'>;
  /** The address of this site. */
  readonly baseUrl: () => string;
}

export function createDrawingImages({
  options,
  baseUrl,
  ...deps
}: DrawingImageDeps): DrawingImages {
  const links = createSignedLinks(deps);
  const subjectOf = (mjId: string): string => `drawing:${mjId}`;
  return {
    addressOf: ({ imageUrl, mjId, status }) => {
      if (imageUrl === '' || !options.get('MjForwardUrlEnabled')) return imageUrl;
      const site = baseUrl().replace(/\/+$/, '');
      const address = `${site}/mj/image/${encodeURIComponent(mjId)}?${links.query(subjectOf(mjId))}`;
      // An unfinished image changes, and must not come from a cache.
      return status === 'SUCCESS' ? address : `${address}&rand=${deps.clock.now()}000000`;
    },
    isValid: (mjId, signature) => links.isValid(subjectOf(mjId), signature),
  };
}
