import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writePrivateFile } from '../../../src/core/config/data-folder.ts';
import { lockDataFolder } from '../../../src/core/config/data-lock.ts';
import { replaceFiles } from '../../../src/core/config/replacement.ts';

let folder: string;
const at = (name: string) => join(folder, name);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-replacement-'));
  for (const name of ['a', 'b']) writeFileSync(at(name), 'old');
  for (const name of ['a.new', 'b.new']) writeFileSync(at(name), 'new');
  writeFileSync(at('a-wal'), 'a log of the old file');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const moves = () => ['a', 'b'].map((name) => ({ from: at(`${name}.new`), to: at(name) }));
const contents = () => ['a', 'b'].map((name) => readFileSync(at(name), 'utf8'));

test('files are replaced together, and the log of the old one is gone', () => {
  replaceFiles(folder, moves(), writePrivateFile);
  expect(contents()).toEqual(['new', 'new']);
  expect(readdirSync(folder).sort()).toEqual(['a', 'b']);
});

test('a replacement that was interrupted after its first move is finished by the next who locks the folder', () => {
  const stopped = () =>
    replaceFiles(folder, moves(), (path, content) => {
      writePrivateFile(path, content);
      writeFileSync(at('a'), 'new');
      rmSync(at('a.new'));
      throw new Error('killed');
    });
  expect(stopped).toThrow('killed');
  expect(contents()).toEqual(['new', 'old']);
  lockDataFolder(folder).release();
  expect(contents()).toEqual(['new', 'new']);
  expect(existsSync(at('replace.json'))).toBe(false);
});

test('one that was interrupted before its list was written has not happened', () => {
  const stopped = () =>
    replaceFiles(folder, moves(), () => {
      throw new Error('killed');
    });
  expect(stopped).toThrow('killed');
  lockDataFolder(folder).release();
  expect(contents()).toEqual(['old', 'old']);
});
