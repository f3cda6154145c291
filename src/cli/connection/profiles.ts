/**
 * Saved gateways: one file in the user's configuration folder, mode 0600 because it holds access
 * tokens.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import envPaths from 'env-paths';
import { writePrivateFile } from '../../core/config/data-folder.ts';
import { makeFolder } from '../../core/config/make-folder.ts';
import { namingFile } from '../../core/kernel/file-problems.ts';
import { parseJson } from '../../core/kernel/json.ts';
import { z } from '../../core/kernel/zod.ts';
import { UsageError } from '../base/usage-error.ts';

const profileFile = z.record(
  z.string(),
  z.object({ server: z.url(), access_token: z.string().min(1) }),
);
export type Profiles = z.infer<typeof profileFile>;

/** In TURNPIKE_CONFIG_DIR, else in the operating system's standard folder. */
export function profilePath(environment: NodeJS.ProcessEnv): string {
  return join(
    environment.TURNPIKE_CONFIG_DIR || envPaths('turnpike', { suffix: '' }).config,
    'profiles.json',
  );
}

/** Empty if there is no file. Throws UsageError if it is invalid, so that it is not overwritten. */
export function readProfiles(path: string): Profiles {
  let text: string;
  try {
    text = namingFile(path, () => readFileSync(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
  const parsed = profileFile.safeParse(parseJson(text));
  if (!parsed.success) throw new UsageError(texts.damaged, { path });
  return parsed.data;
}

export function writeProfiles(path: string, profiles: Profiles): void {
  makeFolder(dirname(path));
  writePrivateFile(path, `${JSON.stringify(profiles, null, 2)}\n`);
}

const texts = {
  damaged: {
    en: '{path} is not a file of saved gateways: correct or delete it',
    zh: '{path} 不是有效的网关配置文件：请修正或删除',
  },
} as const;
