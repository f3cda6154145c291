import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const sections = readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8')
  .split(/^## /m)
  .slice(1)
  .map((section) => [section.split('\n')[0] ?? '', section] as const);

test('there are sections of versions', () => {
  expect(sections.length).toBeGreaterThan(0);
});

test.each(sections)('the section %s says once what an operator must do', (_, section) => {
  const lines = section.split('\n').filter((line) => line.startsWith('**When you upgrade:**'));
  expect(lines.map((line) => line.length > 40)).toEqual([true]);
});
