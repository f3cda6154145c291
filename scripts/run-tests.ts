/**
 * `npm test`: the quick suite. `npm run test:all`: everything; with `--long` only what `npm test`
 * leaves out. `--report` prints where the seconds went, `--screenshots` keeps photographs of the
 * console. All other words are vitest's: files, folders, `-t NAME`.
 */
import { parseCLI, startVitest } from 'vitest/node';
import { startSharedPostgres } from '../test/support/postgres.ts';
import { hasPostgresBinaries } from '../test/support/postgres-server.ts';
import { keepTemporaryFilesInMemory } from './test/temporary-folder.ts';

const words = process.argv.slice(2);
const take = (flag: string): boolean => {
  const at = words.indexOf(flag);
  if (at >= 0) words.splice(at, 1);
  return at >= 0;
};
const suite = take('--all') ? (take('--long') ? 'long' : 'all') : 'quick';
process.env['TEST_SUITE'] = suite;
if (take('--report')) process.env['TEST_REPORT'] = 'true';
if (take('--screenshots')) process.env['TEST_SCREENSHOTS'] = 'true';

const { filter, options } = parseCLI(['vitest', 'run', ...words]);
keepTemporaryFilesInMemory();
const postgres =
  filter.length === 0 && hasPostgresBinaries() ? await startSharedPostgres() : undefined;
const vitest = await startVitest('test', filter, { ...options, run: true, watch: false });
await vitest.close();
await postgres?.stop();
