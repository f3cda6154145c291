/** The person's own editor, run on a file that nobody else can read and that is gone afterwards. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runEditor } from '../../../src/cli/screens/run-editor.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-editor-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** An editor that does this with the file `$1`. */
function editor(script: string): NodeJS.ProcessEnv {
  writeFileSync(join(folder, 'editor.sh'), script);
  return { PATH: process.env['PATH'], EDITOR: `sh ${join(folder, 'editor.sh')}` };
}
const seen = () => readFileSync(join(folder, 'seen'), 'utf8').trim().split('\n');

test('the text comes back changed; the file had mode 0600 and a safe name, and is gone', async () => {
  const environment = editor(
    `stat -c %a "$1" > ${folder}/seen; echo "$1" >> ${folder}/seen; sed -i s/one/two/ "$1"`,
  );
  expect(await runEditor('a/../b c 渠道.json', '{"one": 1}', environment, 'en')).toBe('{"two": 1}');
  const [mode, file = ''] = seen();
  expect(mode).toBe('600');
  expect(file).toMatch(/turnpike-edit-\w+\/[\w.-]+\.json$/);
  expect(existsSync(file)).toBe(false);
});

test('VISUAL comes before EDITOR', async () => {
  const environment = { ...editor('exit 1'), VISUAL: 'true' };
  expect(await runEditor('a.txt', 'as it was', environment, 'en')).toBe('as it was');
});

test('an editor that fails, or is not there, changes nothing and leaves no file', async () => {
  const failing = editor(`echo "$1" > ${folder}/seen; exit 3`);
  await expect(runEditor('a.txt', 'text', failing, 'en')).rejects.toThrow(
    'failed (3); nothing was changed',
  );
  expect(existsSync(seen()[0] ?? '')).toBe(false);
  const missing = { PATH: process.env['PATH'], EDITOR: 'no-such-editor-here' };
  await expect(runEditor('a.txt', 'text', missing, 'zh')).rejects.toThrow(
    '找不到编辑器 no-such-editor-here',
  );
});
