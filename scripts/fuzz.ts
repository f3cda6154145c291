/**
 * `npm run test:fuzz [-- TIMES]`: every property test with new random cases; TIMES as many as
 * usual, default 20.
 */
import { globSync, readFileSync } from 'node:fs';
import { startVitest } from 'vitest/node';

const times = process.argv[2] ?? '20';
Object.assign(process.env, { FUZZ_SEED: 'random', FUZZ_TIMES: times });
const tests = globSync('test/**/*.test.ts').filter((file) =>
  readFileSync(file, 'utf8').includes('support/property.ts'),
);
await startVitest('test', tests, { run: true, watch: false, testTimeout: Number(times) * 60_000 });
