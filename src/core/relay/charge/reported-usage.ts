/** A vendor's own words on what it used, for the log row (docs/rules/usage-logs.md#reported-usage). */
import type { Usage } from '../../canonical/usage.ts';
import { isObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';

/** Characters of JSON, of all usages of an answer together. */
const longestUsage = 1000;
/** Characters of a word; longer ones are no figures. */
const longestWord = 64;
const deepest = 4;
const mostReplies = 20;

/** Without what says nothing: zeros, empty texts, lists and objects, long texts. */
function saying(value: unknown, depth: number): JsonValue | undefined {
  switch (typeof value) {
    case 'number':
      return value === 0 || !Number.isFinite(value) ? undefined : value;
    case 'string':
      return value === '' || value.length > longestWord ? undefined : value;
    case 'boolean':
      return value || undefined;
    default:
  }
  if (depth === 0) return undefined;
  if (Array.isArray(value)) {
    const items = value.flatMap((item) => saying(item, depth - 1) ?? []);
    return items.length === 0 ? undefined : items;
  }
  return isObject(value) ? sayingMembers(value, depth) : undefined;
}

function sayingMembers(value: Readonly<Record<string, unknown>>, depth: number) {
  const kept: [string, JsonValue][] = [];
  for (const [name, member] of Object.entries(value)) {
    const said = name.length > longestWord ? undefined : saying(member, depth - 1);
    if (said !== undefined) kept.push([name, said]);
  }
  return kept.length === 0 ? undefined : (Object.fromEntries(kept) as JsonObject);
}

/**
 * What the vendor wrote as usage, one object for each of its replies, without zeros; members for
 * which there is no room are `cut`. Undefined: it wrote none.
 */
export function reportedUsage(raw: Usage['raw'] = []): JsonObject[] | undefined {
  const said = raw
    .slice(0, mostReplies)
    .map((one) => sayingMembers(one, deepest))
    .filter((one) => one !== undefined);
  if (said.length === 0) return undefined;
  if (JSON.stringify(said).length <= longestUsage) return said;
  let room = longestUsage;
  return said.map((usage) => {
    const kept = Object.entries(usage).filter((member) => {
      const { length } = JSON.stringify(member);
      if (length > room) return false;
      room -= length;
      return true;
    });
    return { ...Object.fromEntries(kept), cut: true };
  });
}
