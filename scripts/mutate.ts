/**
 * `npm run test:mutate [FILES]`: changes the code of files in small ways, one at a time, and runs
 * their tests (`npm run test:find`) on each: a change that no test notices survives. FILES are files
 * or folders of `src`; without any, the parts that decide about money. Prints the survivors, or with
 * `--summary` only how many there are. With `--again` each survivor is tried in a process of its
 * own, where nothing is left in memory of the code as it was. Works on a copy, `.mutants/work`.
 * Changes and switches are Stryker's; the tests run in one process (scripts/test/mutant-runner.ts),
 * a file in a minute.
 */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { sourcesIn, testFinder } from './check-tests.ts';
import type { MutantResults } from './test/mutant-runner.ts';

/** Of these, a tenth of the changes at most may go unnoticed. */
const money = [
  'src/core/billing',
  'src/core/pricing',
  'src/core/payments',
  'src/core/accounts',
  'src/core/relay/charge',
  'src/core/storage/ledger',
];
const work = '.mutants/work';
const { values, positionals } = parseArgs({
  options: {
    summary: { type: 'boolean', default: false },
    again: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const wanted = positionals.map((path) => path.replace(/\/$/, ''));
const files = (wanted.length > 0 ? wanted : money).flatMap((path) =>
  statSync(path).isDirectory() ? sourcesIn(path) : [path],
);
/** Tests that make many cases, or run on several engines, come last. */
const isSlow = (test: string) =>
  /oracle|property|\.engines\.|postgres|journaled|sealing|vendor-prices/.test(test);
const tests = [...new Set(files.flatMap(testFinder()))]
  .filter((test) => !/\.(long|mocked)\.|\.tsx$/.test(test))
  .sort((one, other) => Number(isSlow(one)) - Number(isSlow(other)));
if (tests.length === 0) throw new Error(`no quick test covers ${files.join(', ')}`);

rmSync(work, { recursive: true, force: true });
mkdirSync(work, { recursive: true });
for (const path of ['src', 'test', 'migrations', 'scripts', 'bin', 'package.json', 'tsconfig.json'])
  cpSync(path, `${work}/${path}`, { recursive: true });
for (const path of ['node_modules', 'dist', 'docs']) symlinkSync(resolve(path), `${work}/${path}`);

/** The instrumenter asks whether a level is on, and says nothing of use here. */
const logger = new Proxy({}, { get: () => () => false });
const instrumenter = new Instrumenter(logger as never);
const sources = files.map((name) => ({ name, content: readFileSync(name, 'utf8'), mutate: true }));
const { files: changed, mutants } = await instrumenter.instrument(sources, {
  plugins: null,
  excludedMutations: [],
  ignorers: [],
});
for (const { name, content } of changed) writeFileSync(`${work}/${name}`, content);

console.info(`${mutants.length} changes, ${tests.length} test files`);
/** Runs tests on the copy. `more` of the environment says on which changes. */
function runTests(files: readonly string[], more: NodeJS.ProcessEnv, timeout?: number) {
  const options = ['--config', 'scripts/test/mutants.config.ts', '--root', '.'];
  return spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...options], {
    cwd: work,
    env: { ...process.env, TEST_SUITE: 'quick', TEST_FILES: JSON.stringify(files), ...more },
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    timeout,
  });
}

const resultsFile = resolve(`${work}/results.json`);
const run = runTests(tests, { MUTANT_RESULTS: resultsFile });
// Tests that fail as they are would say nothing.
if (run.status !== 0) {
  console.error(run.stdout, run.stderr);
  process.exit(1);
}
const { killed, late, reached, loaded, unrepeatable, slow } = JSON.parse(
  readFileSync(resultsFile, 'utf8'),
) as MutantResults;

/** Milliseconds for the tests of one change. */
const longest = 120_000;

/** Tests what survived with modules that are loaded on the change. */
function tryAgain(): void {
  for (const { id } of mutants) {
    if (killed[id] !== undefined || (reached[id] === undefined && loaded[id] !== undefined))
      continue;
    const { status, error } = runTests(
      reached[id] ?? tests,
      { __STRYKER_ACTIVE_MUTANT__: id },
      longest,
    );
    if (status === 0) continue;
    killed[id] = 'a process of its own';
    if (error !== undefined) late[id] = killed[id];
  }
}
if (values.again) tryAgain();

let noticed = 0;
let all = 0;
for (const { name, content } of sources) {
  const own = mutants.filter(
    ({ id, fileName }) =>
      fileName === name && (reached[id] !== undefined || loaded[id] === undefined),
  );
  const survivors = own.filter(({ id }) => killed[id] === undefined);
  noticed += own.length - survivors.length;
  all += own.length;
  if (own.length === 0) continue;
  const byTime = own.filter(({ id }) => late[id] !== undefined).length;
  const note = byTime > 0 ? `, ${byTime} of them by a test that did not end in time` : '';
  console.info(`${name}: ${own.length - survivors.length} of ${own.length}${note}`);
  if (values.summary) continue;
  const lines = content.split('\n');
  for (const { id, location, replacement } of survivors) {
    const { start, end } = location;
    const line = lines[start.line] ?? '';
    const original =
      start.line === end.line
        ? line.slice(start.column, end.column)
        : `${line.slice(start.column)} …`;
    const missed = reached[id] === undefined ? 'not reached' : 'not noticed';
    console.info(
      `  ${start.line + 1}, ${missed}: ${original} → ${replacement.split('\n')[0] ?? ''}`,
    );
  }
}
const share = Math.floor((100 * noticed) / Math.max(1, all));
console.info(`${noticed} of ${all} noticed: ${share} %`);
const listed = (what: string, names: readonly string[]) => {
  if (names.length > 0) console.info([`${what}:`, ...new Set(names)].join('\n  '));
};
listed('tests that cannot be repeated, and say nothing', unrepeatable);
listed('tests that were too slow to be repeated for all changes', slow);
if (wanted.length === 0 && share < 90) process.exitCode = 1;
