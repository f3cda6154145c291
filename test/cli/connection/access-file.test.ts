import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openAccessFile } from '../../../src/cli/connection/access-file.ts';
import { loadConfig } from '../../../src/core/config/load.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-access-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (place: string, environment: Record<string, string> = {}, worker?: number) => {
  const stdout: string[] = [];
  const { config } = loadConfig({
    flags: { 'data-dir': folder, ...(place === '' ? {} : { 'access-log': place }) },
    environment,
    cwd: folder,
  });
  const file = openAccessFile(config, { write: (text) => stdout.push(text) }, worker);
  return { file, stdout };
};

test('none is opened unless it is asked for', () => {
  expect(open('').file).toBeUndefined();
  expect(readdirSync(folder)).toEqual([]);
});

test('a relative file stands in the log folder, for its owner alone; a worker has its own', async () => {
  for (const worker of [undefined, 2]) {
    const { file } = open('access.log', {}, worker);
    file?.write('one\n');
    await file?.close();
    const path = join(folder, 'logs', worker === undefined ? 'access.log' : 'access-2.log');
    expect(readFileSync(path, 'utf8')).toBe('one\n');
    expect(statSync(path).mode & 0o777).toBe(0o600);
  }
});

test('it is rotated as the process log is', async () => {
  const place = join(folder, 'elsewhere', 'access.log');
  const environment = { TURNPIKE_LOG_FILE_MB: '1', TURNPIKE_LOG_FILES: '2' };
  for (let count = 0; count < 4; count += 1) {
    const { file } = open(place, environment);
    file?.write(`${'x'.repeat(2 ** 20)}\n`);
    await file?.close();
  }
  expect(readdirSync(join(folder, 'elsewhere')).toSorted()).toEqual([
    'access.log',
    'access.log.1',
    'access.log.2',
  ]);
});

test('stdout has the lines alone', async () => {
  const { file, stdout } = open('stdout');
  file?.write('one\n');
  await file?.close();
  expect([stdout, readdirSync(folder)]).toEqual([['one\n'], []]);
});

test('a place that cannot be written is refused with its reason', () => {
  mkdirSync(join(folder, 'logs', 'access.log'), { recursive: true });
  expect(() => open('access.log')).toThrow('The access log cannot be written');
});
