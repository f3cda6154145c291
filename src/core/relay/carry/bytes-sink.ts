/**
 * An attempt whose reply is a file (speech): its chunks are sent on as they come, each when the
 * next one arrives, so that the last one waits for the settlement
 * (docs/rules/streams.md#file-replies).
 */

import type { Usage } from '../../canonical/usage.ts';
import { AppError } from '../../kernel/errors.ts';
import {
  type FailureKind,
  headerText,
  type ResponseHeaders,
  replyTooLarge,
} from '../../upstream/exchange.ts';
import type { AttemptOutcome } from '../attempt.ts';
import {
  type Attempt,
  type AttemptResult,
  connectionFailed,
  gatewayFailed,
  servedSteps,
} from '../attempt.ts';
import { sidesToCount } from '../charge/countable-request.ts';
import { audioSeconds } from '../files/audio-length.ts';
import type { RelayJob } from '../job.ts';
import { corsHeaders, idHeaders } from '../reply.ts';
import { AttemptSink } from './attempt-sink.ts';
import type { Forwarding } from './forwarding.ts';
import { replyLimit } from './reply-limits.ts';
import { brokenConnection, type StreamBreak } from './stream-break.ts';
import { maxErrorBytes, toWireRequest } from './upstream-reply.ts';
import { readWholeReply, sendWholeReply } from './whole-reply.ts';

/** Sends the request and forwards the bytes as they come. */
export function attemptBytes(
  job: RelayJob,
  attempt: Attempt,
  forwarding: Forwarding,
): Promise<AttemptResult> {
  return new Promise((resolve) => {
    new BytesSink(job, attempt, forwarding, resolve).begin(
      toWireRequest(job, attempt, forwarding.request),
    );
  });
}

class BytesSink extends AttemptSink {
  readonly #forwarding: Forwarding;
  #status = 0;
  #headers: ResponseHeaders = {};
  /** An error, or JSON or HTML that may be one: collected and read before anything is sent. */
  #whole = false;
  #chunks: Buffer[] = [];
  #size = 0;
  #firstByteAt = 0;
  protected override readonly mayReportUsage = false;
  /** What was sent, where the length of the speech is charged. */
  readonly #spoken: Buffer[] = [];

  constructor(
    job: RelayJob,
    attempt: Attempt,
    forwarding: Forwarding,
    resolve: (result: AttemptResult) => void,
  ) {
    super(job, attempt, resolve);
    this.#forwarding = forwarding;
  }

  protected override opened(status: number, headers: ResponseHeaders): void {
    this.#status = status;
    this.#headers = headers;
    this.#whole =
      status < 200 ||
      status > 299 ||
      /\bjson\b|^text\/html\b/i.test(headerText(headers, 'content-type'));
  }

  protected override take(chunk: Buffer): void {
    if (chunk.length === 0) return;
    this.progressed();
    if (!this.#whole && this.#chunks.length > 0) this.#send();
    this.#chunks.push(chunk);
    if (this.#whole) this.#size += chunk.length;
    if (this.#whole && this.#size > maxErrorBytes)
      this.finish(gatewayFailed(replyTooLarge(maxErrorBytes)), true);
  }

  protected override get heldBytes(): number {
    return this.#size;
  }

  /** Sends what was held; with the first chunk the client's reply begins. */
  #send(): void {
    if (this.#firstByteAt === 0) this.#open();
    for (const chunk of this.#chunks) this.write(chunk);
    if (this.job.bill.countsSpeech) this.#keep();
    this.#chunks = [];
  }

  /** Keeps what was sent, up to the size of any reply. */
  #keep(): void {
    this.#spoken.push(...this.#chunks);
    for (const { length } of this.#chunks) this.#size += length;
    const limit = replyLimit(this.job);
    if (this.#size > limit) this.fail('reset', replyTooLarge(limit));
  }

  #open(): void {
    this.#firstByteAt = this.job.deps.clock.now();
    const contentType = headerText(this.#headers, 'content-type') || 'application/octet-stream';
    this.job.response.writeHead(this.#status, {
      ...corsHeaders,
      ...idHeaders(this.job.requestId),
      'content-type': contentType,
    });
  }

  end(): void {
    if (this.over) return;
    if (this.#whole) return this.#endWhole();
    if (this.#chunks.length === 0)
      return this.finish(gatewayFailed(new AppError('empty_response')));
    if (this.job.bill.countsSpeech) this.#spoken.push(...this.#chunks);
    this.settle(this.#outcome(), () => {
      if (this.#firstByteAt === 0) this.#open();
      this.job.response.end(Buffer.concat(this.#chunks));
    });
  }

  #endWhole(): void {
    const reply = {
      status: this.#status,
      headers: this.#headers,
      bytes: Buffer.concat(this.#chunks),
    };
    const read = readWholeReply(
      this.attempt,
      { format: this.#forwarding.format, operation: this.job.format.operation },
      reply,
    );
    if (read.failed !== undefined) return this.finish(read.failed);
    this.settle({ ...this.#outcome(), usage: read.usage }, () =>
      sendWholeReply(this.job.response, read.reply, this.job.requestId),
    );
  }

  /** A file has no place for an error: the connection is broken off instead. */
  protected override broke(kind: FailureKind, error: Error): void {
    if (this.#firstByteAt === 0) return this.finish(connectionFailed(kind, error), true);
    this.exchange?.abort();
    this.breakOff(brokenConnection(kind, error));
  }

  protected override breakOff(broken: StreamBreak): void {
    this.settle(
      { ...this.#outcome(), ended: broken.ended },
      () => this.job.response.destroy(),
      broken,
    );
  }

  /** Measures the speech first, where its length is charged. */
  protected override settle(
    outcome: AttemptOutcome,
    send: (usage: Usage | undefined) => void,
    broken?: StreamBreak,
  ): void {
    if (!this.job.bill.countsSpeech || outcome.usage !== undefined)
      return super.settle(outcome, send, broken);
    this.over = true; // later events are ignored meanwhile
    const file = {
      filename: '',
      mediaType: headerText(this.#headers, 'content-type'),
      bytes: Buffer.concat(this.#spoken),
    };
    void audioSeconds(file).then((spokenSeconds) =>
      super.settle({ ...outcome, spokenSeconds }, send, broken),
    );
  }

  protected override partialOutcome(ended: AttemptOutcome['ended']): AttemptOutcome | undefined {
    return this.#firstByteAt === 0 ? undefined : { ...this.#outcome(), ended };
  }

  #outcome(): AttemptOutcome {
    return {
      channel: this.attempt.channel,
      upstreamModel: this.#forwarding.upstreamModel,
      usage: undefined,
      ...sidesToCount(this.job),
      stream: false,
      ...(this.#firstByteAt === 0 ? {} : { firstByteAt: this.#firstByteAt }),
      steps: servedSteps(this.attempt, this.job.deps.clock.now()),
    };
  }
}
