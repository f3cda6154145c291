/**
 * Which vendor a pasted key or address belongs to, by what the vendors declare: the beginning of
 * their keys (`sk-ant-…`) and the host of their address.
 */
import type { ChannelTypeFacts } from '../queries/use-channel-types.ts';

type Facts = Pick<ChannelTypeFacts, 'type' | 'available' | 'key_example' | 'default_base_url'>;

/** Shorter beginnings (`sk-`) are those of many vendors. */
const shortest = 4;

/** How the keys of a vendor begin, with their place in its example: the usual one stands first. */
function beginningsOf(example: string) {
  return example
    .split(/,? or /)
    .map((part, place) => ({ beginning: /^([^\s…|]+)…/.exec(part)?.[1] ?? '', place }))
    .filter(({ beginning }) => beginning.length >= shortest);
}

function hostOf(address: string): string | undefined {
  return URL.parse(address)?.host;
}

/**
 * By the first line of the key: the longest beginning counts, then whose usual one it is, then the
 * order of the types.
 */
function typeOfKey(types: readonly Facts[], key: string): number | undefined {
  const first = key.trim().split('\n', 1)[0] ?? '';
  const [best] = types
    .flatMap(({ type, key_example }) => beginningsOf(key_example).map((one) => ({ type, ...one })))
    .filter(({ beginning }) => first.startsWith(beginning) && first.length > beginning.length)
    .sort((a, b) => b.beginning.length - a.beginning.length || a.place - b.place);
  return best?.type;
}

function typeOfAddress(types: readonly Facts[], address: string): number | undefined {
  const host = hostOf(address.trim());
  if (host === undefined) return undefined;
  return types.find(({ default_base_url }) => hostOf(default_base_url ?? '') === host)?.type;
}

/**
 * The type that a new channel's key or address names; the key counts more. Undefined: neither says
 * anything. `types` are in the order in which they are offered.
 */
export function recogniseType(
  types: readonly Facts[],
  { key, base_url }: { readonly key: string; readonly base_url: string },
): number | undefined {
  const offered = types.filter(({ available }) => available);
  return typeOfKey(offered, key) ?? typeOfAddress(offered, base_url);
}
