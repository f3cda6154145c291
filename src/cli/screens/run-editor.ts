/** Runs a person's own editor on a text, as git does: `VISUAL`, else `EDITOR`, else vi. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Language, localize } from '../base/text.ts';

/** What a shell answers if there is no such program. */
const notFound = 127;

/**
 * The text after the editor has ended. It lies in a folder that only its owner can read, and is
 * deleted afterwards. Throws Error if there is no editor, or it failed.
 */
export async function runEditor(
  fileName: string,
  text: string,
  environment: NodeJS.ProcessEnv,
  language: Language,
): Promise<string> {
  const isWindows = process.platform === 'win32';
  const command = environment.VISUAL || environment.EDITOR || (isWindows ? 'notepad' : 'vi');
  const folder = await mkdtemp(join(tmpdir(), 'turnpike-edit-'));
  const file = join(folder, fileName.replace(/[^\w.-]/g, '_'));
  try {
    await writeFile(file, text, { mode: 0o600 });
    const child = isWindows
      ? spawn(command, [file], { stdio: 'inherit', shell: true })
      : // EDITOR may have arguments
        spawn('sh', ['-c', `${command} "$1"`, 'sh', file], { stdio: 'inherit' });
    const [code] = (await once(child, 'exit')) as [number | null];
    if (code === notFound) throw new Error(localize(language, texts.missing, { command }));
    if (code !== 0)
      throw new Error(localize(language, texts.failed, { command, code: code ?? '' }));
    return await readFile(file, 'utf8');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const texts = {
  missing: {
    en: 'There is no editor {command}: set EDITOR',
    zh: '找不到编辑器 {command}：请设置 EDITOR',
  },
  failed: {
    en: '{command} failed ({code}); nothing was changed',
    zh: '{command} 异常退出（{code}），未做更改',
  },
} as const;
