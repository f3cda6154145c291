import { type Clock, nowSeconds } from '../kernel/clock.ts';

/** How far a run over the channels is, or how the last one of this process ended. Times in Unix seconds; 0: never. */
export interface RunReport {
  readonly running: boolean;
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly started_at: number;
  readonly ended_at: number;
}

/** Counts along with a run, for whoever waits for it. */
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
    this.#report = { running: true, total: 0, done: 0, failed: 0, started_at: nowSeconds(this.#clock), ended_at: 0 };
  }

  /** How many there are to do, once that is known. */
  expect(total: number): void {
    this.#report = { ...this.#report, total };
  }

  step(ok: boolean): void {
    const { done, failed } = this.#report;
    this.#report = { ...this.#report, done: done + 1, failed: failed + (ok ? 0 : 1) };
  }

  /** One that cannot be done, or is gone: neither good nor bad. */
  leaveOut(): void {
    this.#report = { ...this.#report, total: this.#report.total - 1 };
  }

  end(): void {
    if (this.#report.running) this.#report = { ...this.#report, running: false, ended_at: nowSeconds(this.#clock) };
  }
}
