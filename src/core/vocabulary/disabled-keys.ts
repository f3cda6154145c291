/**
 * `other_info.disabled_keys` of a channel with several keys: which of them the gateway disabled,
 * why and when. Keys are identified by a fingerprint, so the list survives reordering and never
 * contains a key.
 */
import { isObject, parseObject } from '../kernel/json.ts';

export interface DisabledKey {
  readonly reason: string;
  /** Unix seconds. */
  readonly time: number;
}

/**
 * Disabled keys by fingerprint. Entries of another shape are ignored: imported rows may contain
 * anything.
 */
export function readDisabledKeys(otherInfo: string): ReadonlyMap<string, DisabledKey> {
  const found = otherInfo.includes('disabled_keys')
    ? parseObject(otherInfo)?.['disabled_keys']
    : undefined;
  const keys = new Map<string, DisabledKey>();
  for (const [name, note] of Object.entries(isObject(found) ? found : {})) {
    if (isObject(note) && typeof note['reason'] === 'string' && typeof note['time'] === 'number')
      keys.set(name, { reason: note['reason'], time: note['time'] });
  }
  return keys;
}

/** `otherInfo` with this list of disabled keys. */
export function writeDisabledKeys(
  otherInfo: string,
  keys: ReadonlyMap<string, DisabledKey>,
): string {
  const { disabled_keys: _, ...others } = parseObject(otherInfo) ?? {};
  return JSON.stringify(
    keys.size === 0 ? others : { ...others, disabled_keys: Object.fromEntries(keys) },
  );
}

/** `otherInfo` with a key added to the list. */
export function addDisabledKey(otherInfo: string, name: string, note: DisabledKey): string {
  const { reason, time } = note;
  return writeDisabledKeys(
    otherInfo,
    new Map([...readDisabledKeys(otherInfo), [name, { reason, time }]]),
  );
}
