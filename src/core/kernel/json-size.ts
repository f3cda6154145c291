/**
 * How much a JSON text holds, found without parsing it: what parsing costs follows from the values,
 * not from the bytes.
 */

export interface JsonLimits {
  /** Entries of lists and objects. */
  readonly values: number;
  /** Lists and objects within each other. */
  readonly depth: number;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/**
 * Whether UTF-8 bytes hold more than the limits. Of a text that is no JSON only that it is not far
 * beyond them is certain.
 */
export function exceedsJson(bytes: Uint8Array, { values, depth }: JsonLimits): boolean {
  let found = 0;
  let open = 0;
  let inString = false;
  for (let place = 0; place < bytes.length; place++) {
    const byte = bytes[place];
    if (inString) {
      if (byte === backslash) place += 1;
      else if (byte === quote) inString = false;
    } else if (byte === quote) inString = true;
    else if (byte === comma) found += 1;
    else if (byte === openList || byte === openObject) {
      found += 1;
      open += 1;
      if (open > depth) return true;
    } else if (byte === closeList || byte === closeObject) open -= 1;
    if (found > values) return true;
  }
  return false;
}
