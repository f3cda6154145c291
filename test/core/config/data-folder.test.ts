import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDataFolder } from '../../../src/core/config/data-folder.ts';
import { isDataFolderLocked, lockDataFolder } from '../../../src/core/config/data-lock.ts';
import {
  readGatewayFile,
  removeGatewayFile,
  writeGatewayFile,
} from '../../../src/core/config/gateway-file.ts';
import { makeFolder } from '../../../src/core/config/make-folder.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'folder-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (
  overrides: { sessionSecret?: string; cryptoSecret?: string } = {},
  dataDir = folder,
) => openDataFolder({ dataDir, sessionSecret: '', cryptoSecret: '', ...overrides });

test('the folder and the key file are private; secrets stay the same', () => {
  const path = join(folder, 'a', 'b');
  const first = open({}, path);
  expect(statSync(path).mode & 0o777).toBe(0o700);
  expect(statSync(join(path, 'secret.json')).mode & 0o777).toBe(0o600);
  const second = open({}, path);
  expect(second.cryptoSecret.reveal()).toBe(first.cryptoSecret.reveal());
  expect(first.cryptoSecret.reveal()).not.toBe(first.sessionSecret.reveal());
  expect(open({ cryptoSecret: 'mine' }, path).cryptoSecret.reveal()).toBe('mine');
});

test('missing folders are made one by one, and the first of them is returned', () => {
  expect(makeFolder(join(folder, 'x', 'y', 'z'))).toBe(join(folder, 'x'));
  expect(makeFolder(join(folder, 'x', 'y'))).toBeUndefined();
});

test.each<readonly [string, string]>([
  ['file', 'ENOTDIR'],
  ['file/below', 'ENOTDIR'],
  ['link/below', 'EEXIST'],
  ['circle/below', 'ELOOP'],
  ['n'.repeat(300), 'ENAMETOOLONG'],
  ...(process.platform === 'linux' ? [['/proc/turnpike/data', 'EOPNOTSUPP'] as const] : []),
])('a folder that cannot be made is an error with its path: %s', (name, code) => {
  writeFileSync(join(folder, 'file'), '');
  symlinkSync(join(folder, 'nowhere'), join(folder, 'link'));
  symlinkSync('circle', join(folder, 'circle'));
  const path = resolve(folder, name);
  expect(() => makeFolder(path)).toThrow(
    expect.objectContaining({ code, path: expect.stringMatching(/^\//) }),
  );
});

test('a key file that cannot be read is not replaced', () => {
  writeFileSync(join(folder, 'secret.json'), '{');
  expect(() => open()).toThrowError(/secret_file_damaged/);
  expect(readFileSync(join(folder, 'secret.json'), 'utf8')).toBe('{');
});

test('a second lock is refused until the first is released', () => {
  const lock = lockDataFolder(folder);
  expect(isDataFolderLocked(folder)).toBe(true);
  expect(() => lockDataFolder(folder)).toThrowError(/data_folder_locked/);
  lock.release();
  expect(isDataFolderLocked(folder)).toBe(false);
  lockDataFolder(folder).release();
});

test('the lock and the gateway file are void after the process is killed', async () => {
  const module = (name: string) =>
    JSON.stringify(new URL(`../../../src/core/config/${name}`, import.meta.url).href);
  const program = `
    import { lockDataFolder } from ${module('data-lock.ts')};
    import { writeGatewayFile } from ${module('gateway-file.ts')};
    import { Secret } from ${module('../kernel/secret.ts')};
    globalThis.lock = lockDataFolder(process.argv[1]);
    writeGatewayFile(process.argv[1], { url: 'http://127.0.0.1:1', pid: process.pid, key: new Secret('k'.repeat(43)) });
    console.log('held');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  expect(isDataFolderLocked(folder)).toBe(true);
  expect(() => lockDataFolder(folder)).toThrowError(/data_folder_locked/);
  expect(readGatewayFile(folder)?.key.reveal()).toBe('k'.repeat(43));
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(readGatewayFile(folder)).toBeUndefined();
  lockDataFolder(folder).release();
});

/** '' for a descriptor that was closed meanwhile. */
function fileOf(descriptor: string): string {
  try {
    return readlinkSync(descriptor);
  } catch {
    return '';
  }
}

test.runIf(process.platform === 'linux')(
  'a lock that is abandoned leaves no file, and whoever waited for it has one that others find',
  async () => {
    const module = JSON.stringify(
      new URL('../../../src/core/config/data-lock.ts', import.meta.url).href,
    );
    const program = `
    import { writeSync } from 'node:fs';
    import { lockDataFolder } from ${module};
    for (;;) {
      try { globalThis.lock = lockDataFolder(process.argv[1]); break; }
      catch (error) { if (error.code !== 'data_folder_locked') throw error; }
    }
    writeSync(1, 'held');
    setInterval(() => {}, 1000);`;
    lockDataFolder(folder).abandon();
    expect(readdirSync(folder)).toEqual([]);
    const lock = lockDataFolder(folder);
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    child.stdout.on('data', (chunk) => (printed += String(chunk)));
    const open = () =>
      readdirSync(`/proc/${child.pid}/fd`).map((name) => fileOf(`/proc/${child.pid}/fd/${name}`));
    await expect.poll(open).toContain(join(folder, 'lock.db')); // it waits for the lock
    lock.abandon();
    await expect.poll(() => printed).toContain('held');
    expect(isDataFolderLocked(folder)).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    lockDataFolder(folder).abandon();
    expect(readdirSync(folder)).toEqual(['lock.db']); // it was there before
  },
);

test('the gateway file is private and void without the lock', () => {
  writeGatewayFile(folder, {
    url: 'http://127.0.0.1:1',
    pid: process.pid,
    key: new Secret('k'.repeat(43)),
  });
  expect(statSync(join(folder, 'gateway.json')).mode & 0o777).toBe(0o600);
  expect(readGatewayFile(folder)).toBeUndefined();
  const lock = lockDataFolder(folder);
  expect(readGatewayFile(folder)?.url).toBe('http://127.0.0.1:1');
  removeGatewayFile(folder);
  expect(readGatewayFile(folder)).toBeUndefined();
  lock.release();
});
