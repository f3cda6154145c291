import type { Ids } from './ids.ts';

let stampedSecond = -1;
let stamp = '';

/** Spec, relay 2: `yyyyMMddHHmmss`, nine digits of the second's fraction, eight random characters. UTC. */
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
