import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { headingAnchors, linkProblem, linksIn } from '../../scripts/check-links.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-links-'));
  writeFileSync(
    join(folder, 'other.md'),
    '# Other page\n\n<a id="fixed"></a>\n## A `code` title, twice\n\n## A code title, twice\n',
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('headings have the anchors that GitHub gives them', () => {
  expect(
    headingAnchors(
      '# 1. The channel type\n\n## `src/x.ts`: what & why\n\n```sh\n# no heading\n```\n\n## 中文 标题\n\n# Same\n# Same',
    ),
  ).toEqual(['1-the-channel-type', 'srcxts-what--why', '中文-标题', 'same', 'same-1']);
});

test('links are found with their lines, code is passed over', () => {
  const page =
    'A [link](a.md#b) and ![image](i.png "title")\n\n```md\n[no](no.md)\n```\n`[no](no.md)` [last](<c.md>)';
  expect(linksIn(page)).toEqual([
    { target: 'a.md#b', line: 1 },
    { target: 'i.png', line: 1 },
    { target: 'c.md', line: 6 },
  ]);
});

test('a link needs its file and its anchor', () => {
  const file = join(folder, 'page.md');
  const check = (target: string) => linkProblem(file, target);
  expect(check('other.md')).toBeUndefined();
  expect(check('other.md#fixed')).toBeUndefined();
  expect(check('other.md#a-code-title-twice-1')).toBeUndefined();
  expect(check('https://example.com/missing')).toBeUndefined();
  expect(check('missing.md')).toBe('missing.md does not exist');
  expect(check('other.md#missing')).toBe('other.md#missing has no such anchor');
});
