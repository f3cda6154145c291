/** Work that runs by itself in an interval. */
export interface BackgroundJob {
  /** Unique, and the same in every release: it names the job's lease. */
  readonly name: string;
  /** Seconds between the starts of two runs, as configured now; 0: switched off. */
  readonly interval: () => number;
  /**
   * `gateway`: several processes of one gateway share the job, and one of them runs it in each interval.
   * `process`: every process runs it for itself.
   */
  readonly scope: 'gateway' | 'process';
  /** Seconds after which the run's signal aborts and the run counts as failed. */
  readonly timeout: number;
  /**
   * Must end soon after the signal aborts; work that goes on by itself has to be stopped by its module. Rejections are
   * recorded and logged, and the next run comes all the same.
   */
  run(signal: AbortSignal): Promise<void>;
}

/** What is known of a job's last run. Times are Unix milliseconds; 0: never. */
export interface JobRecord {
  readonly startedAt: number;
  readonly durationMs: number;
  /** '': the run succeeded. */
  readonly error: string;
}

export interface JobReport {
  readonly name: string;
  readonly interval: number;
  readonly running: boolean;
  readonly last: JobRecord | undefined;
  /** Unix milliseconds; 0: switched off, or not scheduled by this process. */
  readonly nextRunAt: number;
}
