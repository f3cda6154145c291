/**
 * Passwords are hashed by argon2id with the least memory and one pass in the processes of tests:
 * many thousands are, each for 25 ms of a core. Programs that tests start hash as always.
 */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll } from 'vitest';

const { argon2 } = crypto;
let isLight = true;

crypto.argon2 = (algorithm, parameters, callback) => {
  const { parallelism } = parameters;
  const cost = isLight ? { memory: 8 * parallelism, passes: 1 } : {};
  argon2(algorithm, { ...parameters, ...cost }, callback);
};
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
