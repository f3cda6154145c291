/**
 * `other_info.disabled_keys` of a channel with several keys: which of them the gateway switched off, why and when. Keys are
 * named by a fingerprint, so that the list survives reordering and never holds a key.
 */
import { isObject, parseObject } from '../kernel/json.ts';

export interface DisabledKey {
  readonly reason: string;
  /** Unix seconds. */
  readonly time: number;
}

/** By fingerprint. What is not of this shape is left out: imported rows hold anything. */
export function readDisabledKeys(otherInfo: string): ReadonlyMap<string, DisabledKey> {
  const found = otherInfo.includes('disabled_keys') ? parseObject(otherInfo)?.['disabled_keys'] : undefined;
  const keys = new Map<string, DisabledKey>();
  for (const [name, note] of Object.entries(isObject(found) ? found : {})) {
    if (isObject(note) && typeof note['reason'] === 'string' && typeof note['time'] === 'number')
      keys.set(name, { reason: note['reason'], time: note['time'] });
  }
  return keys;
}

/** `otherInfo` with one key more in the list. */
export function addDisabledKey(otherInfo: string, name: string, note: DisabledKey): string {
  const keys = Object.fromEntries(readDisabledKeys(otherInfo));
  return JSON.stringify({
    ...parseObject(otherInfo),
    disabled_keys: { ...keys, [name]: { reason: note.reason, time: note.time } },
  });
}
