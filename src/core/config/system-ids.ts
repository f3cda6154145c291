import { randomBytes, randomFillSync, randomInt, randomUUID } from 'node:crypto';
import type { Ids } from '../kernel/ids.ts';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Random bytes are drawn by the page: one call of the generator serves hundreds of ids. */
const pool = Buffer.alloc(4096);
let next = pool.length;

/** Below the largest multiple of the alphabet that fits a byte; what is above would make early letters likelier. */
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

/** Chance from the operating system's cryptographic generator. */
export const systemIds: Ids = {
  uuid: () => randomUUID(),
  alphanumeric: randomText,
  hex: (bytes) => randomBytes(bytes).toString('hex'),
  base64url: (bytes) => randomBytes(bytes).toString('base64url'),
  chance: () => randomInt(2 ** 48 - 1) / 2 ** 48,
};
