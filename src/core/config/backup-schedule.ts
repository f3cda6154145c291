/** When the gateway backs up by itself (docs/rules/maintenance.md#scheduled-backups). */

const form = /^(hourly|(daily|weekly)(?: +([01]?\d|2[0-3]):([0-5]\d))?)$/;

export interface BackupSchedule {
  readonly every: 'hour' | 'day' | 'week';
  /** Local time of the machine. */
  readonly hour: number;
  readonly minute: number;
}

export const isBackupSchedule = (text: string): boolean => text === 'off' || form.test(text);

/** Undefined: none. `hourly`, `daily 03:15`, `weekly 03:15` (on Sundays); without a time at 03:00. */
export function readBackupSchedule(text: string): BackupSchedule | undefined {
  const found = form.exec(text);
  if (found === null) return undefined;
  const [, whole, day, hour = '3', minute = '0'] = found;
  if (whole === 'hourly') return { every: 'hour', hour: 0, minute: 0 };
  return {
    every: day === 'weekly' ? 'week' : 'day',
    hour: Number(hour),
    minute: Number(minute),
  };
}

/** The newest moment at which a backup was due. Unix milliseconds. */
export function lastDue({ every, hour, minute }: BackupSchedule, now: number): number {
  const due = new Date(now);
  if (every === 'hour') return due.setMinutes(0, 0, 0);
  due.setHours(hour, minute, 0, 0);
  if (every === 'week') due.setDate(due.getDate() - due.getDay());
  if (due.getTime() > now) due.setDate(due.getDate() - (every === 'week' ? 7 : 1));
  return due.getTime();
}

/** Seconds after which the next backup is missing: twice the schedule. */
export const overdueAfter = ({ every }: BackupSchedule): number =>
  2 * { hour: 3600, day: 86_400, week: 604_800 }[every];
