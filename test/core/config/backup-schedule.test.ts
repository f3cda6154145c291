import { expect, test, vi } from 'vitest';
import {
  isBackupSchedule,
  lastDue,
  readBackupSchedule,
} from '../../../src/core/config/backup-schedule.ts';
import { loadConfig } from '../../../src/core/config/load.ts';

const due = (text: string, now: Date): Date => {
  const schedule = readBackupSchedule(text);
  if (schedule === undefined) throw new Error('no schedule');
  return new Date(lastDue(schedule, now.getTime()));
};

test('what was due last, in local time', () => {
  const noon = new Date(2026, 10, 25, 12, 30); // a Wednesday
  expect(due('hourly', noon)).toEqual(new Date(2026, 10, 25, 12, 0));
  expect(due('daily', noon)).toEqual(new Date(2026, 10, 25, 3, 0));
  expect(due('daily 12:31', noon)).toEqual(new Date(2026, 10, 24, 12, 31));
  expect(due('daily 12:30', noon)).toEqual(noon);
  expect(due('weekly 3:15', noon)).toEqual(new Date(2026, 10, 22, 3, 15));
  const sunday = new Date(2026, 10, 22, 2, 0);
  expect(due('weekly 03:15', sunday)).toEqual(new Date(2026, 10, 15, 3, 15));
});

test('a time that the change of clocks leaves out is due once, on its own day', () => {
  vi.stubEnv('TZ', 'Europe/Berlin');
  try {
    const at = (iso: string) => new Date(iso);
    // 2027-03-28: from 02:00 to 03:00 the clocks leave an hour out.
    expect(due('daily 02:30', at('2027-03-28T00:59:00Z'))).toEqual(at('2027-03-27T01:30:00Z'));
    expect(due('daily 02:30', at('2027-03-28T01:10:00Z'))).toEqual(at('2027-03-27T01:30:00Z'));
    expect(due('daily 02:30', at('2027-03-28T01:30:00Z'))).toEqual(at('2027-03-28T01:30:00Z'));
    expect(due('daily 02:30', at('2027-03-29T00:29:00Z'))).toEqual(at('2027-03-28T01:30:00Z'));
    expect(due('weekly 02:30', at('2027-03-28T01:10:00Z'))).toEqual(at('2027-03-21T01:30:00Z'));
    expect(due('weekly 02:30', at('2027-03-31T01:10:00Z'))).toEqual(at('2027-03-28T01:30:00Z'));
  } finally {
    vi.unstubAllEnvs();
  }
});

test('other words are no schedule, and leave the default with a warning', () => {
  for (const text of ['', 'never', 'daily 24:00', 'daily 3', 'hourly 03:00', 'monthly', 'Daily'])
    expect(isBackupSchedule(text)).toBe(false);
  expect(readBackupSchedule('off')).toBeUndefined();
  const load = (BACKUP_SCHEDULE: string) =>
    loadConfig({ environment: { BACKUP_SCHEDULE }, cwd: '/nonexistent' });
  expect(load(' weekly 04:00 ').config.backupSchedule).toBe('weekly 04:00');
  const { config, warnings } = load('nightly');
  expect(config.backupSchedule).toBe('daily 03:00');
  expect(warnings).toEqual([
    'BACKUP_SCHEDULE is not usable (nightly); using daily 03:00 (it takes off, hourly, daily 03:00, weekly 03:00)',
  ]);
});
