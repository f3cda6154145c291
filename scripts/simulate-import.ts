/**
 * `npm run test:import [-- USERS LOGS]`: imports a generated site, prints proof, time and memory,
 * and uses it; default 10,000 and 1,000,000.
 */
import { startVitest } from 'vitest/node';

process.env['IMPORTED_USERS'] = process.argv[2] ?? '10000';
process.env['IMPORTED_LOGS'] = process.argv[3] ?? '1000000';
await startVitest('test', ['test/core/import/generated-site.long.test.ts'], {
  run: true,
  watch: false,
});
