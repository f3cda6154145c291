/** Codes are worth money: a file has all that were written to it, or its writer hears of it. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { UsageError } from '../../../src/cli/base/usage-error.ts';
import { createCodeFile } from '../../../src/cli/show/code-file.ts';

const run = promisify(execFile);
const module = new URL('../../../src/cli/show/code-file.ts', import.meta.url).href;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'codes-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('is new, for its owner alone, and has each piece; an empty one does not stay', async () => {
  const file = join(folder, 'codes.txt');
  const codes = await createCodeFile(file);
  await codes.write('a\n');
  await codes.write('b\n');
  await codes.close(false);
  expect(await readFile(file, 'utf8')).toBe('a\nb\n');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await expect(createCodeFile(file)).rejects.toBeInstanceOf(UsageError);
  const empty = join(folder, 'empty.txt');
  await (await createCodeFile(empty)).close(true);
  await expect(stat(empty)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('a folder that is not there is what is missing, not the file in it', async () => {
  const missing = join(folder, 'shop');
  await expect(createCodeFile(join(missing, 'codes.txt'))).rejects.toMatchObject({ path: missing });
});

test('a piece for which there is not enough room is a failure', async () => {
  const script = `const { createCodeFile } = await import(${JSON.stringify(module)});
    const file = await createCodeFile(process.argv[1]);
    await file.write('0123456789abcdef0123456789abcdef\\n'.repeat(1000)).then(
      () => console.log('written'), (error) => console.log(error.code));`;
  const command = 'ulimit -f 8; exec "$0" --input-type=module -e "$1" "$2"';
  const file = join(folder, 'codes.txt');
  const { stdout } = await run('bash', ['-c', command, process.execPath, script, file]);
  expect(stdout.trim()).toBe('EFBIG');
});
