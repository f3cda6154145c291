/**
 * An attempt in which caller and upstream speak the same wire format: bytes go on as they come. Held back are only the
 * first event until it is clear that it is no error, and the end of the stream until the charge is on disk.
 */

import type { Usage } from '../../canonical/chat.ts';
import { failureInside } from '../../canonical/kit/failure.ts';
import type { UpstreamRequest } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import type { GeneratedText } from '../../metering/countable.ts';
import type { FailureKind, ResponseHeaders } from '../../upstream/exchange.ts';
import { apiFamilyOf } from '../../vocabulary/wire-formats.ts';
import type { AttemptOutcome } from '../charge/bill.ts';
import { sidesToCount } from '../charge/countable-request.ts';
import { asAppError, describeFailure } from '../failure.ts';
import { chatWireFormat } from '../formats/index.ts';
import { imageCount } from '../formats/openai-images/fields.ts';
import { errorEvent } from '../formats/shared/error-event.ts';
import { type ForwardFormat, withProperLines } from '../formats/shared/forward-format.ts';
import {
  type Attempt,
  type AttemptResult,
  connectionFailed,
  gatewayFailed,
  isEventStream,
  maxErrorBytes,
  type RelayJob,
  servedSteps,
  toWireRequest,
  upstreamFailed,
} from '../job.ts';
import { corsHeaders, eventStreamHeaders, idHeaders, sendWritten } from '../reply.ts';
import { AttemptSink } from './attempt-sink.ts';
import { ChunkBuffer } from './chunk-buffer.ts';
import { generatedTextOfReply } from './generated-text.ts';
import { createRewrite, type Rewrite } from './rewrite.ts';
import { SentEvents } from './sent-events.ts';
import { StreamTail } from './stream-tail.ts';
import { replyFailed } from './translated-reply.ts';
import type { StreamOfWhole, WholeAsStream } from './whole-as-stream.ts';
import { readWholeReply, sendWholeReply } from './whole-reply.ts';

const nothing: Buffer = Buffer.alloc(0);
const openBrace = 0x7b;

/** A request in the caller's own format, and what is done with the reply. */
export interface Forwarding {
  readonly format: ForwardFormat;
  readonly request: UpstreamRequest;
  /** The name it asks for. */
  readonly upstreamModel: string;
  readonly rewrite?: Rewrite;
  /** For a reply in one piece to a caller who wants a stream. Absent: it goes on in one piece. */
  readonly asStream?: WholeAsStream;
}

/** Sends the request as it is and the reply on as it comes, or as `rewrite` has it. */
export function attemptForward(job: RelayJob, attempt: Attempt, forwarding: Forwarding): Promise<AttemptResult> {
  const request = toWireRequest(job, attempt, forwarding.request);
  return new Promise((resolve) => new ForwardSink(job, attempt, forwarding, resolve).begin(request));
}

class ForwardSink extends AttemptSink {
  readonly #forwarding: Forwarding;
  readonly #format: ForwardFormat;
  readonly #rewrite: ReturnType<typeof createRewrite> | undefined;
  #status = 0;
  #headers: ResponseHeaders = {};
  /** False: the reply is collected whole. */
  #streaming = false;
  /** Its first byte tells whether the reply is what it is said to be. */
  #doubtful = false;
  #chunks: Buffer[] = [];
  #size = 0;
  /** A stream's pieces that are no whole event yet. */
  readonly #rest = new ChunkBuffer();
  /** Events before the first that is part of an answer. */
  readonly #early = new ChunkBuffer();
  #first: Buffer = nothing;
  #firstByteAt = 0;
  readonly #sent = new SentEvents();
  readonly #held: StreamTail;

  constructor(job: RelayJob, attempt: Attempt, forwarding: Forwarding, resolve: (result: AttemptResult) => void) {
    super(job, attempt, resolve);
    this.#forwarding = forwarding;
    this.#format = forwarding.format;
    this.#rewrite = forwarding.rewrite && createRewrite(forwarding.rewrite);
    this.#held = new StreamTail(this.#format, () => imageCount(job.body));
  }

  start(status: number, headers: ResponseHeaders): void {
    this.#status = status;
    this.#headers = headers;
    this.#streaming = status === 200 && isEventStream(headers);
    const wanted = this.#streaming || (this.job.stream && this.#format.plain === undefined);
    this.#doubtful = status === 200 && wanted && (this.#forwarding.rewrite?.framing ?? 'sse') === 'sse';
  }

  /** Broken framing is a broken connection. */
  #restream(write: () => Buffer): void {
    try {
      const chunk = write();
      if (chunk.length > 0) this.#stream(chunk);
    } catch (error) {
      this.fail('reset', asAppError(error));
    }
  }

  data(chunk: Buffer): void {
    if (this.over) return;
    if (this.#doubtful) this.#judge(chunk);
    const rewrite = this.#rewrite;
    if (this.#streaming) return rewrite === undefined ? this.#stream(chunk) : this.#restream(() => rewrite.push(chunk));
    this.#size += chunk.length;
    this.#chunks.push(chunk);
    const limit = this.#status === 200 ? this.job.deps.limits.maxReplyBytes : maxErrorBytes;
    if (this.#size > limit) this.finish(gatewayFailed(new AppError('bad_response_body')), true);
  }

  /** Some stream under another name, and some answer JSON, an error perhaps, under that of a stream. */
  #judge(chunk: Buffer): void {
    const first = chunk.find((byte) => byte > 0x20);
    if (first === undefined) return;
    this.#doubtful = false;
    this.#streaming = first !== openBrace;
  }

  /** Whole events go on at once; what follows the last blank line waits for its rest. */
  #stream(chunk: Buffer): void {
    const cut = this.#rest.wholeIn(chunk);
    if (cut === 0) return this.#wait(chunk);
    const events = this.#rest.takeWith(cut === chunk.length ? chunk : chunk.subarray(0, cut));
    if (cut < chunk.length) this.#wait(chunk.subarray(cut));
    if (!this.over) this.#events(events);
  }

  #wait(piece: Buffer): void {
    this.#rest.push(piece);
    if (this.#rest.size > this.job.deps.limits.maxReplyBytes) this.fail('reset', new AppError('bad_response_body'));
  }

  #events(came: Buffer): void {
    const arrived = this.#format.tidy?.(came) ?? came;
    if (this.#first.length === 0 && !this.#isAnswer(arrived)) return;
    const events = this.#early.takeWith(arrived);
    if (this.#first.length === 0) this.#begin(events);
    const text = events.toString('latin1');
    if (this.#held.size > 0) return this.#hold(events, text);
    const terminal = this.#format.terminalAt(text);
    if (terminal === -1) return this.#send(events, text);
    if (terminal > 0) this.#send(events.subarray(0, terminal), text.slice(0, terminal));
    this.#hold(events.subarray(terminal), text.slice(terminal));
  }

  /** Nothing worth much follows the end of an answer: an upstream that goes on and on is left. */
  #hold(events: Buffer, text: string): void {
    this.#held.push(events);
    if (this.#held.size > this.job.deps.limits.maxReplyBytes) return this.fail('reset', new AppError('bad_response_body'));
    const state = this.#held.stateAfter(text);
    if (state === 'last') this.endAhead();
    else if (state === 'finished') this.expectEnd();
  }

  /** The first events decide whether this is an answer; only then is the client's reply begun. */
  #isAnswer(events: Buffer): boolean {
    if (!events.includes('data:')) return false; // comments that keep the connection alive
    const read = (raw: unknown) => failureInside(raw, (failure) => this.attempt.channel.provider.readFailure(failure));
    const error = this.#format.firstError(events, read);
    if (error !== undefined) {
      this.finish(upstreamFailed(this.attempt, error), true);
      return false;
    }
    if (this.#format.isGreeting?.(events) !== true) return true;
    this.#early.push(events);
    if (this.#early.size > this.job.deps.limits.maxReplyBytes) this.fail('reset', new AppError('bad_response_body'));
    else this.openSoon(() => this.#greet());
    return false;
  }

  /** The promise of an answer goes on alone. */
  #greet(): void {
    const events = this.#early.takeWith(nothing);
    this.#begin(events);
    this.#send(events, events.toString('latin1'));
  }

  #begin(events: Buffer): void {
    this.#first = events;
    this.#firstByteAt = this.job.deps.clock.now();
    this.job.response.writeHead(200, { ...corsHeaders, ...idHeaders(this.job.requestId), ...eventStreamHeaders });
    this.startPings(chatWireFormat(this.job.format)?.keepAlive ?? ': PING\n\n');
  }

  #send(events: Buffer, text: string): void {
    this.#sent.note(events, text);
    this.write(events);
  }

  end(): void {
    if (this.over) return;
    if (!this.#streaming) return this.#endWhole();
    const rewrite = this.#rewrite;
    if (rewrite !== undefined) this.#restream(() => rewrite.end());
    // The last event whose blank line never came counts if it is whole.
    if (this.#rest.size > 0) this.#events(withProperLines(this.#rest.takeWith(nothing)));
    if (this.over) return;
    if (this.#first.length === 0) return this.finish(gatewayFailed(new AppError('empty_response')));
    this.#endStream(this.#held.isFinished ? undefined : 'upstream_cut');
  }

  protected override broke(kind: FailureKind, error: Error): void {
    if (this.#first.length === 0) return this.finish(connectionFailed(kind, error), true);
    this.exchange?.abort();
    // All that was owed had arrived: what broke was only the connection.
    if (this.#held.isFinished) return this.#endStream(undefined);
    this.#endStream(kind === 'idle-timeout' ? 'idle_timeout' : 'upstream_cut', kind === 'idle-timeout' ? undefined : error);
  }

  protected override partialOutcome(): AttemptOutcome | undefined {
    return this.#first.length === 0 ? undefined : this.#streamOutcome('client_gone');
  }

  #outcome(usage: Usage | undefined, stream: boolean, generated: () => GeneratedText): AttemptOutcome {
    return {
      channel: this.attempt.channel,
      upstreamModel: this.#forwarding.upstreamModel,
      usage,
      ...sidesToCount(this.job, generated),
      stream,
      ...(stream ? { firstByteAt: this.#firstByteAt } : {}),
      steps: servedSteps(this.attempt, this.job.deps.clock.now()),
      reasoningEffort: this.attempt.reasoningEffort,
    };
  }

  #streamOutcome(ended: AttemptOutcome['ended']): AttemptOutcome {
    const held = this.#held.bytes;
    const usage = this.#format.streamUsage(this.#first, held, this.#sent.newest);
    const outcome = this.#outcome(usage, true, () => this.#sent.generated(this.#format, held));
    // Whoever leaves pays for what was ordered: the last draft of an image is as good as the image.
    const images = ended === 'client_gone' ? undefined : this.#held.images;
    return { ...outcome, images, ...(ended === undefined ? {} : { ended }) };
  }

  /** Settles, then lets the end of the stream go. `broken`: the client is told that the answer is not whole. */
  #endStream(ended: AttemptOutcome['ended'], broken?: Error): void {
    const held = this.#held.bytes;
    const outcome = this.#streamOutcome(ended);
    const { response, includeUsage } = this.job;
    this.settle(outcome, (usage) => {
      const end = { includeUsage, usage, first: this.#first, sent: () => this.#sent.kept() };
      if (ended !== undefined && this.#format.breakOff !== undefined)
        response.end(this.#format.breakOff(held, this.#cut(ended), end));
      else
        response.end(
          broken === undefined
            ? this.#format.end(held, end)
            : Buffer.concat([held, errorEvent(apiFamilyOf(this.job.format), this.#cut(ended))]),
        );
    });
  }

  #cut(ended: AttemptOutcome['ended']) {
    const { language, requestId } = this.job;
    const error = new AppError(ended === 'idle_timeout' ? 'upstream_timeout' : 'do_request_failed');
    return describeFailure({ from: 'gateway', error }, language, requestId);
  }

  /** A reply in one piece: its usage read, charged, then sent as it came. */
  #endWhole(): void {
    const bytes = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks);
    const reply = { status: this.#status, headers: this.#headers, bytes };
    const read = readWholeReply(this.attempt, this.#format, reply, this.#forwarding.rewrite);
    if (read.failed !== undefined) return this.finish(read.failed);
    const { usage, images } = read;
    const outcome = { ...this.#outcome(usage, false, () => generatedTextOfReply(read.reply.bytes, this.#format)), images };
    const { asStream } = this.#forwarding;
    if (asStream !== undefined) return this.#endAsStream(() => asStream(read.reply), outcome);
    this.settle(outcome, () => sendWholeReply(this.job.response, read.reply, this.job.requestId));
  }

  #endAsStream(read: () => StreamOfWhole | Promise<StreamOfWhole>, outcome: AttemptOutcome): void {
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
