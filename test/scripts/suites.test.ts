/** What belongs in the quick suite and what in the long one (CONTRIBUTING.md#quick-and-long). */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '..');
const files = globSync('**/*.test.{ts,tsx}', { cwd: folder })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file !== 'scripts/suites.test.ts')
  .map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }))
  .sort((one, other) => (one.file < other.file ? -1 : 1));

const using = (words: RegExp): readonly string[] =>
  files.filter(({ text }) => words.test(text)).map(({ file }) => file);
const isLong = (file: string): boolean => file.includes('.long.test.');

test('of the browser the quick suite has the journeys', () => {
  expect(using(/startConsoleSite|openBrowser/).filter((file) => !isLong(file))).toEqual([
    'e2e/console.test.ts',
    'e2e/customer.test.ts',
  ]);
});

test('the files that run on other engines in each suite are those that are named so', () => {
  expect(using(/forEach(Engine|Database)InTurn|isTurnOf/)).toEqual(
    files.map(({ file }) => file).filter((file) => file.includes('.engines.test.')),
  );
});
