import { lastDue, readBackupSchedule } from '../config/backup-schedule.ts';
import { type Language, translate } from '../i18n/translate.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import type { BackgroundJob } from '../runtime/background-job.ts';
import type { ServiceModule } from '../runtime/service-module.ts';
import type { BackupConfig } from './backup-place.ts';
import { runInThread } from './backup-thread.ts';
import { readStoredBackups } from './stored-backups.ts';

export interface MaintenanceModuleDeps {
  readonly config: BackupConfig;
  readonly version: string;
  readonly clock: Clock;
  readonly siteLanguage: () => Language;
  readonly notify: (notice: {
    readonly type: string;
    readonly title: string;
    readonly content: string;
    readonly values: readonly string[];
  }) => void;
}

/** Seconds between two looks whether something is due, and what one run may take. */
const lookInterval = 300;
const timeout = 4 * 3600;
/** Seconds after which the newest backup is restored again to see that it can be. */
export const checkInterval = 30 * 86_400;
/** Seconds until a check that failed is tried again: it reads the whole site. */
const retryCheck = 3600;

/** Backups by the gateway itself (docs/rules/maintenance.md#scheduled-backups). */
export function createMaintenanceModule(deps: MaintenanceModuleDeps): ServiceModule<object> {
  const { config, version, clock, siteLanguage } = deps;
  const schedule = readBackupSchedule(config.backupSchedule);
  const isOn = config.backupTo !== '' && schedule !== undefined;

  /** What was due last and was done or found done: the place is not read again until the next. */
  let coveredUntil = 0;
  let nextCheck = 0;

  /** The owner is notified of a failure once, and again when it has worked meanwhile. */
  const telling = (type: 'backup_failed' | 'backup_check_failed') => {
    let isTold = false;
    return async (work: () => Promise<void>): Promise<void> => {
      try {
        await work();
        isTold = false;
      } catch (error) {
        if (!isTold)
          deps.notify({
            type,
            title: translate(siteLanguage(), `notice.${type}`),
            content: '{{value}}',
            values: [wordsOf(error, siteLanguage())],
          });
        isTold = true;
        throw error;
      }
    };
  };
  const drifted = (count: number): void => {
    if (count > 0) throw new AppError('ledger_drift');
  };

  const backUp = async (signal: AbortSignal): Promise<void> => {
    if (!isOn) return;
    const due = lastDue(schedule, clock.now());
    if (coveredUntil >= due) return;
    // One of a time to come was named by a clock that was ahead.
    const newest = (await readStoredBackups(config)).backups.find(
      ({ createdAt }) => createdAt <= nowSeconds(clock),
    );
    if (newest === undefined || newest.createdAt * 1000 < due) {
      const now = nowSeconds(clock);
      const made = await runInThread({ task: 'make', config, version, now }, signal);
      coveredUntil = due;
      drifted(made.drifts);
    }
    coveredUntil = due;
  };

  const check = async (signal: AbortSignal): Promise<void> => {
    const now = nowSeconds(clock);
    if (!isOn || now < nextCheck) return;
    const { backups, check: last } = await readStoredBackups(config);
    const since = last === undefined || last.checked_at > now ? 0 : last.checked_at + checkInterval;
    if (backups.length === 0 || now < since) {
      nextCheck = since;
      return;
    }
    nextCheck = now + retryCheck;
    const made = await runInThread({ task: 'check', config, version, now }, signal);
    nextCheck = now + checkInterval;
    drifted(made.drifts);
  };

  const job = (name: string, run: BackgroundJob['run']): BackgroundJob => ({
    name,
    timeout,
    run,
    scope: 'gateway',
    interval: () => (isOn ? lookInterval : 0),
  });
  const tellBackup = telling('backup_failed');
  const tellCheck = telling('backup_check_failed');
  return {
    services: {},
    jobs: [
      job('backup', (signal) => tellBackup(() => backUp(signal))),
      job('backup-check', (signal) => tellCheck(() => check(signal))),
    ],
  };
}

function wordsOf(error: unknown, language: Language): string {
  if (error instanceof AppError) return translate(language, `error.${error.code}`, error.params);
  return error instanceof Error ? error.message : String(error);
}
