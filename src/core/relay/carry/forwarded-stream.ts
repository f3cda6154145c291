/**
 * A forwarded stream whose reply to the client has begun: what was sent, what is held back, and how
 * it ends.
 */
import type { ProviderError } from '../../canonical/chat-reply.ts';
import { mergeUsage } from '../../canonical/kit/usage.ts';
import type { Usage } from '../../canonical/usage.ts';
import { isObject } from '../../kernel/json.ts';
import type { GeneratedText } from '../../metering/countable.ts';
import type { ReplyFacts } from '../attempt.ts';
import type { WireError } from '../formats/families/api-family.ts';
import { readValues, splitEvents } from '../formats/shared/events.ts';
import type { BrokenEnd, ForwardFormat, StreamEnd } from '../formats/shared/forward-format.ts';
import type { RelayJob } from '../job.ts';
import { FinishedChoices } from './finished-choices.ts';
import { noteFirst } from './reply-facts.ts';
import { type EndState, SentEvents, StreamTail } from './stream-buffers.ts';

/**
 * `failed`: the upstream reported an error, and nothing that matters follows. `failing`: its last
 * events may follow.
 */
export type HeldState = EndState | 'failing' | 'failed';

/** What becomes of newly arrived events. */
interface Split {
  /** Sent on at once, also as text. */
  readonly events: Buffer | undefined;
  readonly latin1?: string;
  /** Undefined: the end has not begun. */
  readonly held: HeldState | undefined;
}

export class ForwardedStream {
  readonly phase = 'streaming';
  /** Clock milliseconds. */
  readonly firstByteAt: number;
  readonly #format: ForwardFormat;
  readonly #readError: (raw: unknown) => ProviderError;
  readonly #first: Buffer;
  readonly #sent: SentEvents;
  readonly #choices: FinishedChoices;
  readonly #tail: StreamTail;
  #error: ProviderError | undefined;

  /** `first`: the first whole events. `readError` reads the provider's own error object. */
  constructor(
    { deps, body }: RelayJob,
    format: ForwardFormat,
    first: Buffer,
    readError: (raw: unknown) => ProviderError,
  ) {
    this.firstByteAt = deps.clock.now();
    this.#format = format;
    this.#readError = readError;
    this.#first = first;
    this.#sent = new SentEvents(format);
    this.#choices = new FinishedChoices(format, body);
    this.#tail = new StreamTail(format, body, this.#choices);
  }

  /** Bytes that are held back. */
  get heldSize(): number {
    return this.#tail.size;
  }

  /** The error that the upstream reported. */
  get error(): ProviderError | undefined {
    return this.#error;
  }

  /** Whether the answer was complete. */
  get isFinished(): boolean {
    return this.#error === undefined && this.#tail.isFinished;
  }

  /** Splits events at the one with which the end begins. `text`: the same as latin1. */
  take(events: Buffer, text: string): Split {
    const terminal = this.#tail.size > 0 ? 0 : this.#choices.terminalAt(events, text);
    if (terminal === -1) return this.send(events, text);
    const end = events.subarray(terminal);
    const early = this.#earlyIn(end);
    if (early !== undefined) return this.#goOn(events.subarray(0, terminal), early);
    const before =
      terminal === 0
        ? { events: undefined }
        : this.send(events.subarray(0, terminal), text.slice(0, terminal));
    return { ...before, held: this.#hold(end, text.slice(terminal)) };
  }

  /**
   * Some servers report usage before the end: what is held and these events up to the last of the
   * answer, and the others. Undefined: this is the end.
   */
  #earlyIn(end: Buffer): { readonly answer: Buffer; readonly others: Buffer } | undefined {
    const { early, isEvent, isGreeting, isFinished } = this.#format;
    if (early === undefined || this.#error !== undefined || this.#tail.isFinished) return undefined;
    if (isFinished(end) || this.#format.errorIn(end, this.#readError) !== undefined)
      return undefined;
    const events = splitEvents(end);
    const last = events.findLastIndex((event) =>
      readValues(event).some(
        (value) => isObject(value) && isEvent?.(value) !== false && isGreeting?.(value) !== true,
      ),
    );
    if (last === -1) return undefined;
    const answer = early(Buffer.concat([this.#tail.take(), ...events.slice(0, last + 1)]));
    return { answer, others: Buffer.concat(events.slice(last + 1)) };
  }

  #goOn(
    before: Buffer,
    { answer, others }: { readonly answer: Buffer; readonly others: Buffer },
  ): Split {
    const text = others.toString('latin1');
    const terminal = this.#choices.terminalAt(others, text);
    const at = terminal === -1 ? others.length : terminal;
    const sent = Buffer.concat([before, answer, others.subarray(0, at)]);
    const split = this.send(sent, sent.toString('latin1'));
    return at === others.length
      ? split
      : { ...split, held: this.#hold(others.subarray(at), text.slice(at)) };
  }

  /** Notes events that are sent on although nothing of an answer is in them yet. */
  send(events: Buffer, text: string): Split {
    this.#sent.note(events, text);
    return { events, latin1: text, held: undefined };
  }

  #hold(events: Buffer, text: string): HeldState {
    this.#tail.push(events);
    this.#error ??= this.#format.errorIn(events, this.#readError);
    if (this.#error === undefined) return this.#tail.stateAfter(text);
    return this.#format.isLastAfterError?.(text) === false ? 'failing' : 'failed';
  }

  get usage(): Usage | undefined {
    const { calls, newestUsage } = this.#sent;
    return mergeUsage(calls, this.#format.streamUsage(this.#first, this.#tail.bytes, newestUsage));
  }

  /** Notes what its first and last events say of the reply. */
  describe(facts: ReplyFacts): void {
    noteFirst(facts, this.#first);
  }

  /** Images that were delivered; undefined: the format has none. */
  get images(): number | undefined {
    return this.#tail.images;
  }

  generated(): GeneratedText {
    return this.#sent.generated(this.#format, this.#tail.bytes);
  }

  #end(includeUsage: boolean, usage: Usage | undefined): StreamEnd {
    return { includeUsage, usage, first: this.#first, sent: () => this.#sent.kept() };
  }

  /** The last events, completed where the upstream left something out. */
  end(includeUsage: boolean, usage: Usage | undefined): Buffer {
    return this.#format.end(this.#tail.bytes, this.#end(includeUsage, usage));
  }

  /** The last events of a stream that broke: no normal ending, and the error. */
  breakOff(error: WireError, mask: BrokenEnd['mask']): Buffer {
    return this.#format.breakOff(this.#tail.bytes, { ...this.#end(false, undefined), error, mask });
  }
}
