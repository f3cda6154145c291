/**
 * A realtime connection: frames are relayed unchanged in both directions
 * (docs/rules/realtime.md#realtime-relay). Until the first frame of an upstream another channel may
 * take over; it is sent again what the client sent meanwhile.
 */
import type { WebSocket, WebSocketServer } from 'ws';
import { errorFromBody } from '../../canonical/kit/failure.ts';
import type { LogOther } from '../../contract/log-other.ts';
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
import { openAiFamily } from '../formats/families/openai.ts';
import type { RelayJob } from '../job.ts';
import { maskOf } from '../mask.ts';
import { closeCodes, closeSocket, isProperEnd, passedOnCode } from '../sockets/close-socket.ts';
import { type Frame, FramePipe, sendFrame } from '../sockets/frame-pipe.ts';
import { keepAlive } from '../sockets/keep-alive.ts';
import type { SocketUpgrade } from '../sockets/socket-upgrade.ts';
import { hasSettings, inputTexts, type RealtimeEvent, readEvent } from './events.ts';
import { maskedFrame } from './mask-frame.ts';
import type { SessionMeter } from './session-meter.ts';
import type { Turns } from './turns.ts';

/**
 * Most bytes kept to be sent again to another upstream; a client that sends more before any reply
 * stays with its upstream.
 */
const replayLimit = 1024 * 1024;
/** Milliseconds without a frame from either side after which a connection is given up. */
const idleLimit = 600_000;

/** The upstream of one attempt. */
interface Link {
  readonly attempt: Attempt;
  readonly socket: WebSocket;
  readonly pipe: FramePipe;
  /** Ends the attempt. */
  readonly resolve: (result: AttemptResult) => void;
}

interface Ending {
  readonly code: number;
  readonly reason?: string;
  readonly ended?: LogOther['ended'];
  /** Sent to the client before the connection closes. */
  readonly error?: AppError;
}

export class RealtimeSession {
  readonly #job: RelayJob;
  readonly #upgrade: SocketUpgrade;
  readonly #server: WebSocketServer;
  readonly #turns: Turns;
  readonly #meter: SessionMeter;
  #client: WebSocket | null = null;
  #clientPipe: FramePipe | null = null;
  /** An upstream whose handshake is under way. */
  #pending: WebSocket | null = null;
  #link: Link | null = null;
  /**
   * Frames of the client that no upstream has replied to yet; null: they can no longer be sent
   * again.
   */
  #replay: Frame[] | null = [];
  #replayBytes = 0;
  #hasBegun = false;
  #over = false;
  #draining = false;
  #idle: NodeJS.Timeout | undefined;
  #stall: NodeJS.Timeout | undefined;

  constructor(
    job: RelayJob,
    upgrade: SocketUpgrade,
    server: WebSocketServer,
    turns: Turns,
    meter: SessionMeter,
  ) {
    this.#job = job;
    this.#upgrade = upgrade;
    this.#server = server;
    this.#turns = turns;
    this.#meter = meter;
  }

  /** One attempt: resolves when it failed, or when the session it began is over. */
  async carry(attempt: Attempt, socket: WebSocket): Promise<AttemptResult> {
    const { client, deps } = this.#job;
    const pipe = new FramePipe(socket, (frame) => this.#guarded(() => this.#fromUpstream(frame)));
    // Listened for from the start: a connection may close before the handshake's listeners have
    // run.
    const closed = new Promise<readonly [number, string]>((end) =>
      socket.once('close', (code, reason) => end([code, String(reason)])),
    );
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
    for (const frame of this.#replay ?? []) void sendFrame(link.socket, frame);
    link.pipe.start();
  }

  #openClient(): boolean {
    const client = this.#upgrade.open(this.#server);
    if (client === undefined) return false;
    this.#client = client;
    client.once('close', () => void this.#end({ code: closeCodes.proper, ended: 'client_gone' }));
    this.#clientPipe = new FramePipe(client, (frame) =>
      this.#guarded(() => this.#fromClient(frame)),
    );
    this.#clientPipe.start();
    keepAlive(client);
    this.#idle = setTimeout(
      () => void this.#end({ code: closeCodes.proper, reason: 'idle' }),
      idleLimit,
    ).unref();
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
    this.#idle?.refresh();
    const event = readEvent(frame);
    if (event !== undefined) {
      this.#checkWords(frame, event);
      this.#meter.noteInput(event);
    }
    this.#keep(frame);
    return this.#turns.prepare()?.then(() => this.#toUpstream(frame)) ?? this.#toUpstream(frame);
  }

  /** Throws AppError sensitive_words_detected. */
  #checkWords({ data }: Frame, event: RealtimeEvent): void {
    const words = this.#job.policy.sensitiveWords;
    if (words?.mightBeIn(data) && words.isIn(inputTexts(event).join('\n')))
      throw new AppError('sensitive_words_detected');
  }

  #keep(frame: Frame): void {
    if (this.#replay === null) return;
    this.#replayBytes += frame.data.length;
    if (this.#replayBytes > replayLimit) this.#replay = null;
    else this.#replay.push(frame);
  }

  /** Between two upstreams nothing is sent: the next one gets what was kept. */
  #toUpstream(frame: Frame): Promise<void> | undefined {
    return this.#link === null ? undefined : sendFrame(this.#link.socket, frame);
  }

  #fromUpstream(frame: Frame): Promise<void> | undefined {
    const link = this.#link;
    if (this.#over || link === null) return undefined;
    const event = readEvent(frame);
    if (!this.#hasBegun && this.#replay !== null && event?.type === 'error') {
      this.#drop(link, upstreamFailed(link.attempt, errorFromBody({ error: event.get('error') })));
      return undefined;
    }
    this.#hasBegun = true;
    this.#replay = null;
    this.#idle?.refresh();
    const masked = event === undefined ? frame : maskedFrame(frame, event, link.attempt.channel);
    return (
      this.#chargeFor(link, event)?.then(() => this.#toClient(masked)) ?? this.#toClient(masked)
    );
  }

  /** Opens and settles the charges of an event; the frame is sent on when that is done. */
  #chargeFor({ attempt }: Link, event: RealtimeEvent | undefined): Promise<void> | undefined {
    if (event === undefined) return undefined;
    switch (event.type) {
      case 'response.created':
        return this.#turns.begin(idOf(event));
      case 'response.done':
        return this.#turns.finish(idOf(event), event.get('response'), attempt);
      case 'conversation.item.input_audio_transcription.completed':
        return this.#turns.transcribed(event.get('usage'), attempt);
    }
    if (event.type.endsWith('.delta')) this.#turns.take(event);
    else if (hasSettings(event)) this.#meter.learn(event.get('session'));
    return undefined;
  }

  #toClient(frame: Frame): Promise<void> | undefined {
    const sent = this.#client === null ? undefined : sendFrame(this.#client, frame);
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
    if (this.#replay === null)
      return this.#end({ code: closeCodes.broken, ended: 'upstream_cut', error });
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
    this.#sendError(error);
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
    if (error !== undefined)
      this.#sendError(describeFailure({ from: 'gateway', error }, language, requestId));
    this.#closeClient(ending);
    link?.resolve(
      this.#hasBegun || ended === 'upstream_cut' ? { kind: 'served', ended } : { kind: 'gone' },
    );
  }

  /** The error frame of the realtime API (docs/rules/realtime.md#realtime-errors). */
  #sendError(error: FinalError): void {
    const frame = {
      event_id: `evt_${this.#job.requestId}`,
      type: 'error',
      ...openAiFamily.errorBody(error),
    };
    if (this.#client?.readyState === this.#client?.OPEN) this.#client?.send(JSON.stringify(frame));
  }

  #closeClient({ code, reason }: Pick<Ending, 'code' | 'reason'>): void {
    clearTimeout(this.#idle);
    clearTimeout(this.#stall);
    this.#clientPipe?.stop();
    if (this.#client !== null) closeSocket(this.#client, code, reason);
  }
}

function idOf(event: RealtimeEvent): string {
  const response = event.get('response');
  return String((response as { id?: unknown } | null | undefined)?.id ?? event.get('response_id'));
}
