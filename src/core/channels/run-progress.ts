import { type Clock, nowSeconds } from '../kernel/clock.ts';

/**
 * The progress of a run over the channels, or the result of this process's last run. Times in Unix
 * seconds; 0: never.
 */
export interface RunReport {
  readonly running: boolean;
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly started_at: number;
  readonly ended_at: number;
}

/** Tracks the progress of a run. */
export class RunProgress {
  readonly #clock: Clock;
  #report: RunReport = { running: false, total: 0, done: 0, failed: 0, started_at: 0, ended_at: 0 };

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get report(): RunReport {
    return this.#report;
  }

  start(): void {
    this.#report = {
      running: true,
      total: 0,
      done: 0,
      failed: 0,
      started_at: nowSeconds(this.#clock),
      ended_at: 0,
    };
  }

  /** Sets the number of channels in this run. */
  expect(total: number): void {
    this.#report = { ...this.#report, total };
  }

  step(ok: boolean): void {
    const { done, failed } = this.#report;
    this.#report = { ...this.#report, done: done + 1, failed: failed + (ok ? 0 : 1) };
  }

  /** Removes a channel that cannot be processed or no longer exists from the total. */
  skip(): void {
    this.#report = { ...this.#report, total: this.#report.total - 1 };
  }

  end(): void {
    if (this.#report.running)
      this.#report = { ...this.#report, running: false, ended_at: nowSeconds(this.#clock) };
  }
}
