import { randomBytes, randomFillSync, randomInt, randomUUID } from 'node:crypto';
import type { Ids } from '../kernel/ids.ts';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Random bytes are generated in blocks: one call of the generator serves hundreds of ids. */
const pool = Buffer.alloc(4096);
let next = pool.length;

/**
 * The largest multiple of the alphabet size that fits a byte. Larger bytes are skipped, as they
 * would favour early letters.
 */
const fairLimit = 256 - (256 % letters.length);

function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    if (next === pool.length) {
      randomFillSync(pool);
      next = 0;
    }
    const byte = pool[next] ?? 255;
    pool[next] = 0;
    next += 1;
    if (byte < fairLimit) text += letters[byte % letters.length];
  }
  return text;
}

/** Random values from the operating system's cryptographic generator. */
export const systemIds: Ids = {
  uuid: () => randomUUID(),
  alphanumeric: randomText,
  hex: (bytes) => randomBytes(bytes).toString('hex'),
  base64url: (bytes) => randomBytes(bytes).toString('base64url'),
  chance: () => randomInt(2 ** 48 - 1) / 2 ** 48,
};
