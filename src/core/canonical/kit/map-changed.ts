import type { JsonValue } from '../../kernel/json.ts';

/**
 * Maps a list of a forwarded body. Undefined where it is no list or nothing changes, so that the
 * body is forwarded unchanged. `write` returns the item itself where nothing is to be done.
 */
export function mapChanged(
  list: JsonValue | undefined,
  write: (item: JsonValue) => JsonValue,
): readonly JsonValue[] | undefined {
  if (!Array.isArray(list)) return undefined;
  const items = list as readonly JsonValue[];
  const written = items.map(write);
  return items.every((item, index) => item === written[index]) ? undefined : written;
}
