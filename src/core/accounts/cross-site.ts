import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../kernel/errors.ts';
import { headerText } from './request-credentials.ts';

/**
 * Rejects requests that a page of another site makes a browser send
 * (docs/rules/console-api.md#cross-site). Browsers send the origin in headers that pages cannot
 * set; other programs send neither header. `siteAddress`: the option ServerAddress, for proxies
 * that rewrite Host. Throws AppError cross_site_request.
 */
export function refuseCrossSite(headers: IncomingHttpHeaders, siteAddress: string): void {
  const site = headerText(headers, 'sec-fetch-site');
  if (site === 'same-origin' || site === 'none') return;
  const { origin, host } = headers;
  const ours = origin !== undefined && isOwnOrigin(origin, host, siteAddress);
  if (origin === undefined ? site !== undefined : !ours) throw new AppError('cross_site_request');
}

/**
 * Rejects what a browser does not send for a script: images, frames, links and addresses that are
 * typed. Only for calls that change something by GET (docs/rules/console-api.md#get-twins); other
 * methods need a script or a form. Throws AppError cross_site_request.
 */
export function refuseEmbedded(headers: IncomingHttpHeaders): void {
  const destination = headerText(headers, 'sec-fetch-dest');
  if (destination !== undefined && destination !== 'empty')
    throw new AppError('cross_site_request');
}

function isOwnOrigin(origin: string, host: string | undefined, siteAddress: string): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  if (siteAddress !== '' && URL.canParse(siteAddress) && new URL(siteAddress).origin === url.origin)
    return true;
  return host !== undefined && url.host === host.toLowerCase();
}

/**
 * Rejects what a page loads as a part of itself (a picture, a style sheet, a frame): calls are made
 * by scripts, or opened as a page. An address in a text so never makes a call, wherever the text is
 * shown. Throws AppError cross_site_request.
 */
export function refusePageParts(headers: IncomingHttpHeaders): void {
  const purpose = headerText(headers, 'sec-fetch-dest') ?? 'empty';
  if (purpose !== 'empty' && purpose !== 'document') throw new AppError('cross_site_request');
}
