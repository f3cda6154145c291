/**
 * The writing half of a translated attempt: the parts of an answer are written in the caller's
 * format, one by one or in one piece. The end of a stream waits for the settlement.
 */
import type { ChatReply, ProviderError, StreamPart } from '../../canonical/chat-reply.ts';
import { append } from '../../canonical/kit/append.ts';
import { createStreamCollector } from '../../canonical/kit/collect-stream.ts';
import { AppError } from '../../kernel/errors.ts';
import {
  type Attempt,
  type AttemptOutcome,
  type AttemptResult,
  gatewayFailed,
  upstreamFailed,
} from '../attempt.ts';
import type { ReplyContext, StreamEncoder } from '../formats/shared/chat-translation.ts';
import type { RelayJob } from '../job.ts';
import { streamHeaders } from '../reply.ts';
import { AttemptSink } from './attempt-sink.ts';
import type { DecodedStream } from './decoded-stream.ts';
import { noteModel } from './reply-facts.ts';
import { describeBreak, missingEnd, reportedError, type StreamBreak } from './stream-break.ts';
import { isThinking } from './timeouts.ts';
import { translatedStreamOutcome } from './translated-outcome.ts';
import {
  beginsReply,
  decodedOrFailed,
  PartTally,
  replyContextOf,
  type Translation,
} from './translated-reply.ts';
import { endOfTranslated, rememberTurn } from './translated-whole.ts';
import { TurnCollector } from './turn-collector.ts';

/** Most parts kept before a part of the answer itself comes. */
const mostEarly = 10_000;

interface Streaming {
  readonly phase: 'streaming';
  readonly encoder: StreamEncoder;
  readonly firstByteAt: number;
}

type Progress =
  /** `early`: the parts before the first of the answer itself. */
  | { readonly phase: 'opening'; readonly early: StreamPart[] }
  /** A stream is put together for a caller who wants the answer in one piece. */
  | { readonly phase: 'collecting'; readonly collector: ReturnType<typeof createStreamCollector> }
  /** The client's reply has begun. */
  | Streaming;

export abstract class AnswerSink extends AttemptSink {
  protected readonly translation: Translation;
  /** The upstream's stream. Null: its reply is none. */
  protected input: DecodedStream | null = null;
  protected readonly tally = new PartTally();
  readonly #context: ReplyContext;
  #progress: Progress = { phase: 'opening', early: [] };
  /** Of a stream. Absent: its thinking is not remembered. */
  #thinking: TurnCollector | undefined;

  constructor(
    job: RelayJob,
    attempt: Attempt,
    translation: Translation,
    resolve: (result: AttemptResult) => void,
  ) {
    super(job, attempt, resolve);
    this.translation = translation;
    this.#context = replyContextOf(job, translation.request);
  }

  /** The caller's reply has begun. */
  protected get hasBegun(): boolean {
    return this.#progress.phase === 'streaming';
  }

  protected get collects(): boolean {
    return this.#progress.phase === 'collecting';
  }

  /** The answer is sent in one piece. Called before its first part. */
  protected collect(): void {
    this.#progress = { phase: 'collecting', collector: createStreamCollector() };
  }

  /** The answer streams. Of a model that does not think there is nothing to remember. */
  protected followThinking(): void {
    const { job, attempt } = this;
    const { reasoning } = this.translation.request;
    const thinks = reasoning !== undefined || isThinking(attempt.upstreamModel, job.body);
    if (thinks && job.deps.thinking.remembers(job)) this.#thinking = new TurnCollector();
  }

  /** Writes the parts; errors before the first byte leave the reply to another channel. */
  protected receive(parts: readonly StreamPart[]): void {
    if (this.over) return;
    this.progressed();
    for (const part of parts) {
      if (part.type === 'error') return this.#streamFailed(part.error);
      this.tally.note(part);
      if (part.type === 'start' && this.attempt.reply !== undefined)
        noteModel(this.attempt.reply, part.model);
    }
    this.#thinking?.push(parts);
    if (this.word.isAwaited && this.input !== null && parts.some(beginsReply)) this.word.came();
    const progress = this.#progress;
    if (progress.phase === 'streaming') return this.#send(progress.encoder, parts);
    if (progress.phase === 'collecting') return progress.collector.push(parts);
    append(progress.early, parts);
    if (parts.some(beginsReply)) this.#open(progress.early);
    else if (progress.early.length > mostEarly)
      this.fail('reset', new AppError('bad_response_body'));
    // Only promises so far: an error may still follow, and another channel may still serve.
    else this.openSoon(() => this.#open(progress.early));
  }

  /** Begins the client's reply with the parts that came so far. */
  #open(early: readonly StreamPart[]): Streaming {
    const { format } = this.translation;
    const { deps, response, requestId } = this.job;
    const encoder = format.createStreamEncoder({
      ...this.#context,
      callsInTurn: this.input?.callsInTurn,
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
    if (!this.hasBegun) return this.finish(upstreamFailed(this.attempt, error), true);
    this.exchange?.abort();
    this.breakOff(reportedError(this.attempt, error));
  }

  /** All parts have come. */
  protected close(): void {
    if (this.over) return;
    if (this.#progress.phase === 'collecting') this.#endCollected(this.#progress.collector);
    else this.#closeStream(this.#progress);
  }

  /** The upstream said that the answer ends, or is known never to say so. */
  get #isFinished(): boolean {
    return (
      this.tally.finished ||
      (this.attempt.channel.provider.omitsFinish === true && this.#progress.phase !== 'opening')
    );
  }

  /** Where no part of an answer came but a finish reason, the reply begins and ends now. */
  #closeStream(given: Exclude<Progress, { phase: 'collecting' }>): void {
    const finished = this.#isFinished;
    const progress = given.phase === 'opening' && finished ? this.#open(given.early) : given;
    if (progress.phase !== 'streaming')
      return this.finish(gatewayFailed(new AppError('empty_response')));
    if (finished) this.#endStream(progress);
    else this.breakOff(missingEnd());
  }

  protected override partialOutcome(ended: AttemptOutcome['ended']): AttemptOutcome | undefined {
    return this.#progress.phase === 'streaming'
      ? this.#streamOutcome(this.#progress, ended)
      : undefined;
  }

  #streamOutcome({ firstByteAt }: Streaming, ended?: AttemptOutcome['ended']): AttemptOutcome {
    return translatedStreamOutcome(this.job, this.attempt, this.translation, this.tally, {
      firstByteAt,
      ended,
    });
  }

  /** Settles, then sends the end of a complete stream. */
  #endStream(progress: Streaming): void {
    if (this.#thinking !== undefined)
      rememberTurn(this.job, this.attempt, this.translation, this.#thinking.content());
    this.settle(this.#streamOutcome(progress), (usage) =>
      this.job.response.end(progress.encoder.end(usage)),
    );
  }

  /** Settles, then tells the client that the answer is incomplete. */
  protected override breakOff(broken: StreamBreak): void {
    const progress = this.#progress;
    if (progress.phase !== 'streaming') return;
    const send = () => this.endBroken(progress.encoder.fail(describeBreak(broken, this.job)));
    this.settle(this.word.broken(this.#streamOutcome(progress, broken.ended)), send, broken);
  }

  /** A stream that was cut is no complete answer: nothing was sent, another channel may serve. */
  #endCollected(collector: ReturnType<typeof createStreamCollector>): void {
    if (!this.#isFinished) return this.finish(gatewayFailed(new AppError('upstream_cut')));
    const decoded = decodedOrFailed(this.attempt, () => collector.reply());
    if (decoded.failed !== undefined) return this.finish(decoded.failed);
    this.sendReply(decoded.reply);
  }

  /** Settles, then sends the answer in one piece. */
  protected sendReply(reply: ChatReply): void {
    const end = endOfTranslated(this.job, this.attempt, this.translation, this.#context, reply);
    if (end.failed !== undefined) return this.finish(end.failed);
    this.settle(end.outcome, end.send);
  }
}
