/**
 * `npm run test:mutate [-- --concurrency N] [FILES]`: changes the code of files in small ways, one at a time, and runs
 * their tests (`npm run test:find`) on each: a change that no test notices survives. FILES are files
 * or folders of `src`; without any, the parts that decide about money. Prints the survivors and
 * writes them to `.mutants/report.html`. Minutes for a file, a night for all.
 */
import { statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { sourcesIn, testFinder } from './check-tests.ts';

/** Of these, a tenth of the changes at most may go unnoticed. */
const money = [
  'src/core/billing',
  'src/core/pricing',
  'src/core/payments',
  'src/core/accounts',
  'src/core/relay/charge',
  'src/core/storage/ledger',
];
const { values, positionals } = parseArgs({
  options: { concurrency: { type: 'string', default: '2' } },
  allowPositionals: true,
});
const wanted = positionals.map((path) => path.replace(/\/$/, ''));
const files = (wanted.length > 0 ? wanted : money).flatMap((path) =>
  statSync(path).isDirectory() ? sourcesIn(path) : [path],
);
const testsOf = testFinder();
const tests = [...new Set(files.flatMap(testsOf))].filter((test) => !/\.long\./.test(test));
if (tests.length === 0) throw new Error(`no quick test covers ${files.join(', ')}`);

// Read by vitest.config.ts in the processes that run the tests.
process.env['TEST_SUITE'] = 'quick';
process.env['TEST_FILES'] = JSON.stringify(tests);
const results = await new Stryker({
  mutate: files,
  testRunner: 'vitest',
  // Stryker would rewrite it, with a compiler that has no interface for that.
  tsconfigFile: 'none',
  vitest: { related: false },
  plugins: ['@stryker-mutator/vitest-runner'],
  ignorePatterns: ['dist/ui', 'dist/docs', 'docs', 'bench', '.mutants'],
  tempDirName: '.mutants/work',
  cleanTempDir: 'always',
  htmlReporter: { fileName: '.mutants/report.html' },
  reporters: ['progress-append-only', 'clear-text', 'html'],
  clearTextReporter: { reportTests: false, allowEmojis: false },
  concurrency: Number(values.concurrency),
  // An endless loop is found by how often its change is reached; a busy machine is none.
  timeoutMS: 30_000,
  // Each would run every test again, for constants alone.
  ignoreStatic: true,
  thresholds: { high: 95, low: 90, break: wanted.length > 0 ? null : 90 },
}).runMutationTest();
console.info(`${results.length} changes, ${tests.length} test files`);
