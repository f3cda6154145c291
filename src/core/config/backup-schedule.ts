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
  const today = new Date(now);
  if (every === 'hour') return today.setMinutes(0, 0, 0);
  const weekly = every === 'week';
  /**
   * Made from the date each time: where clocks change, a time that is left out stays the day's own.
   */
  const dueBefore = (days: number): number =>
    new Date(
      today.getFullYear(),
      today.getMonth(),
      today.getDate() - (weekly ? today.getDay() : 0) - days,
      hour,
      minute,
    ).getTime();
  const due = dueBefore(0);
  return due > now ? dueBefore(weekly ? 7 : 1) : due;
}

/** Seconds after which the next backup is missing: twice the schedule. */
export const overdueAfter = ({ every }: BackupSchedule): number =>
  2 * { hour: 3600, day: 86_400, week: 604_800 }[every];
