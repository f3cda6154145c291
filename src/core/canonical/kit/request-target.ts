/** Addresses and headers every HTTP provider shares. */
import type { Call } from '../provider.ts';

/** The query of the caller's own request, `?` included; empty when there was none. */
export function clientQuery(call: Call): string {
  const mark = call.clientPath.indexOf('?');
  return mark === -1 ? '' : call.clientPath.slice(mark);
}

/**
 * An address with the caller's query behind it. Parameters that the address has itself are not the
 * caller's to set.
 */
export function withClientQuery(url: string, call: Call): string {
  const query = clientQuery(call);
  const mark = url.indexOf('?');
  if (query === '' || mark === -1) return url + query;
  const added = new URLSearchParams(query);
  for (const name of new URLSearchParams(url.slice(mark)).keys()) added.delete(name);
  return added.size === 0 ? url : `${url}&${added}`;
}

/** Cloudflare's AI Gateway in front of a vendor. */
export function isAiGateway(base: string): boolean {
  return base.startsWith('https://gateway.ai.cloudflare.com/');
}

/**
 * `base` and a path that starts with `/v1/`. A base that already ends in `/v1` does not get a
 * second one, and Cloudflare's AI Gateway takes paths without it.
 */
export function joinVersioned(base: string, path: string): string {
  const bare = path.startsWith('/v1/') && (base.endsWith('/v1') || isAiGateway(base));
  return base + (bare ? path.slice(3) : path);
}

/** The base without a trailing `/v1`, for paths outside it. */
export function bareBase(base: string): string {
  return base.endsWith('/v1') ? base.slice(0, -3) : base;
}

export function jsonHeaders(stream: boolean): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: stream ? 'text/event-stream' : 'application/json',
  };
}
