/** What all ways of carrying a reply share: the client may leave, the bill is settled once, the attempt ends once. */
import type { Usage } from '../../canonical/chat.ts';
import type { Exchange, FailureKind, ResponseHeaders, UpstreamSink, WireRequest } from '../../upstream/exchange.ts';
import type { Attempt, AttemptOutcome, AttemptResult } from '../attempt.ts';
import type { RelayJob } from '../job.ts';
import { settleThenSend } from './settle-then-send.ts';

/** Milliseconds that an upstream may take to close after a complete answer. */
const closeGrace = 1000;
/** Milliseconds without events, after an answer's finish reason, until the answer counts as complete. */
const quietLimit = 10_000;

export abstract class AttemptSink implements UpstreamSink {
  protected readonly job: RelayJob;
  protected readonly attempt: Attempt;
  protected exchange: Exchange | null = null;
  /** The attempt has ended: what still arrives is ignored. */
  protected over = false;
  readonly #resolve: (result: AttemptResult) => void;
  #waitsForDrain = false;
  #lastWrite = 0;
  #pings: NodeJS.Timeout | undefined;
  #opening: NodeJS.Timeout | undefined;
  #keepAlive = '';
  #quiet: NodeJS.Timeout | undefined;

  constructor(job: RelayJob, attempt: Attempt, resolve: (result: AttemptResult) => void) {
    this.job = job;
    this.attempt = attempt;
    this.#resolve = resolve;
  }

  abstract start(status: number, headers: ResponseHeaders): void;
  abstract data(chunk: Buffer): void;
  abstract end(): void;
  /** The exchange broke: before anything reached the client another channel may try, afterwards the answer is cut. */
  protected abstract broke(kind: FailureKind, error: Error): void;
  /** What the client has received so far and is charged for; undefined when nothing reached it. */
  protected abstract partialOutcome(): AttemptOutcome | undefined;

  /** Sends the request. One that cannot be sent is a failed attempt. */
  begin(request: WireRequest): void {
    try {
      this.exchange = this.job.deps.upstream.send(request, this);
    } catch (error) {
      return this.fail('connect', error as Error);
    }
    if (this.over) return this.exchange.abort();
    this.job.client.onLeft(() => this.#clientLeft());
  }

  fail(kind: FailureKind, error: Error): void {
    this.#runEnding(() => this.broke(kind, error));
  }

  /** The answer is complete: it ends although its upstream has not closed. */
  protected endAhead(): void {
    this.end();
    this.exchange?.leave(closeGrace);
  }

  /** The finish reason has come. Usage, for one, may still follow; the answer ends when nothing does. */
  protected expectEnd(): void {
    clearTimeout(this.#quiet);
    const { idleTimeout } = this.job.deps.limits;
    const limit = idleTimeout === 0 ? quietLimit : Math.min(idleTimeout, quietLimit);
    this.#quiet = setTimeout(() => this.#runEnding(() => this.endAhead()), limit).unref();
  }

  #clientLeft(): void {
    this.#runEnding(() => {
      this.exchange?.abort();
      const received = this.partialOutcome();
      if (received === undefined) return this.finish({ kind: 'gone' });
      this.settle({ ...received, ended: 'client_gone' }, () => undefined);
    });
  }

  /** Runs an ending. Where that fails, the hold is released and the connection closed. */
  #runEnding(end: () => void): void {
    if (this.over) return;
    try {
      end();
    } catch (error) {
      this.job.deps.logger.error({ error, requestId: this.job.requestId }, 'an answer could not be ended');
      this.job.response.destroy();
      this.finish({ kind: 'gone' }, true);
    }
  }

  /** Keeps a quiet stream open once its reply has begun: never before, because until then another channel may serve (docs/rules/streams.md#keep-alive). */
  protected startPings(text: string): void {
    const { pingInterval } = this.job.policy;
    clearTimeout(this.#opening);
    if (pingInterval === 0) return;
    this.#keepAlive = text;
    const { clock } = this.job.deps;
    this.#pings = setInterval(() => {
      if (clock.now() - this.#lastWrite >= pingInterval) this.job.response.write(text);
    }, pingInterval).unref();
  }

  /**
   * Nothing of the answer has come yet, and an error may still follow. The upstream may also think for minutes: where streams
   * are kept open, the reply is begun after one interval all the same. `open` starts the pings.
   */
  protected openSoon(open: () => void): void {
    const { pingInterval } = this.job.policy;
    if (pingInterval === 0) return;
    const begin = () => {
      open();
      // It may have written nothing.
      this.job.response.write(this.#keepAlive);
    };
    this.#opening ??= setTimeout(() => this.#runEnding(begin), pingInterval).unref();
  }

  #stopWatching(): void {
    this.over = true;
    clearInterval(this.#pings);
    clearTimeout(this.#opening);
    clearTimeout(this.#quiet);
    this.job.client.onLeft(null);
  }

  /** Ends the attempt without a charge. `abort`: the upstream still sends. */
  protected finish(result: AttemptResult, abort = false): void {
    if (this.over) return;
    this.#stopWatching();
    if (abort) this.exchange?.abort();
    this.#resolve(result);
  }

  /** Charges; once that is on disk, `send` lets the end of the answer go, with the usage that was charged. */
  protected settle(outcome: AttemptOutcome, send: (usage: Usage | undefined) => void): void {
    this.#stopWatching();
    void settleThenSend(this.job, outcome, send).then(() => this.#resolve({ kind: 'served', ended: outcome.ended }));
  }

  /** Writes to the client; a slow one slows the upstream down. */
  protected write(data: Buffer | string): void {
    const { response, policy, deps } = this.job;
    if (policy.pingInterval > 0) this.#lastWrite = deps.clock.now();
    if (response.write(data) || this.#waitsForDrain) return;
    this.#waitsForDrain = true;
    this.exchange?.pause();
    response.once('drain', () => {
      this.#waitsForDrain = false;
      this.exchange?.resume();
    });
  }
}
