/** An upstream's stream as it is decoded: one answer, which may take several replies. */
import type { StreamPart } from '../../canonical/chat-reply.ts';
import type { FrameReader } from '../../canonical/kit/frame-reader.ts';
import { createFrameReader } from '../../canonical/kit/frames.ts';
import type { Framing, StreamDecoder } from '../../canonical/pass-through.ts';

export class DecodedStream {
  readonly #framing: Framing;
  readonly #decoder: StreamDecoder;
  readonly #maxEventBytes: number;
  #frames: FrameReader;
  /** Bytes of the event that is not complete yet. */
  partial = 0;

  constructor(framing: Framing, decoder: StreamDecoder, maxEventBytes: number) {
    this.#framing = framing;
    this.#decoder = decoder;
    this.#maxEventBytes = maxEventBytes;
    this.#frames = createFrameReader(framing, maxEventBytes);
  }

  /** Nothing of the answer follows. */
  get isDone(): boolean {
    return this.#decoder.done === true;
  }

  /** Answers that have ended, of those that the request wants. */
  get ended(): number {
    return this.#decoder.ended ?? 0;
  }

  get callsInTurn(): StreamDecoder['callsInTurn'] {
    return this.#decoder.callsInTurn;
  }

  /**
   * The parts that a chunk completes. Throws AppError bad_response_body on broken framing and
   * endless events, and what the decoder throws.
   */
  push(chunk: Buffer): StreamPart[] {
    const events = this.#frames.push(chunk);
    this.partial = events.length > 0 ? 0 : this.partial + chunk.length;
    return events.flatMap((event) => this.#decoder.push(event));
  }

  /** The parts of the last events of a reply that has ended. Throws like {@link push}. */
  endReply(): StreamPart[] {
    return this.#frames.end().flatMap((event) => this.#decoder.push(event));
  }

  /**
   * Fields of the request for the next reply of the answer, which is read from here on. Undefined:
   * there is none.
   */
  goOn(): ReturnType<NonNullable<StreamDecoder['continuation']>> {
    const fields = this.#decoder.continuation?.();
    if (fields === undefined) return undefined;
    this.#frames = createFrameReader(this.#framing, this.#maxEventBytes);
    this.partial = 0;
    return fields;
  }

  /** What the decoder kept until the end of the answer, most often its finish. May throw. */
  end(): readonly StreamPart[] {
    return this.#decoder.end();
  }

  /** The same of a stream that broke: nothing where that cannot be read. */
  endBroken(): readonly StreamPart[] {
    try {
      return this.end();
    } catch {
      return [];
    }
  }
}
