/** The log file when the disk refuses writes, and its rotation. */
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LogFile } from '../../../src/cli/connection/log-file.ts';

let folder = '';
const at = (name: string) => join(folder, name);
const describeLoss = (lines: number, cause: string) => `lost ${lines}: ${cause}\n`;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-log-'));
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

test('lines are complete and in order, in a file that only its owner can read', async () => {
  const file = new LogFile({ path: at('a.log'), describeLoss });
  const lines = Array.from({ length: 2000 }, (_, index) => `line ${index}\n`);
  for (const line of lines) file.write(line);
  await file.close();
  expect(readFileSync(at('a.log'), 'utf8')).toBe(lines.join(''));
  expect(statSync(at('a.log')).mode & 0o777).toBe(0o600);
});

describe.skipIf(!existsSync('/dev/full'))('on a full disk', () => {
  test('lines are dropped, and the loss is reported once there is space again', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    symlinkSync('/dev/full', at('a.log'));
    const file = new LogFile({ path: at('a.log'), describeLoss });
    for (let index = 0; index < 3; index += 1) {
      file.write(`lost ${index}\n`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    rmSync(at('a.log'));
    vi.setSystemTime(Date.now() + 2000);
    file.write('there is room\n');
    await file.close();
    expect(readFileSync(at('a.log'), 'utf8')).toMatch(/^lost 3: ENOSPC.*\nthere is room\n$/);
  });

  test('neither closing nor the end of the process waits for the disk', async () => {
    symlinkSync('/dev/full', at('a.log'));
    const file = new LogFile({ path: at('a.log'), describeLoss });
    file.write('a line\n');
    expect(() => file.closeNow()).not.toThrow();
    file.write('another\n');
    await file.close();
  });
});

test('a line follows half a line that a crash left', async () => {
  writeFileSync(at('a.log'), 'whole\nhal');
  const file = new LogFile({ path: at('a.log'), describeLoss });
  file.write('next\n');
  await file.close();
  expect(readFileSync(at('a.log'), 'utf8')).toBe('whole\nhal\nnext\n');
});

test.runIf(existsSync('/proc/self/fd'))(
  'a file whose half line cannot be ended, as on a full disk, is closed again',
  async () => {
    writeFileSync(at('a.log'), 'half');
    const probe = await open(at('a.log'), 'r');
    const handles = Object.getPrototypeOf(probe) as FileHandle;
    await probe.close();
    const append = vi
      .spyOn(handles, 'appendFile')
      .mockRejectedValue(Object.assign(new Error('full'), { code: 'ENOSPC' }));
    try {
      const file = new LogFile({ path: at('a.log'), describeLoss });
      file.write('lost\n');
      await file.close();
      expect(append).toHaveBeenCalledOnce();
      expect(openFiles()).not.toContain(at('a.log'));
    } finally {
      append.mockRestore();
    }
  },
);

/** Of this process. */
function openFiles(): readonly string[] {
  return readdirSync('/proc/self/fd').flatMap((name) => {
    try {
      return [readlinkSync(`/proc/self/fd/${name}`)];
    } catch {
      return []; // that of the folder itself
    }
  });
}

test('a full file is rotated, and the oldest is deleted', async () => {
  const file = new LogFile({ path: at('a.log'), maxBytes: 20, kept: 2, describeLoss });
  for (const name of ['first', 'second', 'third', 'fourth']) {
    file.write(`${name.padEnd(14, '.')}\n`);
    await expect.poll(() => readFileSync(at('a.log'), 'utf8')).toContain(name);
  }
  await file.close();
  const read = (name: string) => readFileSync(at(name), 'utf8').slice(0, 5);
  expect([read('a.log'), read('a.log.1'), read('a.log.2'), existsSync(at('a.log.3'))]).toEqual([
    'fourt',
    'third',
    'secon',
    false,
  ]);
});

test('a file of a certain age is rotated, also one that an earlier process has written', async () => {
  let now = Date.now();
  const settings = { path: at('a.log'), maxAge: 1000, describeLoss, now: () => now };
  const write = async (line: string) => {
    const file = new LogFile(settings);
    file.write(`${line}\n`);
    await file.close();
  };
  await write('first');
  await write('second');
  // Twice the age: the file system's clock may be some milliseconds ahead.
  now += 2000;
  await write('third');
  expect(readFileSync(at('a.log'), 'utf8')).toBe('third\n');
  expect(readFileSync(at('a.log.1'), 'utf8')).toBe('first\nsecond\n');
});

test('lines that a slow disk cannot write are dropped instead of kept in memory', async () => {
  const file = new LogFile({ path: at('a.log'), describeLoss });
  for (let index = 0; index < 20; index += 1) file.write(`${'x'.repeat(1024 * 1024)}\n`);
  // Seven are on the disk, and there is room again.
  await expect.poll(() => statSync(at('a.log')).size).toBeGreaterThan(7 * 1024 * 1024);
  file.write('afterwards\n');
  await file.close();
  expect(statSync(at('a.log')).size).toBeLessThan(9 * 1024 * 1024);
  const [loss, ...lines] = readFileSync(at('a.log'), 'utf8').split('\n');
  expect(loss).toBe('lost 13: the disk is too slow');
  expect(lines.slice(-2)).toEqual(['afterwards', '']);
  expect(lines.slice(0, -2).every((line) => line === 'x'.repeat(1024 * 1024))).toBe(true);
});

test('with an unwritable folder only lines are lost', async () => {
  chmodSync(folder, 0o500);
  const file = new LogFile({ path: join(folder, 'missing', 'a.log'), describeLoss });
  file.write('a line\n');
  await file.close();
  chmodSync(folder, 0o700);
});
