/**
 * Which of several answers in one stream have finished: the stream is complete with the last of
 * them.
 */
import type { RequestBody } from '../body/request-body.ts';
import { nextEvent } from '../formats/shared/events.ts';
import type { ForwardFormat } from '../formats/shared/forward-format.ts';

export class FinishedChoices {
  readonly #format: ForwardFormat;
  readonly #ordered: number;
  readonly #finished = new Set<number>();

  constructor(format: ForwardFormat, body: RequestBody) {
    this.#format = format;
    this.#ordered = format.finishedChoices === undefined ? 1 : (format.choicesOrdered?.(body) ?? 1);
  }

  /**
   * Where the end of the stream begins, −1 where it does not: the finish of an answer that others
   * follow is not the end.
   */
  terminalAt(events: Buffer, text: string): number {
    let at = this.#format.terminalAt(text);
    if (this.#ordered === 1) return at;
    for (let from = 0; at !== -1; at = this.#format.terminalAt(text.slice(from))) {
      const start = from + at;
      from = nextEvent(text, start);
      const event = events.subarray(start, from);
      if (!this.#note(event) || this.isComplete) return start;
    }
    return -1;
  }

  /** Whether an answer finishes in these events. */
  #note(events: Buffer): boolean {
    const found = this.#format.finishedChoices?.(events) ?? [];
    for (const choice of found) this.#finished.add(choice);
    return found.length > 0;
  }

  /** Whether these events of the end say that the stream is complete. */
  endIn(events: Buffer): boolean {
    if (!this.#format.isFinished(events)) return false;
    if (this.#ordered === 1) return true;
    this.#note(events);
    // A server that gives fewer answers than were requested says by the terminator that this is
    // all.
    return this.isComplete || this.#format.isLast?.(events.toString('latin1')) === true;
  }

  get isComplete(): boolean {
    return this.#finished.size >= this.#ordered;
  }
}
