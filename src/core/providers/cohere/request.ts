import { jsonHeaders } from '../../canonical/kit/request-target.ts';
import type { Call } from '../../canonical/provider.ts';

/** An address of Cohere's; a base that already names a version does not get a second one. */
export function cohereAddress(call: Call, path: string): string {
  return call.baseUrl.replace(/\/v[12]$/, '') + path;
}

export function cohereHeaders(call: Call, stream = false): Record<string, string> {
  return { ...jsonHeaders(stream), authorization: `Bearer ${call.key.reveal()}` };
}
