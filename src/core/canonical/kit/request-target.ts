/** Addresses and headers every HTTP provider shares. */
import type { Call } from '../provider.ts';

/**
 * What Google's interfaces, its chat completions too, read of any address
 * (https://cloud.google.com/apis/docs/system-parameters; seen 2026-11-30): credentials, other forms
 * of the reply, and `fields`, which leaves out of it what is not named, its usage among that.
 */
const systemParameters: ReadonlySet<string> = new Set([
  'access_token',
  'alt',
  'callback',
  'fields',
  'key',
  'oauth_token',
  'prettyprint',
  'quotauser',
  'upload_protocol',
  'uploadtype',
  'userproject',
]);

/**
 * The query of the caller's own request, `?` included; empty when there was none. It is without the
 * parameters by which the reply would not be the one that is charged; all of these have a second
 * name with a `$`.
 */
export function clientQuery({ clientPath }: Pick<Call, 'clientPath'>): string {
  const mark = clientPath.indexOf('?');
  if (mark === -1) return '';
  const kept = [...new URLSearchParams(clientPath.slice(mark))].filter(
    ([name]) => !name.startsWith('$') && !systemParameters.has(name.toLowerCase()),
  );
  return kept.length === 0 ? '' : `?${new URLSearchParams(kept)}`;
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
