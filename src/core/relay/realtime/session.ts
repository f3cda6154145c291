/**
 * A realtime connection: frames are relayed unchanged in both directions
 * (docs/rules/realtime.md#realtime-relay). Until the first frame of an upstream another channel may
 * take over; it is sent again what the client sent meanwhile.
 */
import type { WebSocket } from 'ws';
import { errorFromBody } from '../../canonical/kit/failure.ts';
import { AppError } from '../../kernel/errors.ts';
import { handshakeOf } from '../../upstream/websocket.ts';
import {
  type Attempt,
  type AttemptResult,
  connectionFailed,
  cutOff,
  upstreamFailed,
} from '../attempt.ts';
import { readProviderFailure } from '../carry/upstream-reply.ts';
import { asAppError, describeFailure, type FinalError } from '../failure.ts';
import type { RelayJob } from '../job.ts';
import { maskOf } from '../mask.ts';
import {
  closeCodes,
  closeOf,
  closeSocket,
  isProperEnd,
  passedOnCode,
} from '../sockets/close-socket.ts';
import { type Frame, FramePipe, sendFrame } from '../sockets/frame-pipe.ts';
import { keepAlive } from '../sockets/keep-alive.ts';
import { ClientConnection } from './client-connection.ts';
import { readEvent } from './events.ts';
import { maskedFrame } from './mask-frame.ts';
import { ReplayBuffer } from './replay-buffer.ts';
import { chargeFor, refuseWords } from './session-events.ts';
import type { Ending, Link } from './session-link.ts';
import type { SessionMeter } from './session-meter.ts';
import type { Turns } from './turns.ts';

export class RealtimeSession {
  readonly #job: RelayJob;
  readonly #accept: () => WebSocket | undefined;
  readonly #turns: Turns;
  readonly #meter: SessionMeter;
  /** null: not open yet. */
  #client: ClientConnection | null = null;
  /** An upstream whose handshake is under way. */
  #pending: WebSocket | null = null;
  #link: Link | null = null;
  readonly #replay = new ReplayBuffer();
  #hasBegun = false;
  #over = false;
  #draining = false;
  #stall: NodeJS.Timeout | undefined;

  /** `accept` opens the client's socket; undefined: the client is gone. */
  constructor(
    job: RelayJob,
    accept: () => WebSocket | undefined,
    turns: Turns,
    meter: SessionMeter,
  ) {
    this.#job = job;
    this.#accept = accept;
    this.#turns = turns;
    this.#meter = meter;
  }

  /** One attempt: resolves when it failed, or when the session it began is over. */
  async carry(attempt: Attempt, socket: WebSocket): Promise<AttemptResult> {
    const { client, deps } = this.#job;
    const pipe = new FramePipe(socket, (frame) => this.#guarded(() => this.#fromUpstream(frame)));
    // From the start: a connection may close before the handshake's listeners have run.
    const closed = closeOf(socket);
    this.#pending = socket;
    client.onLeft(() => socket.terminate());
    try {
      const refusal = await handshakeOf(socket, deps.limits.firstByteTimeout);
      if (refusal !== null)
        return upstreamFailed(attempt, readProviderFailure(attempt.channel.provider, refusal));
    } catch (error) {
      return this.#ended() ?? connectionFailed('connect', error as Error);
    } finally {
      this.#pending = null;
      client.onLeft(null);
    }
    return new Promise((resolve) => {
      const link = { attempt, socket, pipe, resolve };
      const ended = this.#ended();
      if (ended !== undefined) return this.#drop(link, ended);
      if (this.#client === null && !this.#openClient()) return this.#drop(link, { kind: 'gone' });
      this.#connect(link);
      void closed.then(([code, reason]) => this.#upstreamClosed(link, code, reason));
    });
  }

  /** The result of attempts that are not needed any more; undefined: they are. */
  #ended(): AttemptResult | undefined {
    const { departure } = this.#job.client;
    // A client whose connection is open reads the reason there.
    if (departure !== undefined && this.#client === null) return cutOff(departure);
    return this.#over ? { kind: 'gone' } : undefined;
  }

  #connect(link: Link): void {
    this.#link = link;
    keepAlive(link.socket);
    for (const frame of this.#replay.frames) void sendFrame(link.socket, frame);
    link.pipe.start();
  }

  #openClient(): boolean {
    const socket = this.#accept();
    if (socket === undefined) return false;
    this.#client = new ClientConnection(socket, {
      frame: (frame) => this.#guarded(() => this.#fromClient(frame)),
      closed: () => void this.#end({ code: closeCodes.proper, ended: 'client_gone' }),
      idle: () => void this.#end({ code: closeCodes.proper, reason: 'idle' }),
    });
    return true;
  }

  /** Gives up an attempt that has delivered nothing. */
  #drop(link: Link, result: AttemptResult): void {
    this.#link = null;
    link.pipe.stop();
    link.socket.terminate();
    link.resolve(result);
  }

  /** Runs the handler of a frame; an error ends the session. */
  #guarded(handle: () => Promise<void> | undefined): Promise<void> | undefined {
    const failed = (cause: unknown) => {
      const error = asAppError(cause);
      return this.#end(
        { code: error.status < 500 ? closeCodes.refused : closeCodes.broken, error },
        cause,
      );
    };
    try {
      return handle()?.catch(failed);
    } catch (error) {
      return failed(error);
    }
  }

  #fromClient(frame: Frame): Promise<void> | undefined {
    if (this.#over) return undefined;
    this.#client?.touch();
    const event = readEvent(frame);
    if (event !== undefined) {
      refuseWords(frame, event, this.#job.policy.sensitiveWords);
      this.#meter.noteInput(event);
    }
    this.#replay.keep(frame);
    return this.#turns.prepare()?.then(() => this.#toUpstream(frame)) ?? this.#toUpstream(frame);
  }

  /** Between two upstreams nothing is sent: the next one gets what was kept. */
  #toUpstream(frame: Frame): Promise<void> | undefined {
    if (this.#link !== null) return sendFrame(this.#link.socket, frame);
    return this.#replay.areWhole ? undefined : this.#cut(new AppError('upstream_cut'));
  }

  /** The upstream is gone, and another one would miss what the client sent. */
  #cut(error: AppError): Promise<void> {
    return this.#end({ code: closeCodes.broken, ended: 'upstream_cut', error });
  }

  #fromUpstream(frame: Frame): Promise<void> | undefined {
    const link = this.#link;
    if (this.#over || link === null) return undefined;
    const event = readEvent(frame);
    if (!this.#hasBegun && this.#replay.areWhole && event?.type === 'error') {
      this.#drop(link, upstreamFailed(link.attempt, errorFromBody({ error: event.get('error') })));
      return undefined;
    }
    this.#hasBegun = true;
    this.#replay.drop();
    this.#client?.touch();
    const masked = event === undefined ? frame : maskedFrame(frame, event, link.attempt.channel);
    const charged = chargeFor(event, link.attempt, this.#turns, this.#meter);
    return charged?.then(() => this.#toClient(masked)) ?? this.#toClient(masked);
  }

  #toClient(frame: Frame): Promise<void> | undefined {
    const sent = this.#client?.send(frame);
    if (this.#draining) this.#stopWhenQuiet();
    else this.#watchIdle();
    return sent;
  }

  /** Ends the session when the upstream is silent for too long in the middle of an answer. */
  #watchIdle(): void {
    clearTimeout(this.#stall);
    const { idleTimeout } = this.#job.deps.limits;
    if (idleTimeout === 0 || this.#turns.underWay === 0 || this.#over) return;
    this.#stall = setTimeout(() => {
      // The upstream is not silent: a slow client, or a charge being written, holds up its frames.
      if (this.#link?.pipe.isWaiting) return this.#watchIdle();
      void this.#end({
        code: closeCodes.broken,
        ended: 'idle_timeout',
        error: new AppError('upstream_timeout'),
      });
    }, idleTimeout);
  }

  async #upstreamClosed(link: Link, code: number, reason: string): Promise<void> {
    await link.pipe.drained();
    if (this.#link !== link || this.#over) return;
    if (this.#hasBegun) {
      const broken = this.#turns.underWay > 0 || !isProperEnd(code);
      return this.#end({
        code: passedOnCode(code),
        reason: maskOf(link.attempt.channel)(reason),
        ended: broken ? 'upstream_cut' : undefined,
      });
    }
    const error = new AppError(
      'upstream_cut',
      {},
      { cause: new Error(`the upstream closed with code ${code}`) },
    );
    if (!this.#replay.areWhole) return this.#cut(error);
    this.#drop(link, connectionFailed('reset', error));
  }

  drain(): void {
    this.#draining = true;
    if (this.#client !== null) this.#stopWhenQuiet();
  }

  stop(): void {
    void this.#end({
      code: closeCodes.goingAway,
      ended: 'gateway_stopped',
      error: new AppError('shutting_down'),
    });
  }

  terminate(): void {
    this.#client?.terminate();
  }

  #stopWhenQuiet(): void {
    if (this.#turns.underWay === 0)
      void this.#end({ code: closeCodes.goingAway, reason: 'the server stops' });
  }

  /** No channel could serve: an HTTP error where the connection is not open yet. */
  refuse(error: FinalError, sendHttp: () => void): void {
    if (this.#client === null) return sendHttp();
    this.#over = true;
    this.#client.sendError(error, this.#job.requestId);
    this.#closeClient({ code: error.final ? closeCodes.refused : closeCodes.broken });
  }

  /**
   * Ends the session once: first the upstream, so that it stops working, then the charges, then the
   * client.
   */
  async #end(ending: Ending, cause?: unknown): Promise<void> {
    if (this.#over) return;
    this.#over = true;
    const { ended, error } = ending;
    const link = this.#link;
    if (error?.code === 'internal_error') {
      this.#job.deps.logger.error(
        { error: cause, requestId: this.#job.requestId },
        'a realtime connection failed',
      );
    }
    this.#pending?.terminate();
    link?.pipe.stop();
    if (link !== null) closeSocket(link.socket, closeCodes.proper);
    await this.#turns.close(link?.attempt, ended);
    const { language, requestId } = this.#job;
    if (error !== undefined) {
      const failure = describeFailure({ from: 'gateway', error }, language, requestId);
      this.#client?.sendError(failure, requestId);
    }
    this.#closeClient(ending);
    link?.resolve(
      this.#hasBegun || ended === 'upstream_cut' ? { kind: 'served', ended } : { kind: 'gone' },
    );
  }

  #closeClient({ code, reason }: Pick<Ending, 'code' | 'reason'>): void {
    clearTimeout(this.#stall);
    this.#client?.close(code, reason);
  }
}
