/** A worker runs many files: what holds so that none of them depends on those before it. */
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (pattern: string) =>
  globSync(pattern, { cwd: 'test' }).map((file) => ({
    file,
    text: readFileSync(`test/${file}`, 'utf8'),
  }));

test('support modules register hooks with support/hooks.ts, not at their top level', () => {
  const own = read('**/*.{ts,tsx}').filter(
    ({ file, text }) =>
      !/\.test\.tsx?$|^support\/setup\.ts$/.test(file) && /^(before|after)(Each|All)\(/m.test(text),
  );
  expect(own.map(({ file }) => file)).toEqual([]);
});

test('files that replace modules are named *.mocked.test.ts', () => {
  const replacing = read('**/*.test.{ts,tsx}').filter(({ text }) =>
    /\bvi\.(do)?[mM]ock\(/.test(text),
  );
  expect(
    replacing.map(({ file }) => file).filter((file) => !/\.mocked\.test\.tsx?$/.test(file)),
  ).toEqual([]);
});
