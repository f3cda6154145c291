/** Work that runs periodically. */
export interface BackgroundJob {
  /** Unique and stable across releases, because it names the job's lease. */
  readonly name: string;
  /** Seconds between the starts of two runs, as currently configured; 0: off. */
  readonly interval: () => number;
  /**
   * `gateway`: several processes of one gateway share the job, and one of them runs it in each
   * interval. `process`: every process runs it for itself.
   */
  readonly scope: 'gateway' | 'process';
  /** Seconds after which the run's signal aborts and the run counts as failed. */
  readonly timeout: number;
  /**
   * Must end soon after the signal aborts; work that continues in the background must be stopped by
   * its module. Rejections are recorded and logged, and the job runs again after the next interval.
   * A run that does not end is given up, and may go on beside the next one.
   */
  run(signal: AbortSignal): Promise<void>;
}

/** A job's last run. Times are Unix milliseconds; 0: never. */
export interface JobRecord {
  readonly startedAt: number;
  readonly durationMs: number;
  /** '': the run succeeded. */
  readonly error: string;
  /** Start of the last run that succeeded; 0: none. */
  readonly succeededAt: number;
}

export interface JobReport {
  readonly name: string;
  readonly interval: number;
  readonly running: boolean;
  readonly last: JobRecord | undefined;
  /** Unix milliseconds; 0: off, or not scheduled by this process. */
  readonly nextRunAt: number;
  /** When a run that succeeds was or is due, after the last one; 0 as for `nextRunAt`. */
  readonly expectedAt: number;
  /** It should have succeeded again by now (docs/rules/process.md#late-jobs). */
  readonly isLate: boolean;
}
