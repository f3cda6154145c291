/** The built program loads nothing that it does not need. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('no part imports all exports of one of the modules of Node', () => {
  const parts = readdirSync('dist').filter((name) => name.endsWith('.js'));
  expect(parts).toContain('main.js');
  const importing = parts.filter((name) =>
    /^import .*"node:/m.test(readFileSync(`dist/${name}`, 'utf8')),
  );
  expect(importing).toEqual([]);
});
