import { parseJson } from '../../kernel/json.ts';

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/** The quotation mark that begins the string which ends at one; −1: there is none. */
function startOfString(bytes: Buffer, end: number): number {
  for (let at = bytes.lastIndexOf(quote, end - 1); at > 0; at = bytes.lastIndexOf(quote, at - 1)) {
    let slashes = 0;
    while (bytes[at - 1 - slashes] === backslash) slashes += 1;
    // Inside of a string one has an odd number of them before it.
    if (slashes % 2 === 0) return at;
  }
  return -1;
}

/**
 * The last items of a JSON array, read from its end: nothing before them is looked at. Undefined: it
 * has fewer, or is malformed there.
 */
export function lastItems(array: Buffer, count: number): readonly unknown[] | undefined {
  const end = array.lastIndexOf(closeList);
  let depth = 0;
  let left = count;
  for (let at = end - 1; at > 0; at -= 1) {
    const byte = array[at];
    if (byte === quote) {
      at = startOfString(array, at);
      if (at === -1) return undefined;
    } else if (byte === closeObject || byte === closeList) depth += 1;
    else if (byte === openObject || byte === openList) depth -= 1;
    else if (byte === comma && depth === 0) {
      left -= 1;
      if (left > 0) continue;
      const items = parseJson(`[${array.toString('utf8', at + 1, end)}]`);
      return Array.isArray(items) ? (items as unknown[]) : undefined;
    }
    if (depth < 0) return undefined;
  }
  return undefined;
}
