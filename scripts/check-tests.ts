/**
 * Where is the test of a file (CONTRIBUTING.md#where-a-test-stands)? `npm run check` finds sources without one;
 * with files as arguments it prints theirs: `node scripts/check-tests.ts src/core/billing/plan/hold.ts`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

/** Test file → the folders and files of `src` that its first lines say it covers. */
type Covers = ReadonlyMap<string, readonly string[]>;

/** What the comment on the first lines of a test names: `// Covers src/a/b, src/c.` */
export function coversOf(source: string): readonly string[] {
  const [comment = ''] = /^(\/\/[^\n]*\n)+/.exec(source) ?? [];
  if (!comment.startsWith('// Covers ')) return [];
  return comment.match(/src\/[\w./-]*[\w-]/g) ?? [];
}

/** A test without its folder `test` and its ending. */
const stem = (test: string) => test.replace(/^test\//, '').replace(/(\.\w+)?\.test\.tsx?$/, '');

/**
 * The tests of a source file, the nearest first: of the same name, of its folder, and those that
 * name the file or its folder. Empty: it has none.
 */
export function testsOf(file: string, tests: readonly string[], covers: Covers): string[] {
  const path = file.replace(/^src\//, '').replace(/\.tsx?$/, '');
  const folder = posix.dirname(path);
  const named = tests.filter((test) => stem(test) === path);
  const around = tests.filter(
    (test) => stem(test) === folder || posix.dirname(test) === `test/${folder}`,
  );
  const saying = tests.filter((test) =>
    covers.get(test)?.some((name) => name === file || name === posix.dirname(file)),
  );
  return [...new Set([...named, ...saying, ...around])];
}

const filesIn = (folder: string, ending: RegExp): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => ending.test(path) && !path.endsWith('.d.ts'))
    .sort();

/** The source files below a folder of `src`. */
export const sourcesIn = (folder: string) => filesIn(folder, /\.tsx?$/);

function readTests(): { tests: readonly string[]; covers: Covers } {
  const tests = filesIn('test', /\.test\.tsx?$/);
  return {
    tests,
    covers: new Map(tests.map((test) => [test, coversOf(readFileSync(test, 'utf8'))])),
  };
}

/** Finds the tests of files of this checkout. */
export function testFinder(): (file: string) => string[] {
  const { tests, covers } = readTests();
  return (file) => testsOf(file, tests, covers);
}

function main(wanted: readonly string[]): void {
  const { tests, covers } = readTests();
  const sources = sourcesIn('src');
  if (wanted.length > 0) {
    for (const file of wanted) console.info([file, ...testsOf(file, tests, covers)].join('\n  '));
    return;
  }
  const places = new Set([...sources, ...sources.map((file) => posix.dirname(file))]);
  const problems = [
    ...sources
      .filter((file) => testsOf(file, tests, covers).length === 0)
      .map((file) => `${file} has no test: see CONTRIBUTING.md#where-a-test-stands`),
    ...[...covers].flatMap(([test, names]) =>
      names.filter((name) => !places.has(name)).map((name) => `${test} covers ${name}: not there`),
    ),
  ];
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}

if (import.meta.main) main(process.argv.slice(2));
