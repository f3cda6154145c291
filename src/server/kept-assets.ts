/**
 * Files of earlier builds of the console: a page that was open during an upgrade loads its other
 * screens from them (docs/rules/security.md#console-files).
 */
import { readdirSync, statSync } from 'node:fs';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../core/config/schema.ts';

/** In the data folder. */
export function keptAssetsIn({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'console');
}

/** Builds that are kept beside the one that runs. */
const keptBuilds = 2;
/** What is being copied, or what a copy that was interrupted has left. */
const unfinished = '.unfinished';

/** The other builds in a folder, the newest first. */
function otherBuilds(folder: string, build: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name !== build && name !== unfinished)
      .map((name) => ({ name, at: statSync(join(folder, name)).mtimeMs }))
      .toSorted((one, other) => other.at - one.at)
      .map(({ name }) => name);
  } catch {
    return []; // the first start
  }
}

/** The folders of earlier builds whose files are served. `build`: the name of the one that runs. */
export function keptAssets(folder: string, build: string): readonly string[] {
  return otherBuilds(folder, build)
    .slice(0, keptBuilds)
    .map((name) => join(folder, name));
}

/**
 * Copies the files of this build, and removes those of builds that are no longer kept. Rejects with
 * the error of the file system.
 */
export async function keepAssets(assets: string, folder: string, build: string): Promise<void> {
  const copy = join(folder, unfinished);
  await mkdir(folder, { recursive: true });
  await rm(copy, { recursive: true, force: true });
  if (!readdirSync(folder).includes(build)) {
    await cp(assets, copy, { recursive: true });
    await rename(copy, join(folder, build));
  }
  for (const name of otherBuilds(folder, build).slice(keptBuilds))
    await rm(join(folder, name), { recursive: true, force: true });
}
