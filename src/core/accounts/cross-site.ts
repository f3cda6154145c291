import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../kernel/errors.ts';
import { headerText } from './request-credentials.ts';

/**
 * Rejects requests that a page of another site makes a browser send (docs/rules/console-api.md#cross-site). Browsers send
 * the origin in headers that pages cannot set; other programs send neither header. `siteAddress`: the option
 * ServerAddress, for proxies that rewrite Host. Throws AppError cross_site_request.
 */
export function refuseCrossSite(headers: IncomingHttpHeaders, siteAddress: string): void {
  const site = headerText(headers, 'sec-fetch-site');
  if (site === 'same-origin' || site === 'none') return;
  const { origin, host } = headers;
  const ours = origin !== undefined && isOwnOrigin(origin, host, siteAddress);
  if (origin === undefined ? site !== undefined : !ours) throw new AppError('cross_site_request');
}

function isOwnOrigin(origin: string, host: string | undefined, siteAddress: string): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  if (siteAddress !== '' && URL.canParse(siteAddress) && new URL(siteAddress).origin === url.origin) return true;
  return host !== undefined && url.host === host.toLowerCase();
}
