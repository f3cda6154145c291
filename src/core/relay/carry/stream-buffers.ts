/** The bytes of a forwarded stream: those that wait, those that were sent, and its end. */
import { createFrameReader } from '../../canonical/kit/frames.ts';
import { mergeUsage } from '../../canonical/kit/usage.ts';
import type { PassThrough, StreamEvent } from '../../canonical/pass-through.ts';
import type { Usage } from '../../canonical/usage.ts';
import { noBytes } from '../../kernel/no-bytes.ts';
import type { GeneratedText } from '../../metering/countable.ts';
import { replyTooLarge } from '../../upstream/exchange.ts';
import { GatheredBytes } from '../../upstream/gathered-bytes.ts';
import type { RequestBody } from '../body/request-body.ts';
import { isWholeEvent, nextEvent, wholeEvents, withProperLines } from '../formats/shared/events.ts';
import type { ForwardFormat } from '../formats/shared/forward-format.ts';
import type { FinishedChoices } from './finished-choices.ts';
import { RepeatedText } from './repeated-text.ts';

/** Bytes of a blank line that may be in an earlier chunk than its last newline. */
const seam = 2;

/** Chunks of a stream that are no whole event yet, joined only once, however many they are. */
export class ChunkBuffer {
  #waiting = new GatheredBytes();
  #tail: Buffer = noBytes;

  /** In bytes. */
  get size(): number {
    return this.#waiting.size;
  }

  push(chunk: Buffer): void {
    this.#waiting.push(chunk);
    this.#tail = Buffer.concat([this.#tail, chunk.subarray(-seam)]).subarray(-seam);
  }

  /** Length of the part of the next chunk that completes events; 0: it completes none. */
  wholeIn(next: Buffer): number {
    const inside = wholeEvents(next);
    if (inside > 0 || this.size === 0) return inside;
    return Math.max(
      0,
      wholeEvents(Buffer.concat([this.#tail, next.subarray(0, seam)])) - this.#tail.length,
    );
  }

  /** All chunks and the next one, joined; the buffer is empty afterwards. */
  takeWith(next: Buffer): Buffer {
    if (this.size === 0) return next;
    this.#waiting.push(next);
    const whole = this.#waiting.join();
    this.#waiting = new GatheredBytes();
    this.#tail = noBytes;
    return whole;
  }
}

/** Bytes kept of the front. */
const keepLimit = 1024 * 1024;

/**
 * Cuts an upstream's stream into whole events, in the caller's SSE. What follows the last blank
 * line waits for the next chunk.
 */
export class EventCutter {
  readonly #rewrite: ReturnType<typeof createRewrite> | undefined;
  /** Bytes that an incomplete event may have. */
  readonly #limit: number;
  readonly #partial = new ChunkBuffer();

  constructor(rewrite: Rewrite | undefined, limit: number) {
    this.#rewrite = rewrite && createRewrite(rewrite, limit);
    this.#limit = limit;
  }

  /**
   * The events that a chunk completes; empty: none. Throws AppError('bad_response_body') on broken
   * framing and endless events.
   */
  push(chunk: Buffer): Buffer {
    return this.#cut(this.#rewrite === undefined ? chunk : this.#rewrite.push(chunk));
  }

  /**
   * The last events, also one whose blank line never came, unless it is cut in the middle: clients
   * cannot read half an event. Throws like {@link push}.
   */
  end(): Buffer {
    const events = this.#rewrite === undefined ? noBytes : this.#cut(this.#rewrite.end());
    if (this.#partial.size === 0) return events;
    const last = withProperLines(this.#partial.takeWith(noBytes));
    return isWholeEvent(last) ? Buffer.concat([events, last]) : events;
  }

  #cut(chunk: Buffer): Buffer {
    const length = this.#partial.wholeIn(chunk);
    const events =
      length === 0
        ? noBytes
        : this.#partial.takeWith(length === chunk.length ? chunk : chunk.subarray(0, length));
    if (length < chunk.length) this.#partial.push(length === 0 ? chunk : chunk.subarray(length));
    if (this.#partial.size > this.#limit) throw replyTooLarge(this.#limit);
    return events;
  }
}

/**
 * What is kept of a forwarded stream after it was sent: to count it where no usage comes, and to
 * end it where it breaks.
 */
export class SentEvents {
  readonly #format: Pick<ForwardFormat, 'mayReportUsage' | 'sentCalls'>;
  readonly #front = new RepeatedText();
  /** The events that were sent last, and the last of them that may report usage. */
  #newest: Buffer = noBytes;
  newestUsage: Buffer = noBytes;
  /** What was said of the vendor's tools so far. */
  calls: Usage | undefined;
  #isFrontWhole = true;
  /** Bytes sent in all. */
  #size = 0;

  constructor(format: Pick<ForwardFormat, 'mayReportUsage' | 'sentCalls'>) {
    this.#format = format;
  }

  /** `text`: the same as latin1. */
  note(events: Buffer, text: string): void {
    this.#size += text.length;
    this.#newest = events;
    if (this.#format.mayReportUsage?.(text) === true) this.newestUsage = events;
    if (this.#format.sentCalls !== undefined)
      this.calls = mergeUsage(this.calls, this.#format.sentCalls(events, text));
    if (this.#front.length < keepLimit) this.#keep(events, text);
    else this.#isFrontWhole = false;
  }

  /** One by one, because they are alike. */
  #keep(events: Buffer, text: string): void {
    for (let start = 0; start < text.length; ) {
      const end = nextEvent(text, start);
      if (start === 0 && end === text.length) this.#front.push(events, text);
      else this.#front.push(events.subarray(start, end), text.slice(start, end));
      start = end;
    }
  }

  /** The front and the newest events. */
  kept(): Buffer {
    const front = this.#front.bytes();
    return this.#isFrontWhole ? front : Buffer.concat([front, this.#newest]);
  }

  /**
   * The text generated in what was sent and in `held`. Beyond the front it is extrapolated from the
   * front's density.
   */
  generated(format: ForwardFormat, held: Buffer): GeneratedText {
    const generated = format.generated(Buffer.concat([this.#front.bytes(), held]));
    if (this.#size <= this.#front.length) return generated;
    const { text } = generated;
    const length = Math.round((text.length * this.#size) / this.#front.length);
    return {
      ...generated,
      text: text.repeat(Math.ceil(length / Math.max(1, text.length))).slice(0, length),
    };
  }
}

/** `finished`: only the last events are missing. `last`: noBytes follows. */
export type EndState = 'open' | 'finished' | 'last';

/** The end of a forwarded stream, waiting for the settlement. */
export class StreamTail {
  readonly #format: ForwardFormat;
  readonly #body: RequestBody;
  readonly #choices: FinishedChoices;
  #chunks: Buffer[] = [];
  /** Events that were not read yet: each is read once, however many follow. */
  #unread: Buffer[] = [];
  #finished = false;
  #imagesSeen = 0;
  /** In bytes. */
  size = 0;

  constructor(format: ForwardFormat, body: RequestBody, choices: FinishedChoices) {
    this.#format = format;
    this.#body = body;
    this.#choices = choices;
  }

  get bytes(): Buffer {
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks)];
    return this.#chunks[0] ?? noBytes;
  }

  push(events: Buffer): void {
    this.#chunks.push(events);
    this.#unread.push(events);
    this.size += events.length;
  }

  /** What is held, which was no end. */
  take(): Buffer {
    const { bytes } = this;
    this.#chunks = [];
    this.#unread = [];
    this.size = 0;
    return bytes;
  }

  #read(): void {
    for (const events of this.#unread.splice(0)) {
      if (this.#choices.endIn(events)) this.#finished = true;
      this.#imagesSeen += this.#format.streamImages?.(events) ?? 0;
    }
  }

  get isFinished(): boolean {
    this.#read();
    return this.#finished;
  }

  /** Images in it, at least one: what was delivered is charged. Undefined: the format has none. */
  get images(): number | undefined {
    this.#read();
    return this.#format.streamImages === undefined ? undefined : Math.max(1, this.#imagesSeen);
  }

  /** The state after the newest events. `text`: these events as latin1. */
  stateAfter(text: string): EndState {
    if (!text.includes('data:')) return 'open'; // comments that keep the connection open
    if (this.#format.isLast?.(text) === true) return 'last';
    if (!this.isFinished) return 'open';
    const { images } = this;
    if (images === undefined) return 'finished';
    return images < (this.#format.imagesOrdered?.(this.#body) ?? 1) ? 'open' : 'last';
  }
}

/**
 * How a provider whose stream is framed or completed differently has it written as the caller's
 * SSE.
 */
export type Rewrite = PassThrough<unknown>['rewrite'];

/**
 * Chunks of the upstream's stream → chunks of the caller's. Throws AppError('bad_response_body') on
 * broken framing.
 */
function createRewrite({ framing, create }: NonNullable<Rewrite>, limit: number) {
  const frames = createFrameReader(framing, limit);
  const rewriter = create();
  const write = (events: readonly StreamEvent[]) =>
    Buffer.from(events.map((event) => rewriter.push(event)).join(''));
  return { push: (chunk: Buffer) => write(frames.push(chunk)), end: () => write(frames.end()) };
}
