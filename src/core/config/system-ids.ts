import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { Ids } from '../kernel/ids.ts';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Chance from the operating system's cryptographic generator. */
export const systemIds: Ids = {
  uuid: () => randomUUID(),
  alphanumeric: (length) => Array.from({ length }, () => letters[randomInt(letters.length)]).join(''),
  hex: (bytes) => randomBytes(bytes).toString('hex'),
  base64url: (bytes) => randomBytes(bytes).toString('base64url'),
  chance: () => randomInt(2 ** 48 - 1) / 2 ** 48,
};
