/**
 * An attempt in which caller and upstream speak the same format: bytes are sent on as they come. Held back are only the
 * first events, until it is clear that they are no error, and the end of the stream, until the charge is on disk
 * (docs/rules/streams.md).
 */
import type { Usage } from '../../canonical/chat.ts';
import { failureInside } from '../../canonical/kit/failure.ts';
import type { UpstreamRequest } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import type { GeneratedText } from '../../metering/countable.ts';
import type { FailureKind, ResponseHeaders } from '../../upstream/exchange.ts';
import { GatheredBytes } from '../../upstream/gathered-bytes.ts';
import {
  type Attempt,
  type AttemptOutcome,
  type AttemptResult,
  connectionFailed,
  gatewayFailed,
  servedSteps,
  upstreamFailed,
} from '../attempt.ts';
import { sidesToCount } from '../charge/countable-request.ts';
import { asAppError, describeFailure } from '../failure.ts';
import type { ForwardFormat } from '../formats/shared/forward-format.ts';
import type { RelayJob } from '../job.ts';
import { sendWritten, streamHeaders } from '../reply.ts';
import { AttemptSink } from './attempt-sink.ts';
import { ChunkBuffer, EventCutter, type Rewrite, SentEvents, StreamTail } from './stream-buffers.ts';
import { replyFailed } from './translated-reply.ts';
import { isEventStream, maxErrorBytes, type ReplyHead, toWireRequest } from './upstream-reply.ts';
import type { WholeAsStream } from './whole-as-stream.ts';
import { generatedTextOfReply, readWholeReply, sendWholeReply } from './whole-reply.ts';

const nothing: Buffer = Buffer.alloc(0);
const openBrace = 0x7b;

/** A request in the caller's own format, and what is done with the reply. */
export interface Forwarding {
  readonly format: ForwardFormat;
  readonly request: UpstreamRequest;
  /** The name in the request. */
  readonly upstreamModel: string;
  readonly rewrite?: Rewrite;
  /** For a reply in one piece to a caller who wants a stream. Absent: it is sent in one piece. */
  readonly asStream?: WholeAsStream;
}

/** Sends the request and forwards the reply as it comes, or as `rewrite` writes it. */
export function attemptForward(job: RelayJob, attempt: Attempt, forwarding: Forwarding): Promise<AttemptResult> {
  const request = toWireRequest(job, attempt, forwarding.request);
  return new Promise((resolve) => new ForwardSink(job, attempt, forwarding, resolve).begin(request));
}

/** A stream whose reply to the client has begun. */
interface Streaming {
  readonly phase: 'streaming';
  /** The first whole events. */
  readonly first: Buffer;
  readonly firstByteAt: number;
  readonly sent: SentEvents;
  /** The end of the stream, held back. */
  readonly tail: StreamTail;
}

type Progress =
  | { readonly phase: 'waiting' }
  /** The first byte tells a stream from JSON, whatever the headers say. `blanks`: what came before it. */
  | { readonly phase: 'undecided'; readonly head: ReplyHead; readonly blanks: GatheredBytes; readonly isStream: boolean }
  /** A reply in one piece is collected. */
  | { readonly phase: 'whole'; readonly head: ReplyHead; readonly collected: GatheredBytes }
  /** A stream, `early`: its events before the first that is part of an answer. */
  | { readonly phase: 'opening'; readonly early: ChunkBuffer }
  | Streaming;

class ForwardSink extends AttemptSink {
  readonly #forwarding: Forwarding;
  readonly #format: ForwardFormat;
  readonly #cutter: EventCutter;
  #progress: Progress = { phase: 'waiting' };

  constructor(job: RelayJob, attempt: Attempt, forwarding: Forwarding, resolve: (result: AttemptResult) => void) {
    super(job, attempt, resolve);
    this.#forwarding = forwarding;
    this.#format = forwarding.format;
    this.#cutter = new EventCutter(forwarding.rewrite, job.deps.limits.maxReplyBytes);
  }

  start(status: number, headers: ResponseHeaders): void {
    const head = { status, headers };
    const isStream = status === 200 && isEventStream(headers);
    const mayStream = isStream || (this.job.stream && this.#format.plain === undefined);
    const isSse = (this.#forwarding.rewrite?.framing ?? 'sse') === 'sse';
    if (status === 200 && mayStream && isSse)
      this.#progress = { phase: 'undecided', head, blanks: new GatheredBytes(), isStream };
    else if (isStream) this.#progress = { phase: 'opening', early: new ChunkBuffer() };
    else this.#progress = { phase: 'whole', head, collected: new GatheredBytes() };
  }

  data(chunk: Buffer): void {
    if (this.over) return;
    const progress = this.#progress;
    if (progress.phase === 'undecided') this.#decide(progress, chunk);
    else if (progress.phase === 'whole') this.#collect(progress, chunk);
    else this.#receive(chunk);
  }

  /** Some upstreams stream under another media type, and some send JSON, an error perhaps, under that of a stream. */
  #decide({ head, blanks }: Extract<Progress, { phase: 'undecided' }>, chunk: Buffer): void {
    const first = chunk.find((byte) => byte > 0x20);
    if (first === undefined) {
      blanks.push(chunk);
      if (blanks.size > this.job.deps.limits.maxReplyBytes) this.#failUnreadable();
    } else if (first === openBrace) {
      const progress = { phase: 'whole', head, collected: blanks } as const;
      this.#progress = progress;
      this.#collect(progress, chunk);
    } else {
      this.#progress = { phase: 'opening', early: new ChunkBuffer() };
      if (blanks.size > 0) this.#receive(blanks.join());
      this.#receive(chunk);
    }
  }

  #collect({ head, collected }: Extract<Progress, { phase: 'whole' }>, chunk: Buffer): void {
    collected.push(chunk);
    const limit = head.status === 200 ? this.job.deps.limits.maxReplyBytes : maxErrorBytes;
    if (collected.size > limit) this.finish(gatewayFailed(new AppError('bad_response_body')), true);
  }

  #failUnreadable(): void {
    this.fail('reset', new AppError('bad_response_body'));
  }

  /** Null: the stream has ended. Broken framing is a broken connection. */
  #receive(chunk: Buffer | null): void {
    let events: Buffer;
    try {
      events = chunk === null ? this.#cutter.end() : this.#cutter.push(chunk);
    } catch (error) {
      return this.fail('reset', asAppError(error));
    }
    if (events.length > 0) this.#takeEvents(events);
  }

  #takeEvents(received: Buffer): void {
    const arrived = this.#format.tidy?.(received) ?? received;
    const progress = this.#progress;
    if (progress.phase === 'streaming') return this.#pass(progress, arrived);
    if (progress.phase !== 'opening' || !this.#isAnswer(arrived, progress.early)) return;
    const events = progress.early.takeWith(arrived);
    this.#pass(this.#begin(events), events);
  }

  /** Sends events on, up to the one with which the end begins. */
  #pass({ sent, tail }: Streaming, events: Buffer): void {
    const text = events.toString('latin1');
    if (tail.size > 0) return this.#hold(tail, events, text);
    const terminal = this.#format.terminalAt(text);
    if (terminal === -1) return this.#send(sent, events, text);
    if (terminal > 0) this.#send(sent, events.subarray(0, terminal), text.slice(0, terminal));
    this.#hold(tail, events.subarray(terminal), text.slice(terminal));
  }

  #send(sent: SentEvents, events: Buffer, text: string): void {
    sent.note(events, text);
    this.write(events);
  }

  /** An upstream that goes on and on after the end of an answer is left. */
  #hold(tail: StreamTail, events: Buffer, text: string): void {
    tail.push(events);
    if (tail.size > this.job.deps.limits.maxReplyBytes) return this.#failUnreadable();
    const state = tail.stateAfter(text);
    if (state === 'last') this.endAhead();
    else if (state === 'finished') this.expectEnd();
  }

  /** The first events decide whether this is an answer; only then is the client's reply begun. */
  #isAnswer(events: Buffer, early: ChunkBuffer): boolean {
    if (!events.includes('data:')) return false; // comments that keep the connection open
    const read = (raw: unknown) => failureInside(raw, (failure) => this.attempt.channel.provider.readFailure(failure));
    const error = this.#format.firstError(events, read);
    if (error !== undefined) {
      this.finish(upstreamFailed(this.attempt, error), true);
      return false;
    }
    if (this.#format.isGreeting?.(events) !== true) return true;
    early.push(events);
    if (early.size > this.job.deps.limits.maxReplyBytes) this.#failUnreadable();
    else
      this.openSoon(() => {
        const greeting = early.takeWith(nothing);
        this.#send(this.#begin(greeting).sent, greeting, greeting.toString('latin1'));
      });
    return false;
  }

  #begin(first: Buffer): Streaming {
    const { deps, response, requestId, format, body } = this.job;
    const progress: Streaming = {
      phase: 'streaming',
      first,
      firstByteAt: deps.clock.now(),
      sent: new SentEvents(),
      tail: new StreamTail(this.#format, body),
    };
    this.#progress = progress;
    response.writeHead(200, streamHeaders(requestId));
    this.startPings(format.family.keepAlive);
    return progress;
  }

  end(): void {
    if (this.over) return;
    if (this.#progress.phase === 'whole') return this.#endWhole(this.#progress.head, this.#progress.collected);
    if (this.#progress.phase === 'undecided' && !this.#progress.isStream)
      return this.#endWhole(this.#progress.head, this.#progress.blanks);
    this.#receive(null);
    if (this.over) return;
    const progress = this.#progress;
    if (progress.phase !== 'streaming') return this.finish(gatewayFailed(new AppError('empty_response')));
    this.#endStream(progress, progress.tail.isFinished ? undefined : 'upstream_cut');
  }

  protected override broke(kind: FailureKind, error: Error): void {
    const progress = this.#progress;
    if (progress.phase !== 'streaming') return this.finish(connectionFailed(kind, error), true);
    this.exchange?.abort();
    // The answer was complete: only the connection broke.
    if (progress.tail.isFinished) return this.#endStream(progress, undefined);
    if (kind === 'idle-timeout') return this.#endStream(progress, 'idle_timeout');
    this.#endStream(progress, 'upstream_cut', true);
  }

  protected override partialOutcome(): AttemptOutcome | undefined {
    return this.#progress.phase === 'streaming' ? this.#streamOutcome(this.#progress, 'client_gone') : undefined;
  }

  #outcome(usage: Usage | undefined, generated: () => GeneratedText): AttemptOutcome {
    return {
      channel: this.attempt.channel,
      upstreamModel: this.#forwarding.upstreamModel,
      usage,
      ...sidesToCount(this.job, generated),
      stream: false,
      steps: servedSteps(this.attempt, this.job.deps.clock.now()),
      reasoningEffort: this.attempt.reasoningEffort,
    };
  }

  #streamOutcome({ first, firstByteAt, sent, tail }: Streaming, ended: AttemptOutcome['ended']): AttemptOutcome {
    const held = tail.bytes;
    const usage = this.#format.streamUsage(first, held, sent.newest);
    const outcome = this.#outcome(usage, () => sent.generated(this.#format, held));
    // A client that leaves pays for all images it ordered: the last draft of an image is as good as the image.
    const images = ended === 'client_gone' ? undefined : tail.images;
    return { ...outcome, stream: true, firstByteAt, images, ...(ended === undefined ? {} : { ended }) };
  }

  /** Settles, then sends the end of the stream. `broken`: an error event tells the client that the answer is incomplete. */
  #endStream(progress: Streaming, ended: AttemptOutcome['ended'], broken = false): void {
    const { first, sent, tail } = progress;
    const held = tail.bytes;
    const { response, includeUsage, format } = this.job;
    this.settle(this.#streamOutcome(progress, ended), (usage) => {
      const end = { includeUsage, usage, first, sent: () => sent.kept() };
      if (ended !== undefined && this.#format.breakOff !== undefined)
        response.end(this.#format.breakOff(held, this.#errorOf(ended), end));
      else if (!broken) response.end(this.#format.end(held, end));
      else response.end(Buffer.concat([held, Buffer.from(format.family.errorEvent(this.#errorOf(ended)))]));
    });
  }

  #errorOf(ended: AttemptOutcome['ended']) {
    const { language, requestId } = this.job;
    const error = new AppError(ended === 'idle_timeout' ? 'upstream_timeout' : 'do_request_failed');
    return describeFailure({ from: 'gateway', error }, language, requestId);
  }

  /** A reply in one piece: its usage is read and charged, then it is sent on. */
  #endWhole(head: ReplyHead, collected: GatheredBytes): void {
    const reply = { ...head, bytes: collected.join() };
    const read = readWholeReply(this.attempt, this.#format, reply, this.#forwarding.rewrite);
    if (read.failed !== undefined) return this.finish(read.failed);
    const { usage, images } = read;
    const outcome = { ...this.#outcome(usage, () => generatedTextOfReply(read.reply.bytes, this.#format)), images };
    const { asStream } = this.#forwarding;
    if (asStream !== undefined) return this.#endAsStream(async () => asStream(read.reply), outcome);
    this.settle(outcome, () => sendWholeReply(this.job.response, read.reply, this.job.requestId));
  }

  #endAsStream(read: () => ReturnType<WholeAsStream>, outcome: AttemptOutcome): void {
    const firstByteAt = this.job.deps.clock.now();
    Promise.resolve()
      .then(read)
      .then((write) => {
        if (this.over) return;
        this.settle({ ...outcome, stream: true, firstByteAt }, (usage) => {
          sendWritten(this.job.response, write(usage), this.job.requestId);
        });
      })
      .catch((error: unknown) => this.finish(replyFailed(this.attempt, error)));
  }
}
