/**
 * An attempt in which caller and upstream speak the same format: bytes are sent on as they come.
 * Held back are only the first events, until it is clear that they are no error, and the end of the
 * stream, until the charge is on disk (docs/rules/streams.md).
 */
import { failureInside } from '../../canonical/kit/failure.ts';
import { AppError } from '../../kernel/errors.ts';
import { type FailureKind, type ResponseHeaders, replyTooLarge } from '../../upstream/exchange.ts';
import { GatheredBytes } from '../../upstream/gathered-bytes.ts';
import {
  type Attempt,
  type AttemptOutcome,
  type AttemptResult,
  connectionFailed,
  gatewayFailed,
  upstreamFailed,
} from '../attempt.ts';
import { asAppError } from '../failure.ts';
import { isKeepAlive } from '../formats/shared/events.ts';
import type { ForwardFormat } from '../formats/shared/forward-format.ts';
import type { RelayJob } from '../job.ts';
import { maskOf, maskValue } from '../mask.ts';
import { streamHeaders } from '../reply.ts';
import { AttemptSink } from './attempt-sink.ts';
import { ForwardOpening, holdsWord } from './forward-opening.ts';
import { endOfWhole, type WholeEnd } from './forward-whole.ts';
import { ForwardedStream } from './forwarded-stream.ts';
import { type Forwarding, streamOutcome } from './forwarding.ts';
import { replyLimit } from './reply-limits.ts';
import {
  brokenConnection,
  describeBreak,
  missingEnd,
  reportedError,
  type StreamBreak,
} from './stream-break.ts';
import { EventCutter } from './stream-buffers.ts';
import { isEventStream, maxErrorBytes, type ReplyHead } from './upstream-reply.ts';

const openBrace = 0x7b;

type Progress =
  | { readonly phase: 'waiting' }
  /**
   * The first byte tells a stream from JSON, whatever the headers say. `blanks`: what came before
   * it.
   */
  | {
      readonly phase: 'undecided';
      readonly head: ReplyHead;
      readonly blanks: GatheredBytes;
      readonly isStream: boolean;
    }
  /** A reply in one piece is collected. */
  | { readonly phase: 'whole'; readonly head: ReplyHead; readonly collected: GatheredBytes }
  | ForwardOpening
  | ForwardedStream;

export class ForwardSink extends AttemptSink {
  readonly #forwarding: Forwarding;
  readonly #format: ForwardFormat;
  /** Created with the first bytes of a stream: replies in one piece need none. */
  #cutter: EventCutter | undefined;
  #progress: Progress = { phase: 'waiting' };
  /** Bytes of the event that is not complete yet. */
  #partial = 0;

  constructor(
    job: RelayJob,
    attempt: Attempt,
    forwarding: Forwarding,
    resolve: (result: AttemptResult) => void,
  ) {
    super(job, attempt, resolve);
    this.#forwarding = forwarding;
    this.#format = forwarding.format;
  }

  protected override opened(status: number, headers: ResponseHeaders): void {
    const head = { status, headers };
    const isStream = status === 200 && isEventStream(headers);
    const mayStream = isStream || (this.job.stream && this.#format.plain === undefined);
    const isSse = (this.#forwarding.rewrite?.framing ?? 'sse') === 'sse';
    if (status === 200 && mayStream && isSse)
      this.#progress = { phase: 'undecided', head, blanks: new GatheredBytes(), isStream };
    else if (isStream) this.#progress = this.#opening();
    else this.#progress = { phase: 'whole', head, collected: new GatheredBytes() };
  }

  protected override take(chunk: Buffer): void {
    const progress = this.#progress;
    if (progress.phase === 'undecided') this.#decide(progress, chunk);
    else if (progress.phase === 'whole') this.#collect(progress, chunk);
    else this.receive(chunk);
  }

  protected override get heldBytes(): number {
    const progress = this.#progress;
    switch (progress.phase) {
      case 'undecided':
        return progress.blanks.size;
      case 'whole':
        return progress.collected.size;
      case 'opening':
        return this.#partial + progress.size;
      case 'streaming':
        return this.#partial + progress.heldSize;
      default:
        return 0;
    }
  }

  /**
   * Some upstreams stream under another media type, and some send JSON, an error perhaps, under
   * that of a stream.
   */
  #decide({ head, blanks }: Extract<Progress, { phase: 'undecided' }>, chunk: Buffer): void {
    const first = chunk.find((byte) => byte > 0x20);
    if (first === undefined) {
      blanks.push(chunk);
      if (blanks.size > this.job.deps.limits.maxEventBytes)
        this.#failTooLarge(this.job.deps.limits.maxEventBytes);
    } else if (first === openBrace) {
      const progress = { phase: 'whole', head, collected: blanks } as const;
      this.#progress = progress;
      this.#collect(progress, chunk);
    } else {
      this.#progress = this.#opening();
      if (blanks.size > 0) this.receive(blanks.join());
      this.receive(chunk);
    }
  }

  #collect({ head, collected }: Extract<Progress, { phase: 'whole' }>, chunk: Buffer): void {
    collected.push(chunk);
    const limit = head.status === 200 ? replyLimit(this.job) : maxErrorBytes;
    if (collected.size > limit) this.finish(gatewayFailed(replyTooLarge(limit)), true);
  }

  #failTooLarge(limit: number): void {
    this.fail('reset', replyTooLarge(limit));
  }

  /** Null: the stream has ended. Broken framing is a broken connection. */
  protected receive(chunk: Buffer | null): void {
    this.#cutter ??= new EventCutter(this.#forwarding.rewrite, this.job.deps.limits.maxEventBytes);
    let events: Buffer;
    try {
      events = chunk === null ? this.#cutter.end() : this.#cutter.push(chunk);
    } catch (error) {
      return this.fail('reset', asAppError(error));
    }
    this.#partial = events.length > 0 ? 0 : this.#partial + (chunk?.length ?? 0);
    if (events.length > 0) this.#takeEvents(events);
  }

  #takeEvents(received: Buffer): void {
    const arrived = this.#format.tidy?.(received) ?? received;
    const progress = this.#progress;
    if (progress.phase === 'streaming') return this.#pass(progress, arrived);
    if (progress.phase !== 'opening') return;
    const first = progress.take(arrived);
    const limit = replyLimit(this.job);
    if (first === 'answer') {
      this.word.came();
      const events = progress.takeWith(arrived);
      this.#pass(this.#begin(events), events);
    } else if (typeof first === 'object')
      this.finish(upstreamFailed(this.attempt, first.error), true);
    else if (progress.size > limit) this.#failTooLarge(limit);
    else if (first === 'promise') this.#beginSoon(progress);
  }

  /** Sends events on, up to the one with which the end begins. */
  #pass(stream: ForwardedStream, arrived: Buffer): void {
    const text = arrived.toString('latin1');
    if (!isKeepAlive(text)) this.progressed();
    const { events, latin1, held } = stream.take(arrived, text);
    // An error is no word.
    const said = stream.error === undefined ? arrived : events;
    if (this.word.isAwaited && said !== undefined && holdsWord(said, this.#format))
      this.word.came();
    if (events !== undefined) this.write(events, latin1);
    if (held === undefined) return;
    // An upstream that goes on and on after the end of an answer is left.
    const limit = replyLimit(this.job);
    if (stream.heldSize > limit) this.#failTooLarge(limit);
    else if (held === 'last' || held === 'failed') this.endAhead();
    else if (held === 'finished') this.expectEnd();
    else if (held === 'failing') this.expectFailure();
  }

  readonly #readError = (raw: unknown) =>
    failureInside(raw, (failure) => this.attempt.channel.provider.readFailure(failure));

  #opening(): ForwardOpening {
    return new ForwardOpening(this.#format, this.#readError);
  }

  #beginSoon(opening: ForwardOpening): void {
    this.openSoon(() => {
      const greeting = opening.takeWith();
      this.#begin(greeting).send(greeting, greeting.toString('latin1'));
      this.write(greeting);
    });
  }

  #begin(first: Buffer): ForwardedStream {
    const { response, requestId, format } = this.job;
    const stream = new ForwardedStream(this.job, this.#format, first, this.#readError);
    this.#progress = stream;
    this.showLimits();
    response.writeHead(200, streamHeaders(requestId));
    this.startPings(format.family.keepAlive);
    return stream;
  }

  end(): void {
    if (this.over) return;
    if (this.#progress.phase === 'whole')
      return this.#endWhole(this.#progress.head, this.#progress.collected);
    if (this.#progress.phase === 'undecided' && !this.#progress.isStream)
      return this.#endWhole(this.#progress.head, this.#progress.blanks);
    this.receive(null);
    if (this.over) return;
    const progress = this.#progress;
    if (progress.phase !== 'streaming') {
      const isUnreadable = progress.phase === 'opening' && progress.isUnreadable;
      const error = new AppError(isUnreadable ? 'bad_response_body' : 'empty_response');
      return this.finish(gatewayFailed(error));
    }
    const { error, isFinished } = progress;
    if (error !== undefined) this.breakOff(reportedError(this.attempt, error));
    else if (isFinished || this.attempt.channel.provider.omitsFinish === true)
      this.#endStream(progress);
    else this.breakOff(missingEnd());
  }

  protected override broke(kind: FailureKind, error: Error): void {
    const progress = this.#progress;
    if (progress.phase !== 'streaming') return this.finish(connectionFailed(kind, error), true);
    this.exchange?.abort();
    if (progress.error !== undefined) this.breakOff(reportedError(this.attempt, progress.error));
    // The answer was complete: only the connection broke.
    else if (progress.isFinished) this.#endStream(progress);
    else this.breakOff(brokenConnection(kind, error));
  }

  protected override partialOutcome(ended: AttemptOutcome['ended']): AttemptOutcome | undefined {
    return this.#progress.phase === 'streaming'
      ? this.#streamOutcome(this.#progress, ended)
      : undefined;
  }

  #streamOutcome(stream: ForwardedStream, ended?: AttemptOutcome['ended']): AttemptOutcome {
    return streamOutcome(this.job, this.attempt, this.#forwarding, stream, ended);
  }

  /** The answer is complete. `whole`: its bytes, unless it was a stream. */
  protected completed(_whole?: Buffer): void {}

  /** Settles, then sends the end of a complete stream. */
  #endStream(stream: ForwardedStream): void {
    this.completed();
    const { response, includeUsage } = this.job;
    this.settle(this.#streamOutcome(stream), (usage) =>
      response.end(stream.end(includeUsage, usage)),
    );
  }

  /** Settles, then tells the client that the answer is incomplete. */
  protected override breakOff(broken: StreamBreak): void {
    const stream = this.#progress;
    if (stream.phase !== 'streaming') return;
    const mask = maskOf(this.attempt.channel);
    const end = () =>
      stream.breakOff(describeBreak(broken, this.job), (value) => maskValue(value, mask));
    const outcome = this.word.broken(this.#streamOutcome(stream, broken.ended));
    this.settle(outcome, () => this.endBroken(end()), broken);
  }

  #endWhole(head: ReplyHead, collected: GatheredBytes): void {
    const bytes = collected.join();
    const end = endOfWhole(this.job, this.attempt, this.#forwarding, { ...head, bytes });
    if (end instanceof Promise) void end.then((known) => this.#finishWhole(known, bytes));
    else this.#finishWhole(end, bytes);
  }

  #finishWhole(end: WholeEnd, bytes: Buffer): void {
    if (this.over) return;
    if (end.failed !== undefined) return this.finish(end.failed);
    this.completed(bytes);
    this.settle(end.outcome, end.send);
  }
}
