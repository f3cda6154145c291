/** When the disk is full (docs/rules/command-line.md#doctor). */
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadConfig } from '../../../src/core/config/load.ts';
import { runChecks } from '../../../src/core/doctor/check.ts';
import { forecastDisk, noteDiskSpace, readDiskNotes } from '../../../src/core/doctor/disk-notes.ts';
import { folderChecks } from '../../../src/core/doctor/folder-checks.ts';

const day = 86_400;
const now = 1_800_000_000;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-disk-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test.each([
  ['it shrinks', [[10, 1000]], 500, { days: 10, bytesPerDay: 50 }],
  [
    'as since the oldest note, not the newest',
    [
      [10, 1000],
      [1, 501],
    ],
    500,
    { days: 10, bytesPerDay: 50 },
  ],
  [
    'notes of more than 30 days do not count',
    [
      [40, 9000],
      [10, 1000],
    ],
    500,
    { days: 10, bytesPerDay: 50 },
  ],
  ['it grows', [[10, 500]], 1000, undefined],
  ['two days are too few', [[2, 1000]], 500, undefined],
  ['nothing is known', [], 500, undefined],
] as const)('%s', (_, notes, free, expected) => {
  const known = notes.map(([ago, then]) => ({ at: now - ago * day, free: then }));
  expect(forecastDisk(known, now, free)).toEqual(expected);
});

test('there is a note a day, for 30 days', async () => {
  for (let hour = 0; hour < 40 * 24; hour += 6) await noteDiskSpace(folder, now + hour * 3600);
  const notes = readDiskNotes(folder);
  expect(notes).toHaveLength(30);
  expect(notes.at(-1)?.at).toBe(now + 39 * day);
  writeFileSync(join(folder, 'disk-space.json'), '[{"at":');
  expect(readDiskNotes(folder)).toEqual([]);
});

test('a folder that is gone is no failure of the job', async () => {
  await noteDiskSpace(join(folder, 'gone'), now);
  expect(readDiskNotes(join(folder, 'gone'))).toEqual([]);
});

const { bavail, bsize } = statfsSync(tmpdir());
test.skipIf(bavail * bsize < 4 * 2 ** 30)('doctor warns of a disk that is full soon', async () => {
  const { config } = loadConfig({ flags: { 'data-dir': folder }, environment: {}, cwd: folder });
  const report = async (share: number) => {
    const note = { at: now - 10 * day, free: bavail * bsize * share };
    writeFileSync(join(folder, 'disk-space.json'), JSON.stringify([note]));
    const clock = { now: () => now * 1000 };
    const found = await runChecks(folderChecks, { config, clock });
    return found.find(({ id }) => id === 'disk');
  };
  // A fifth of what was free is gone after ten days: the rest lasts for 40.
  const { level, message } = (await report(1.25)) ?? {};
  expect([level, message?.en]).toEqual([
    'warning',
    expect.stringMatching(/is full in (3[5-9]|4[0-5]) days at this pace \(\d+ MB a day\)/),
  ]);
  expect((await report(1.05))?.level).toBe('ok');
});
