import type { JsonValue } from '../../kernel/json.ts';

/**
 * A list of a body that travels, each item as `write` has it; undefined where it is no list or nothing changes, so that
 * what fits already goes on as it came. `write` returns the item itself where there is nothing to do.
 */
export function mapChanged(list: JsonValue | undefined, write: (item: JsonValue) => JsonValue): readonly JsonValue[] | undefined {
  if (!Array.isArray(list)) return undefined;
  const items = list as readonly JsonValue[];
  const written = items.map(write);
  return items.every((item, index) => item === written[index]) ? undefined : written;
}
