/** The version that a build calls itself, so that two builds can be told apart. */
import { spawnSync } from 'node:child_process';

/**
 * `1.2.3` on the clean commit with tag `v1.2.3`, else the package's version with the commit as
 * build metadata (Semantic Versioning 2.0.0, 10): `1.2.3+0a1b2c3d`, with `.changed` where files
 * differ from it. Where `folder` is no clone of its own, such as an unpacked archive, or git is
 * missing: the package's version alone.
 */
export function buildVersion(folder: string, packageVersion: string): string {
  const git = (...args: string[]) => {
    const { status, stdout } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' });
    return status === 0 ? stdout.trim() : undefined;
  };
  if (git('rev-parse', '--show-prefix') !== '') return packageVersion;
  const commit = git('rev-parse', '--short=8', 'HEAD');
  if (commit === undefined) return packageVersion;
  const isChanged = git('diff', '--quiet', 'HEAD') === undefined;
  const tag = git('describe', '--tags', '--exact-match', '--match', 'v[0-9]*', 'HEAD');
  if (tag !== undefined && !isChanged) return tag.slice(1);
  return `${packageVersion}+${commit}${isChanged ? '.changed' : ''}`;
}
