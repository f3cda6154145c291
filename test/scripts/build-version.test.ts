import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildVersion } from '../../scripts/build-version.ts';

const identity = {
  GIT_AUTHOR_NAME: 'T',
  GIT_AUTHOR_EMAIL: 't@example.com',
  GIT_COMMITTER_NAME: 'T',
  GIT_COMMITTER_EMAIL: 't@example.com',
};
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-version-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function git(...args: string[]): string {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', ...identity };
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: folder, encoding: 'utf8', env });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}

test('a tagged commit has the version of its tag, others name the commit, and what differs from it says so', () => {
  git('init', '-q');
  expect(buildVersion(folder, '1.2.0')).toBe('1.2.0');
  writeFileSync(join(folder, 'file'), '1');
  git('add', '.');
  git('commit', '-qm', 'one');
  const commit = git('rev-parse', '--short=8', 'HEAD');
  expect(buildVersion(folder, '1.2.0')).toBe(`1.2.0+${commit}`);
  git('tag', 'v1.2.3');
  expect(buildVersion(folder, '1.2.0')).toBe('1.2.3');
  writeFileSync(join(folder, 'file'), '2');
  expect(buildVersion(folder, '1.2.0')).toBe(`1.2.0+${commit}.changed`);
});

test('a folder inside of another project’s clone, or without one, has the version of its package', () => {
  expect(buildVersion(folder, '1.2.0')).toBe('1.2.0');
  git('init', '-q');
  const inner = join(folder, 'inner');
  mkdirSync(inner);
  writeFileSync(join(inner, 'file'), '1');
  git('add', '.');
  git('commit', '-qm', 'one');
  expect(buildVersion(inner, '1.2.0')).toBe('1.2.0');
});
