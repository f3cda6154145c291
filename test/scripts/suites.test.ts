/** What belongs in the quick suite and what in the long one (CONTRIBUTING.md#quick-and-long). */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '..');
const quick = globSync('**/*.test.{ts,tsx}', { cwd: folder })
  .filter((file) => !file.includes('.long.') && file !== 'scripts/suites.test.ts')
  .map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }));

const using = (words: RegExp): readonly string[] =>
  quick
    .filter(({ text }) => words.test(text))
    .map(({ file }) => file)
    .sort();

test('of the browser the quick suite has the journeys', () => {
  expect(using(/startConsoleSite|openBrowser/)).toEqual([
    'e2e/console.test.ts',
    'e2e/customer.test.ts',
  ]);
});
