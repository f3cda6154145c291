import type { Ids } from './ids.ts';

/** Spec, relay 2: `yyyyMMddHHmmss`, nine digits of the second's fraction, eight random characters. UTC. */
export function requestId(nowMs: number, ids: Ids): string {
  const stamp = new Date(nowMs).toISOString().replace(/[-:T.Z]/g, '');
  return `${stamp.slice(0, 14)}${stamp.slice(14)}000000${ids.alphanumeric(8)}`;
}
