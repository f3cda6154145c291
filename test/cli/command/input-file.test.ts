/** Files that arguments and flags name: what is wrong with one names it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runCli } from '../run-cli.ts';

const folder = mkdtempSync(join(tmpdir(), 'input-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  'config apply PATH',
  'models import PATH',
  'models sync PATH',
  'prices sync PATH',
  'ledger verify --sealed PATH',
  'users bulk --undo PATH',
  'import litellm postgres://127.0.0.1:1/litellm --config PATH',
])('%s: a folder and a file that is not there are named', async (line) => {
  const run = async (path: string) => {
    const words = line.split(' ').map((word) => (word === 'PATH' ? path : word));
    const { exitCode, stderr } = await runCli(words, {
      transport: async () => ({ status: 200, body: { success: true, data: {} } }),
      environment: { TURNPIKE_DATA_DIR: join(folder, 'site') },
    });
    return [exitCode, stderr.trim()];
  };
  expect(await run(folder)).toEqual([
    1,
    `Cannot use ${folder}: it is a folder instead of a file; move the folder, or use another path`,
  ]);
  const missing = join(folder, 'missing');
  expect(await run(missing)).toEqual([
    1,
    `Cannot use ${missing}: it does not exist; create it, or use another path`,
  ]);
});
