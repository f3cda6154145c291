/** Addresses and headers of DashScope (docs/rules/providers.md#dashscope-addresses). */

import { jsonHeaders } from '../../canonical/kit/request-target.ts';
import type { Call, UpstreamRequest } from '../../canonical/provider.ts';
import type { JsonObject } from '../../kernel/json.ts';

/**
 * Only the host differs between regions and workspaces; bases are also found written with an
 * interface under them.
 */
export function aliRoot({ baseUrl }: Call): string {
  return baseUrl.replace(/\/(?:compatible-mode(?:\/v1)?|apps\/anthropic|api\/v1|v1)$/, '');
}

export function aliHeaders({ key, other }: Call, stream: boolean): Record<string, string> {
  const headers: Record<string, string> = { authorization: `Bearer ${key.reveal()}` };
  if (stream) headers['x-dashscope-sse'] = 'enable';
  if (other !== '') headers['x-dashscope-plugin'] = other;
  return headers;
}

/** A request to one of DashScope's own interfaces. */
export function postTo(
  path: string,
  call: Call,
  body: JsonObject,
  stream = false,
): UpstreamRequest {
  return {
    method: 'POST',
    url: aliRoot(call) + path,
    headers: { ...jsonHeaders(stream), ...aliHeaders(call, stream) },
    body,
  };
}
