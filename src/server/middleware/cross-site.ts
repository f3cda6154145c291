import type { Request } from 'express';
import { AppError } from '../../core/kernel/errors.ts';

/**
 * Rejects requests that a page of another site makes a browser send (docs/rules/console-api.md#cross-site). Browsers send
 * the origin in headers that pages cannot set; other programs send neither header. `siteAddress`: the option
 * ServerAddress, for proxies that rewrite Host. Throws AppError cross_site_request.
 */
export function refuseCrossSite(request: Request, siteAddress: string): void {
  const site = request.get('sec-fetch-site');
  if (site === 'same-origin' || site === 'none') return;
  const origin = request.get('origin');
  const ours = origin !== undefined && isOwnOrigin(origin, request.get('host'), siteAddress);
  if (origin === undefined ? site !== undefined : !ours) throw new AppError('cross_site_request');
}

function isOwnOrigin(origin: string, host: string | undefined, siteAddress: string): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  if (siteAddress !== '' && URL.canParse(siteAddress) && new URL(siteAddress).origin === url.origin) return true;
  return host !== undefined && url.host === host.toLowerCase();
}
