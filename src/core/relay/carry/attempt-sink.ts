/**
 * What all ways of carrying a reply share: the client may leave, the bill is settled once, the
 * attempt ends once.
 */
import type { Usage } from '../../canonical/usage.ts';
import { AppError } from '../../kernel/errors.ts';
import type {
  Exchange,
  FailureKind,
  ResponseHeaders,
  UpstreamSink,
  WireRequest,
} from '../../upstream/exchange.ts';
import {
  type Attempt,
  type AttemptOutcome,
  type AttemptResult,
  gatewayFailed,
  withLateUsage,
} from '../attempt.ts';
import type { Departure } from '../client/client-watch.ts';
import { addHeaders } from '../client/edit-reply.ts';
import type { LateReader } from '../client/late-readers.ts';
import { ReplyWriter } from '../client/reply-writer.ts';
import type { RelayJob } from '../job.ts';
import { FirstWord } from './first-word.ts';
import { noteHeaders, tierInHeaders, withHeaderTiers } from './reply-facts.ts';
import { ReplyTimers } from './reply-timers.ts';
import { settleThenSend } from './settle-then-send.ts';
import { gatewayStopped, type StreamBreak } from './stream-break.ts';
import { isThinking, openingWait, quietAfter, silenceLimit } from './timeouts.ts';
import { vendorLimits } from './vendor-limits.ts';

/** Milliseconds that an upstream may take to close after a complete answer. */
const closeGrace = 1000;

export abstract class AttemptSink implements UpstreamSink {
  protected readonly job: RelayJob;
  protected readonly attempt: Attempt;
  protected exchange: Exchange | null = null;
  /** The attempt has ended: what still arrives is ignored. */
  protected over = false;
  protected readonly word: FirstWord;
  readonly #resolve: (result: AttemptResult) => void;
  readonly #timers = new ReplyTimers();
  /** The client has left, and what it received by then. */
  #left: { readonly received: AttemptOutcome; readonly reader: LateReader } | undefined;
  readonly #writer: ReplyWriter;
  #limits: ReturnType<typeof vendorLimits> | undefined;
  #tiers: readonly string[] | undefined;

  constructor(job: RelayJob, attempt: Attempt, resolve: (result: AttemptResult) => void) {
    this.job = job;
    this.attempt = attempt;
    this.#resolve = resolve;
    this.word = new FirstWord(job, attempt);
    this.#writer = new ReplyWriter(job, (isFull) =>
      isFull ? this.exchange?.pause() : this.exchange?.resume(),
    );
  }

  start(status: number, headers: ResponseHeaders): void {
    const { route, deps } = this.job;
    const now = deps.clock.now();
    if (this.attempt.reply !== undefined) noteHeaders(this.attempt.reply, headers, now);
    if (this.attempt.channel.rules.forwardsLimits)
      this.#limits = vendorLimits(headers, route.family, now);
    this.#tiers = tierInHeaders(headers);
    this.opened(status, headers);
  }

  /** Status and headers of the reply. */
  protected abstract opened(status: number, headers: ResponseHeaders): void;

  /** The vendor's limits, before the client's reply begins (docs/rules/relay.md#limit-headers). */
  protected showLimits(): void {
    if (this.#limits !== undefined) addHeaders(this.job.response, Object.fromEntries(this.#limits));
  }

  /** A chunk of the reply. */
  protected abstract take(chunk: Buffer): void;
  abstract end(): void;
  /**
   * The exchange broke: before anything reached the client another channel may try, afterwards the
   * answer is cut.
   */
  protected abstract broke(kind: FailureKind, error: Error): void;
  /** What the client has received so far and is charged for; undefined when nothing reached it. */
  protected abstract partialOutcome(ended: AttemptOutcome['ended']): AttemptOutcome | undefined;
  /**
   * Ends a reply that has begun: charges what the client received, and tells it why that is not
   * all.
   */
  protected abstract breakOff(broken: StreamBreak): void;
  /** Usage may follow although the client has left. */
  protected readonly mayReportUsage: boolean = true;

  /** Bytes of the reply that wait for more (docs/rules/relay.md#memory-budget). */
  protected abstract get heldBytes(): number;

  /** Sends the request. One that cannot be sent is a failed attempt. */
  begin(request: WireRequest): void {
    try {
      this.exchange = this.job.deps.upstream.send(request, this);
    } catch (error) {
      return this.fail('connect', error as Error);
    }
    if (this.over) return this.exchange.abort();
    if (this.#writer.isFull) this.exchange.pause();
    const { job, attempt } = this;
    this.#watchSilence(silenceLimit(job.deps.limits, isThinking(attempt.upstreamModel, job.body)));
    job.client.onLeft((why) => this.#clientLeft(why));
  }

  data(chunk: Buffer): void {
    if (this.over) return;
    this.#left?.reader.note(chunk.length);
    if (this.over) return;
    this.take(chunk);
    this.job.memory.followReply(this.over ? 0 : this.heldBytes);
  }

  fail(kind: FailureKind, error: Error): void {
    this.#runEnding(() => this.broke(kind, error));
  }

  /**
   * Comments, pings and pieces of an event keep a stream open, but not for ever
   * (docs/rules/streams.md#comments-only).
   */
  #watchSilence(limit: number): void {
    this.#timers.watchSilence(limit, () => {
      // A slow client holds its upstream up.
      if (this.#writer.isFull) return this.progressed();
      this.exchange?.abort();
      this.fail('idle-timeout', new Error(`nothing of an answer within ${limit} ms`));
    });
  }

  /** Nobody would read more of the answer. */
  protected get clientLeft(): boolean {
    return this.#left !== undefined;
  }

  /** Something of an answer came. */
  protected progressed(): void {
    this.#timers.progressed();
  }

  /** The answer is complete: it ends although its upstream has not closed. */
  protected endAhead(): void {
    this.end();
    this.exchange?.leave(closeGrace);
  }

  /**
   * The finish reason has come. Usage, for one, may still follow; the answer ends when nothing
   * does.
   */
  protected expectEnd(): void {
    this.#endWhenQuiet(quietAfter(this.job.deps.limits));
  }

  /** More of the answer came behind what looked like its end. */
  protected expectMore(): void {
    this.#timers.endNever();
  }

  /** An error has come. The last events of the failed answer may still follow. */
  protected expectFailure(): void {
    this.#endWhenQuiet(closeGrace);
  }

  #endWhenQuiet(limit: number): void {
    this.#timers.endAfter(limit, () => this.#runEnding(() => this.endAhead()));
  }

  #clientLeft(why: Departure): void {
    this.#runEnding(() => {
      if (why === 'stopped') return this.#stop();
      if (this.#left !== undefined) return;
      const received = this.partialOutcome('client_gone');
      if (received === undefined) return this.finish({ kind: 'gone' }, true);
      const reader = this.mayReportUsage
        ? this.job.deps.lateReaders.open(() => this.#leaveUpstream(received))
        : undefined;
      if (reader === undefined) return this.#leaveUpstream(received);
      // What is generated from here on is not the client's.
      const generated = received.output();
      this.#left = { received: { ...received, output: () => generated }, reader };
      this.#timers.stopPings();
      this.#writer.leave();
    });
  }

  /** The client has left, and no usage came in time. */
  #leaveUpstream(received: AttemptOutcome): void {
    this.#runEnding(() => {
      this.exchange?.abort();
      this.settle(this.#left?.received ?? received, () => undefined);
    });
  }

  /** The gateway stops: the caller gets an error, in its format where its reply has begun. */
  #stop(): void {
    this.exchange?.abort();
    if (this.#left !== undefined) return this.#leaveUpstream(this.#left.received);
    if (this.partialOutcome('gateway_stopped') !== undefined)
      return this.breakOff(gatewayStopped());
    this.finish(gatewayFailed(new AppError('shutting_down')));
  }

  /** Runs an ending. Where that fails, the hold is released and the connection closed. */
  #runEnding(end: () => void): void {
    if (this.over) return;
    try {
      end();
    } catch (error) {
      this.job.deps.logger.error(
        { error, requestId: this.job.requestId },
        'an answer could not be ended',
      );
      this.job.response.destroy();
      this.finish({ kind: 'gone' }, true);
    }
  }

  /**
   * Keeps a quiet stream open once its reply has begun: never before, because until then another
   * channel may serve (docs/rules/streams.md#keep-alive).
   */
  protected startPings(text: string): void {
    this.#timers.startPings(this.job.policy.pingInterval, () => this.#writer.ping(text));
  }

  /**
   * Nothing of the answer has come yet, and an error may still follow. The upstream may also think
   * for minutes, so that the reply is begun soon all the same. `open` starts the pings.
   */
  protected openSoon(open: () => void): void {
    const begin = () => {
      open();
      this.#writer.flush();
    };
    this.#timers.openAfter(openingWait(this.job.policy), () => this.#runEnding(begin));
  }

  #stopWatching(): void {
    this.over = true;
    this.#timers.stop();
    this.#left?.reader.close();
    this.job.client.onLeft(null);
  }

  /** Ends the attempt without a charge. `abort`: the upstream still sends. */
  protected finish(result: AttemptResult, abort = false): void {
    if (this.over) return;
    this.#stopWatching();
    if (abort) this.exchange?.abort();
    this.#resolve(result);
  }

  /**
   * Charges; once that is on disk, `send` lets the end of the answer go, with the usage that was
   * charged. `broken`: the answer is incomplete.
   */
  protected settle(
    outcome: AttemptOutcome,
    send: (usage: Usage | undefined) => void,
    broken?: StreamBreak,
  ): void {
    this.#stopWatching();
    const left = this.#left;
    const received = left === undefined ? outcome : withLateUsage(left.received, outcome);
    const charged = withHeaderTiers(received, this.#tiers);
    this.showLimits();
    const settled = settleThenSend(this.job, charged, left === undefined ? send : () => undefined);
    void settled.then(() =>
      this.#resolve({
        kind: 'served',
        ended: charged.ended,
        late: this.word.isLate,
        ...(broken && { failure: broken.failure }),
      }),
    );
  }

  /** Sends the end of a reply that broke. */
  protected endBroken(data: Buffer | string): void {
    const { response, format } = this.job;
    if (format.family.cutsBrokenStreams === true) response.write(data, () => response.destroy());
    else response.end(data);
  }

  /** Writes to the client; a slow one slows the upstream down. `latin1`: the bytes as text. */
  protected write(data: Buffer | string, latin1?: string): void {
    if (!this.clientLeft) this.#writer.write(data, latin1);
  }
}
