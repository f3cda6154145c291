// biome-ignore-all lint/style/noExcessiveLinesPerFile: the states of one reply, which share their timers
/**
 * An attempt in which the caller's format differs from the upstream's: the reply is read into the
 * canonical form and written in the caller's format. Streams are translated event by event; their
 * end waits for the settlement.
 */
import type { AssistantPart } from '../../canonical/chat.ts';
import type { ChatReply, ProviderError, StreamPart } from '../../canonical/chat-reply.ts';
import { append } from '../../canonical/kit/append.ts';
import { createStreamCollector, streamOfReply } from '../../canonical/kit/collect-stream.ts';
import type { FrameReader } from '../../canonical/kit/frame-reader.ts';
import { createFrameReader } from '../../canonical/kit/frames.ts';
import { streamsOnly } from '../../canonical/kit/streams-only.ts';
import type { StreamDecoder } from '../../canonical/pass-through.ts';
import type { UpstreamRequest } from '../../canonical/provider.ts';
import { AppError } from '../../kernel/errors.ts';
import { isObject } from '../../kernel/json.ts';
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
import type { ReplyContext, StreamEncoder } from '../formats/shared/chat-translation.ts';
import { readChat } from '../formats/shared/read-chat.ts';
import type { RelayJob } from '../job.ts';
import { idHeaders, sendJson, streamHeaders } from '../reply.ts';
import { AttemptSink } from './attempt-sink.ts';
import { noteModel } from './reply-facts.ts';
import { replyLimit } from './reply-limits.ts';
import {
  brokenConnection,
  describeBreak,
  missingEnd,
  reportedError,
  type StreamBreak,
} from './stream-break.ts';
import { isThinking } from './timeouts.ts';
import { translatedOutcome, translatedStreamOutcome } from './translated-outcome.ts';
import {
  beginsReply,
  decodeChatReply,
  decodedOrFailed,
  generatedTextOfChat,
  PartTally,
  replyContextOf,
  replyFailed,
  type Translation,
  writeReply,
} from './translated-reply.ts';
import { TurnCollector } from './turn-collector.ts';
import { isEventStream, maxErrorBytes, type ReplyHead, toWireRequest } from './upstream-reply.ts';

export function attemptTranslate(
  job: RelayJob,
  attempt: Attempt,
  translation: Translation,
  request: UpstreamRequest,
): Promise<AttemptResult> {
  return new Promise((resolve) => {
    new TranslateSink(job, attempt, translation, request, resolve).begin(
      toWireRequest(job, attempt, request),
    );
  });
}

const openBrace = 0x7b;

/** Most parts kept before a part of the answer itself comes. */
const mostEarly = 10_000;

/** Reads an upstream's stream. */
interface StreamInput {
  readonly frames: FrameReader;
  readonly decoder: StreamDecoder;
}

type Progress =
  | { readonly phase: 'waiting' }
  /**
   * The first byte tells a stream from JSON: an upstream may ignore that a stream was requested.
   */
  | { readonly phase: 'undecided'; readonly head: ReplyHead }
  /** A reply in one piece is collected. */
  | { readonly phase: 'whole'; readonly head: ReplyHead; readonly collected: GatheredBytes }
  /** A stream is put together for a caller who wants the answer in one piece. */
  | { readonly phase: 'collecting'; readonly collector: ReturnType<typeof createStreamCollector> }
  /** A stream, `early`: its parts before the first of the answer itself. */
  | { readonly phase: 'opening'; readonly early: StreamPart[] }
  /** The client's reply has begun. */
  | Streaming;

interface Streaming {
  readonly phase: 'streaming';
  readonly encoder: StreamEncoder;
  readonly firstByteAt: number;
}

class TranslateSink extends AttemptSink {
  readonly #translation: Translation;
  readonly #context: ReplyContext;
  readonly #request: UpstreamRequest;
  #progress: Progress = { phase: 'waiting' };
  /** Null: the reply is no stream. */
  #input: StreamInput | null = null;
  /** Bytes of what is not sent on as it comes. */
  #size = 0;
  /** Bytes of the event that is not complete yet. */
  #partial = 0;
  readonly #tally = new PartTally();
  /** The upstream said that the answer ends. */
  #hasEnded = false;
  /** Of a stream. Absent: its thinking is not remembered. */
  #thinking: TurnCollector | undefined;

  constructor(
    job: RelayJob,
    attempt: Attempt,
    translation: Translation,
    request: UpstreamRequest,
    resolve: (result: AttemptResult) => void,
  ) {
    super(job, attempt, resolve);
    this.#translation = translation;
    this.#request = request;
    this.#context = replyContextOf(job, translation.request);
  }

  /** Of a model that does not think there is nothing to keep. */
  get #isRemembered(): boolean {
    const { job, attempt } = this;
    const { reasoning } = this.#translation.request;
    const thinks = reasoning !== undefined || isThinking(attempt.upstreamModel, job.body);
    return thinks && job.deps.thinking.remembers(job);
  }

  protected override opened(status: number, headers: ResponseHeaders): void {
    const head = { status, headers };
    // A further reply of the answer. Where it is refused, what came so far is the answer.
    if (this.#input !== null) {
      if (status === 200) return;
      this.exchange?.abort();
      return this.#finishDecoded(this.#input);
    }
    const { adapter, call, request } = this.#translation;
    const collects = streamsOnly(adapter, call.model) && !this.job.stream;
    // An upstream that streams unasked is forwarded as a stream
    // (docs/rules/streams.md#unasked-stream).
    const isStream = this.job.stream || collects || isEventStream(headers);
    if (isStream && !collects && status === 200 && this.#isRemembered)
      this.#thinking = new TurnCollector();
    if (status !== 200 || adapter.createStreamDecoder === undefined || !isStream) {
      this.#progress = { phase: 'whole', head, collected: new GatheredBytes() };
      return;
    }
    const framing = adapter.framing ?? 'sse';
    this.#input = {
      frames: createFrameReader(framing, this.job.deps.limits.maxEventBytes),
      decoder: adapter.createStreamDecoder(call, request),
    };
    if (collects) this.#progress = { phase: 'collecting', collector: createStreamCollector() };
    else if (framing === 'sse') this.#progress = { phase: 'undecided', head };
    else this.#progress = { phase: 'opening', early: [] };
  }

  protected override take(chunk: Buffer): void {
    let progress = this.#progress;
    if (progress.phase === 'undecided') progress = this.#decide(progress, chunk);
    if (
      progress.phase !== 'opening' &&
      progress.phase !== 'streaming' &&
      !this.#fits(progress, chunk)
    )
      return;
    if (progress.phase === 'whole') progress.collected.push(chunk);
    else if (this.#input !== null) this.#decode(chunk, this.#input);
  }

  protected override get heldBytes(): number {
    return this.#size + this.#partial;
  }

  #decide(progress: Extract<Progress, { phase: 'undecided' }>, chunk: Buffer): Progress {
    const first = chunk.find((byte) => byte > 0x20);
    if (first === undefined) return progress;
    this.#progress =
      first === openBrace
        ? { phase: 'whole', head: progress.head, collected: new GatheredBytes() }
        : { phase: 'opening', early: [] };
    return this.#progress;
  }

  /** Counts what is not sent on as it comes; too much of it ends the attempt. */
  #fits(progress: Progress, chunk: Buffer): boolean {
    this.#size += chunk.length;
    const failed = progress.phase === 'whole' && progress.head.status !== 200;
    const limit = failed ? maxErrorBytes : replyLimit(this.job);
    if (this.#size > limit) this.finish(gatewayFailed(replyTooLarge(limit)), true);
    return !this.over;
  }

  #decode(chunk: Buffer, { frames, decoder }: StreamInput): void {
    try {
      const events = frames.push(chunk);
      this.#partial = events.length > 0 ? 0 : this.#partial + chunk.length;
      const parts = events.flatMap((event) => decoder.push(event));
      if (parts.length > 0) this.#receive(parts);
      if (!this.over) this.#watchEnd(decoder, parts.length > 0);
    } catch (error) {
      this.fail('reset', asAppError(error));
    }
    if (!this.over && decoder.done === true) this.endAhead();
  }

  /** Some upstreams do not close after the end of an answer. `hasMore`: something of it came. */
  #watchEnd({ ended = 0 }: StreamDecoder, hasMore: boolean): void {
    const { candidateCount = 1 } = this.#translation.request;
    const hasEnded = this.#tally.finished || ended >= Math.max(1, candidateCount);
    if (hasEnded && (hasMore || !this.#hasEnded)) this.expectEnd();
    else if (this.#hasEnded && !hasEnded) this.expectMore();
    this.#hasEnded = hasEnded;
  }

  /** Writes the parts; errors before the first byte leave the reply to another channel. */
  #receive(parts: readonly StreamPart[]): void {
    if (this.over) return;
    this.progressed();
    for (const part of parts) {
      if (part.type === 'error') return this.#streamFailed(part.error);
      this.#tally.note(part);
      if (part.type === 'start') this.#noteModel(part.model);
    }
    this.#thinking?.push(parts);
    if (this.awaitsWord && this.#input !== null && parts.some(beginsReply)) this.worded();
    const progress = this.#progress;
    if (progress.phase === 'streaming') return this.#send(progress.encoder, parts);
    if (progress.phase === 'collecting') return progress.collector.push(parts);
    if (progress.phase !== 'opening') return;
    append(progress.early, parts);
    if (parts.some(beginsReply)) this.#open(progress.early);
    else if (progress.early.length > mostEarly)
      this.fail('reset', new AppError('bad_response_body'));
    // Only promises so far: an error may still follow, and another channel may still serve.
    else this.openSoon(() => this.#open(progress.early));
  }

  /** Begins the client's reply with the parts that came so far. */
  #open(early: readonly StreamPart[]): Streaming {
    const { format } = this.#translation;
    const { deps, response, requestId } = this.job;
    const encoder = format.createStreamEncoder({
      ...this.#context,
      callsInTurn: this.#input?.decoder.callsInTurn,
    });
    const progress: Streaming = { phase: 'streaming', encoder, firstByteAt: deps.clock.now() };
    this.#progress = progress;
    this.showLimits();
    response.writeHead(200, streamHeaders(requestId, format.streamContentType));
    this.startPings(format.family.keepAlive);
    this.#send(encoder, early);
    return progress;
  }

  #send(encoder: StreamEncoder, parts: readonly StreamPart[]): void {
    let text = '';
    for (const part of parts) text += encoder.push(part);
    if (text !== '') this.write(text);
  }

  #streamFailed(error: ProviderError): void {
    const progress = this.#progress;
    if (progress.phase !== 'streaming')
      return this.finish(upstreamFailed(this.attempt, error), true);
    this.exchange?.abort();
    this.breakOff(reportedError(this.attempt, error));
  }

  end(): void {
    if (this.over) return;
    if (this.#progress.phase === 'whole')
      return this.#endWhole(this.#progress.head, this.#progress.collected);
    if (this.#progress.phase === 'undecided') this.#progress = { phase: 'opening', early: [] };
    if (this.#input === null) return this.#close();
    const { frames, decoder } = this.#input;
    try {
      this.#receive(frames.end().flatMap((event) => decoder.push(event)));
      if (this.over || this.#goOn(decoder)) return;
    } catch (error) {
      return this.fail('reset', asAppError(error));
    }
    this.#finishDecoded(this.#input);
  }

  /** Requests the next reply of the answer, where there is one. */
  #goOn(decoder: StreamDecoder): boolean {
    const { body } = this.#request;
    if (this.clientLeft || body instanceof Uint8Array || !isObject(body)) return false;
    const fields = decoder.continuation?.();
    if (fields === undefined) return false;
    const { maxEventBytes } = this.job.deps.limits;
    const framing = this.#translation.adapter.framing ?? 'sse';
    this.#input = { frames: createFrameReader(framing, maxEventBytes), decoder };
    const request = { ...this.#request, body: { ...body, ...fields } };
    this.begin(toWireRequest(this.job, this.attempt, request));
    return true;
  }

  /** The last reply of the answer has ended. */
  #finishDecoded({ decoder }: StreamInput): void {
    try {
      this.#receive(decoder.end());
    } catch (error) {
      return this.fail('reset', asAppError(error));
    }
    this.#close();
  }

  #close(): void {
    if (this.over) return;
    if (this.#progress.phase === 'collecting') return this.#endCollected(this.#progress.collector);
    this.#closeStream();
  }

  /** The upstream said that the answer ends, or is known never to say so. */
  get #isFinished(): boolean {
    return (
      this.#tally.finished ||
      (this.attempt.channel.provider.omitsFinish === true && this.#progress.phase !== 'opening')
    );
  }

  /**
   * The upstream has closed. Where no part of an answer came but a finish reason, the reply begins
   * and ends now.
   */
  #closeStream(): void {
    const finished = this.#isFinished;
    let progress = this.#progress;
    if (progress.phase === 'opening' && finished) progress = this.#open(progress.early);
    if (progress.phase !== 'streaming')
      return this.finish(gatewayFailed(new AppError('empty_response')));
    if (finished) this.#endStream(progress);
    else this.breakOff(missingEnd());
  }

  protected override broke(kind: FailureKind, error: Error): void {
    const { phase } = this.#progress;
    const last = this.#lastParts();
    if (last.some((part) => part.type === 'finish') || this.#tally.finished) {
      this.exchange?.abort();
      this.#receive(last);
      return this.#close();
    }
    if (phase !== 'streaming') return this.finish(connectionFailed(kind, error), true);
    this.exchange?.abort();
    this.breakOff(brokenConnection(kind, error));
  }

  /**
   * What the decoder kept until the end, most often the finish: where it came, only the connection
   * broke.
   */
  #lastParts(): readonly StreamPart[] {
    try {
      return this.#input?.decoder.end() ?? [];
    } catch {
      return [];
    }
  }

  protected override partialOutcome(ended: AttemptOutcome['ended']): AttemptOutcome | undefined {
    return this.#progress.phase === 'streaming'
      ? this.#streamOutcome(this.#progress, ended)
      : undefined;
  }

  #streamOutcome({ firstByteAt }: Streaming, ended?: AttemptOutcome['ended']): AttemptOutcome {
    return translatedStreamOutcome(this.job, this.attempt, this.#translation, this.#tally, {
      firstByteAt,
      ended,
    });
  }

  /** Settles, then sends the end of a complete stream. */
  #endStream(progress: Streaming): void {
    if (this.#thinking !== undefined) this.#remember(this.#thinking.content());
    this.settle(this.#streamOutcome(progress), (usage) =>
      this.job.response.end(progress.encoder.end(usage)),
    );
  }

  /** Settles, then tells the client that the answer is incomplete. */
  protected override breakOff(broken: StreamBreak): void {
    const progress = this.#progress;
    if (progress.phase !== 'streaming') return;
    const send = () => this.endBroken(progress.encoder.fail(describeBreak(broken, this.job)));
    this.settle(this.brokenOutcome(this.#streamOutcome(progress, broken.ended)), send, broken);
  }

  #endWhole(head: ReplyHead, collected: GatheredBytes): void {
    const decoded = decodeChatReply(
      this.attempt,
      { ...head, bytes: collected.join() },
      this.#translation,
    );
    if (decoded.failed !== undefined) return this.finish(decoded.failed);
    if (!this.job.stream) return this.#sendReply(decoded.reply);
    this.#progress = { phase: 'opening', early: [] };
    this.#receive(streamOfReply(decoded.reply));
    if (!this.over) this.#closeStream();
  }

  /** A stream that was cut is no complete answer: nothing was sent, another channel may serve. */
  #endCollected(collector: ReturnType<typeof createStreamCollector>): void {
    if (!this.#isFinished) return this.finish(gatewayFailed(new AppError('upstream_cut')));
    const decoded = decodedOrFailed(this.attempt, () => collector.reply());
    if (decoded.failed !== undefined) return this.finish(decoded.failed);
    this.#sendReply(decoded.reply);
  }

  #noteModel(model: string | undefined): void {
    if (this.attempt.reply !== undefined) noteModel(this.attempt.reply, model);
  }

  #remember(content: readonly AssistantPart[]): void {
    // As its caller wrote it: what was added on the way is not there in the next turn.
    const { messages } = readChat(this.#translation.format, this.job);
    this.job.deps.thinking.remember(this.job, this.attempt.channel, messages, content);
  }

  #sendReply(reply: ChatReply): void {
    const written = writeReply(this.#translation.format, reply, this.#context);
    if (written.failed !== undefined) return this.finish(replyFailed(this.attempt, written.failed));
    this.#remember(reply.choices[0]?.content ?? []);
    this.#noteModel(reply.model);
    const generated = () => generatedTextOfChat(reply);
    const outcome = translatedOutcome(
      this.job,
      this.attempt,
      this.#translation,
      reply.usage,
      generated,
    );
    this.settle(outcome, (usage) =>
      sendJson(this.job.response, 200, written.withUsage(usage), idHeaders(this.job.requestId)),
    );
  }
}
