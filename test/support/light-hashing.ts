/**
 * Passwords are hashed by argon2id with the least memory and one pass in the processes of tests:
 * many thousands are, each for 25 ms of a core. Programs that tests start hash as always.
 */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll } from 'vitest';

const { argon2, scrypt } = crypto;
let isLight = true;
/** As the program calls it. */
type Scrypt = (
  passphrase: crypto.BinaryLike,
  salt: crypto.BinaryLike,
  length: number,
  options: crypto.ScryptOptions,
  callback: (error: Error | null, key: Buffer) => void,
) => void;

crypto.argon2 = (algorithm, parameters, callback) => {
  const { parallelism } = parameters;
  const cost = isLight ? { memory: 8 * parallelism, passes: 1 } : {};
  argon2(algorithm, { ...parameters, ...cost }, callback);
};

/** Keys of sealed files: one of 80 ms for each passphrase and salt, however often a file is opened. */
const derived = new Map<string, Buffer>();
const deriveOnce: Scrypt = (passphrase, salt, length, options, callback) => {
  const given = JSON.stringify([passphrase, salt, length, options]);
  const known = derived.get(given);
  if (known !== undefined) return process.nextTick(callback, null, Buffer.from(known));
  return scrypt(passphrase, salt, length, options, (error, key) => {
    if (error === null) derived.set(given, Buffer.from(key));
    callback(error, key);
  });
};
Object.assign(crypto, { scrypt: deriveOnce });
syncBuiltinESMExports();

/** For a file that tests the hashes themselves. Called at its top level. */
export function hashAsUsual(): void {
  beforeAll(() => {
    isLight = false;
  });
  afterAll(() => {
    isLight = true;
  });
}
