import type { Ids } from './ids.ts';

let stampedSecond = -1;
let stamp = '';

/**
 * A new request id (docs/rules/relay.md#request-id): `yyyyMMddHHmmss` in UTC, nine digits for the
 * fraction of the second, eight random characters.
 */
export function requestId(nowMs: number, ids: Ids): string {
  const second = Math.floor(nowMs / 1000);
  if (second !== stampedSecond) {
    stampedSecond = second;
    stamp = new Date(second * 1000)
      .toISOString()
      .replace(/[-:T.Z]/g, '')
      .slice(0, 14);
  }
  const milliseconds = String(Math.floor(nowMs - second * 1000)).padStart(3, '0');
  return `${stamp}${milliseconds}000000${ids.alphanumeric(8)}`;
}
