/** The first word of a streamed answer: whether it has come, and whether it came late. */
import { type Attempt, type AttemptOutcome, withoutAnswer } from '../attempt.ts';
import type { RelayJob } from '../job.ts';
import { isThinking, lateAfter } from './timeouts.ts';

export class FirstWord {
  readonly #job: RelayJob;
  readonly #attempt: Attempt;
  #at: number | undefined;

  constructor(job: RelayJob, attempt: Attempt) {
    this.#job = job;
    this.#attempt = attempt;
  }

  /** Nothing of the answer has come yet. */
  get isAwaited(): boolean {
    return this.#at === undefined;
  }

  /** Something of the answer came, for the first time. */
  came(): void {
    this.#at = this.#job.deps.clock.now();
  }

  /** Undefined: it has not come, or the answer was no stream. */
  get isLate(): boolean | undefined {
    if (this.#at === undefined) return undefined;
    const { deps, body } = this.#job;
    const bound = lateAfter(deps.limits, isThinking(this.#attempt.upstreamModel, body));
    return this.#at - this.#attempt.startedAt > bound;
  }

  /** What a reply that broke is charged by: nothing where only promises had come. */
  broken(outcome: AttemptOutcome): AttemptOutcome {
    return this.isAwaited ? withoutAnswer(outcome) : outcome;
  }
}
