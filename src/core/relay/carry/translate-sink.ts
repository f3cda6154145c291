/**
 * An attempt in which the caller's format differs from the upstream's: the reading half. The reply
 * is read into the canonical form, a stream event by event.
 */
import { streamOfReply } from '../../canonical/kit/collect-stream.ts';
import { streamsOnly } from '../../canonical/kit/streams-only.ts';
import type { UpstreamRequest } from '../../canonical/provider.ts';
import { isObject } from '../../kernel/json.ts';
import { type FailureKind, type ResponseHeaders, replyTooLarge } from '../../upstream/exchange.ts';
import { GatheredBytes } from '../../upstream/gathered-bytes.ts';
import { type Attempt, type AttemptResult, connectionFailed, gatewayFailed } from '../attempt.ts';
import { asAppError } from '../failure.ts';
import type { RelayJob } from '../job.ts';
import { AnswerSink } from './answer-sink.ts';
import { DecodedStream } from './decoded-stream.ts';
import { replyLimit } from './reply-limits.ts';
import { brokenConnection } from './stream-break.ts';
import { decodeChatReply, type Translation } from './translated-reply.ts';
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

type Reading =
  | { readonly phase: 'stream' }
  /**
   * The first byte tells a stream from JSON: an upstream may ignore that a stream was requested.
   */
  | { readonly phase: 'undecided'; readonly head: ReplyHead }
  /** A reply in one piece is collected. */
  | { readonly phase: 'whole'; readonly head: ReplyHead; readonly collected: GatheredBytes };

class TranslateSink extends AnswerSink {
  readonly #request: UpstreamRequest;
  #reading: Reading = { phase: 'stream' };
  /** Bytes of what is not sent on as it comes. */
  #size = 0;
  /** The upstream said that the answer ends. */
  #hasEnded = false;

  constructor(
    job: RelayJob,
    attempt: Attempt,
    translation: Translation,
    request: UpstreamRequest,
    resolve: (result: AttemptResult) => void,
  ) {
    super(job, attempt, translation, resolve);
    this.#request = request;
  }

  protected override opened(status: number, headers: ResponseHeaders): void {
    const head = { status, headers };
    // A further reply of the answer. Where it is refused, what came so far is the answer.
    if (this.input !== null) {
      if (status === 200) return;
      this.exchange?.abort();
      return this.#finishDecoded(this.input);
    }
    const { adapter, call, request } = this.translation;
    const collects = streamsOnly(adapter, call.model) && !this.job.stream;
    // An upstream that streams unasked is forwarded as a stream
    // (docs/rules/streams.md#unasked-stream).
    const isStream = this.job.stream || collects || isEventStream(headers);
    if (isStream && !collects && status === 200) this.followThinking();
    if (status !== 200 || adapter.createStreamDecoder === undefined || !isStream) {
      this.#reading = { phase: 'whole', head, collected: new GatheredBytes() };
      return;
    }
    const framing = adapter.framing ?? 'sse';
    const decoder = adapter.createStreamDecoder(call, request);
    this.input = new DecodedStream(framing, decoder, this.job.deps.limits.maxEventBytes);
    if (collects) this.collect();
    else if (framing === 'sse') this.#reading = { phase: 'undecided', head };
  }

  protected override take(chunk: Buffer): void {
    const reading =
      this.#reading.phase === 'undecided' ? this.#decide(this.#reading, chunk) : this.#reading;
    if ((reading.phase !== 'stream' || this.collects) && !this.#fits(reading, chunk)) return;
    if (reading.phase === 'whole') reading.collected.push(chunk);
    else if (this.input !== null) this.#decode(chunk, this.input);
  }

  protected override get heldBytes(): number {
    return this.#size + (this.input?.partial ?? 0);
  }

  #decide(reading: Extract<Reading, { phase: 'undecided' }>, chunk: Buffer): Reading {
    const first = chunk.find((byte) => byte > 0x20);
    if (first === undefined) return reading;
    this.#reading =
      first === openBrace
        ? { phase: 'whole', head: reading.head, collected: new GatheredBytes() }
        : { phase: 'stream' };
    return this.#reading;
  }

  /** Counts what is not sent on as it comes; too much of it ends the attempt. */
  #fits(reading: Reading, chunk: Buffer): boolean {
    this.#size += chunk.length;
    const failed = reading.phase === 'whole' && reading.head.status !== 200;
    const limit = failed ? maxErrorBytes : replyLimit(this.job);
    if (this.#size > limit) this.finish(gatewayFailed(replyTooLarge(limit)), true);
    return !this.over;
  }

  #decode(chunk: Buffer, input: DecodedStream): void {
    try {
      const parts = input.push(chunk);
      if (parts.length > 0) this.receive(parts);
      if (!this.over) this.#watchEnd(input, parts.length > 0);
    } catch (error) {
      this.fail('reset', asAppError(error));
    }
    if (!this.over && input.isDone) this.endAhead();
  }

  /** Some upstreams do not close after the end of an answer. `hasMore`: something of it came. */
  #watchEnd({ ended }: DecodedStream, hasMore: boolean): void {
    const { candidateCount = 1 } = this.translation.request;
    const hasEnded = this.tally.finished || ended >= Math.max(1, candidateCount);
    if (hasEnded && (hasMore || !this.#hasEnded)) this.expectEnd();
    else if (this.#hasEnded && !hasEnded) this.expectMore();
    this.#hasEnded = hasEnded;
  }

  end(): void {
    if (this.over) return;
    if (this.#reading.phase === 'whole')
      return this.#endWhole(this.#reading.head, this.#reading.collected);
    const { input } = this;
    if (input === null) return this.close();
    try {
      this.receive(input.endReply());
      if (this.over || this.#goOn(input)) return;
    } catch (error) {
      return this.fail('reset', asAppError(error));
    }
    this.#finishDecoded(input);
  }

  /** Requests the next reply of the answer, where there is one. */
  #goOn(input: DecodedStream): boolean {
    const { body } = this.#request;
    if (this.clientLeft || body instanceof Uint8Array || !isObject(body)) return false;
    const fields = input.goOn();
    if (fields === undefined) return false;
    const request = { ...this.#request, body: { ...body, ...fields } };
    this.begin(toWireRequest(this.job, this.attempt, request));
    return true;
  }

  /** The last reply of the answer has ended. */
  #finishDecoded(input: DecodedStream): void {
    try {
      this.receive(input.end());
    } catch (error) {
      return this.fail('reset', asAppError(error));
    }
    this.close();
  }

  protected override broke(kind: FailureKind, error: Error): void {
    const last = this.#reading.phase === 'whole' ? [] : (this.input?.endBroken() ?? []);
    if (last.some((part) => part.type === 'finish') || this.tally.finished) {
      this.exchange?.abort();
      this.receive(last);
      return this.close();
    }
    if (!this.hasBegun) return this.finish(connectionFailed(kind, error), true);
    this.exchange?.abort();
    this.breakOff(brokenConnection(kind, error));
  }

  #endWhole(head: ReplyHead, collected: GatheredBytes): void {
    const reply = { ...head, bytes: collected.join() };
    const decoded = decodeChatReply(this.attempt, reply, this.translation);
    if (decoded.failed !== undefined) return this.finish(decoded.failed);
    if (!this.job.stream) return this.sendReply(decoded.reply);
    this.receive(streamOfReply(decoded.reply));
    this.close();
  }
}
