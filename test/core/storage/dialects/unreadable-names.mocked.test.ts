// Covers src/core/storage/dialects/sqlite-watch.ts and sqlite-worker-server.ts.
/** What is looked up at intervals cannot be: an exception there would end the process. */
import { mkdtempSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { watchFiles } from '../../../../src/core/storage/dialects/sqlite-watch.ts';
import { startCheckpoints } from '../../../../src/core/storage/dialects/sqlite-worker-server.ts';

vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>();
  return { ...real, statSync: vi.fn(real.statSync) };
});
const failing = () => {
  throw Object.assign(new Error('EIO'), { code: 'EIO' });
};

let file: string;
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'names-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  file = join(folder, 'site.db');
  writeFileSync(file, '');
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('a name that cannot be looked up for a moment is no loss, one that leads nowhere is', () => {
  const losses: string[] = [];
  const watch = watchFiles(file, ({ code }) => losses.push(code));
  vi.mocked(statSync).mockImplementationOnce(failing);
  vi.advanceTimersByTime(2000);
  expect(losses).toEqual([]);
  renameSync(file, `${file}.old`);
  symlinkSync(file, file);
  vi.advanceTimersByTime(1000);
  expect(losses).toEqual(['database_replaced']);
  watch.stop();
});

test('a log whose size is not known is looked at again', () => {
  const stop = startCheckpoints(file);
  onTestFinished(stop);
  vi.mocked(statSync).mockClear().mockImplementationOnce(failing);
  vi.advanceTimersByTime(500);
  vi.advanceTimersByTime(500);
  expect(vi.mocked(statSync).mock.calls.length).toBeGreaterThanOrEqual(2);
});
