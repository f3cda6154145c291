/** One HTTP request and its reply, decompressed where necessary. */
import type { Transform } from 'node:stream';
import type { Dispatcher } from 'undici';
import { createDecompressor } from './decompress.ts';
import type {
  Exchange,
  FailureKind,
  ResponseHeaders,
  UpstreamSink,
  WireRequest,
} from './exchange.ts';
import { errors } from './undici.ts';

const aborted = new Error('aborted');

/**
 * Bytes of an unneeded reply that are read to keep the connection; beyond that a new connection is
 * cheaper.
 */
const maxUnread = 64 * 1024;

/** Larger chunks are passed on by themselves: copying them together would cost more. */
const mostGathered = 4096;

/** Passes a reply to a sink, with back-pressure. */
export class HttpExchange implements Dispatcher.DispatchHandler, Exchange {
  readonly #sink: UpstreamSink;
  readonly #firstByteTimeout: number;
  #controller: Dispatcher.DispatchController | null = null;
  #decoder: Transform | null = null;
  #over = false;
  #paused = false;
  #leaving: NodeJS.Timeout | undefined;
  #unread = 0;
  #hasPassed = false;
  /** Chunks that came with the same read of the socket: the events of a stream, most often. */
  #gathered: Buffer[] = [];
  /** Timer of the first-byte limit; set by the first 1xx response. */
  #announced: NodeJS.Timeout | undefined;
  readonly #total: NodeJS.Timeout | undefined;

  constructor(
    sink: UpstreamSink,
    { firstByteTimeout, totalTimeout = 0 }: Pick<WireRequest, 'firstByteTimeout' | 'totalTimeout'>,
  ) {
    this.#sink = sink;
    this.#firstByteTimeout = firstByteTimeout;
    if (totalTimeout > 0)
      this.#total = setTimeout(() => this.#late('idle-timeout'), totalTimeout).unref();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#over) controller.abort(aborted);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: ResponseHeaders,
  ): void {
    if (this.#over) return;
    if (status < 200) return this.#putOff();
    clearTimeout(this.#announced);
    const encoding = headers['content-encoding'];
    if (encoding !== undefined) this.#decode(createDecompressor(String(encoding)) ?? null);
    try {
      this.#sink.start(status, headers);
    } catch (error) {
      this.#sinkFailed(error as Error);
    }
  }

  /** 1xx responses must not extend the first-byte limit, as they extend undici's own. */
  #putOff(): void {
    if (this.#firstByteTimeout === 0) return;
    this.#announced ??= setTimeout(
      () => this.#late('first-byte-timeout'),
      this.#firstByteTimeout,
    ).unref();
  }

  #late(kind: FailureKind): void {
    this.#break(kind, new Error('the reply took too long'));
    this.#controller?.abort(aborted);
  }

  #decode(decoder: Transform | null): void {
    if (decoder === null) return;
    this.#decoder = decoder;
    decoder.on('data', (chunk: Buffer) => this.#pass(chunk));
    decoder.on('end', () => this.#finish());
    decoder.on('error', (error) => this.#break('reset', error));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#leaving !== undefined) return this.#readOut(chunk);
    if (this.#decoder === null) this.#gather(chunk);
    else if (!this.#over && !this.#decoder.write(chunk)) this.#waitFor(this.#decoder);
  }

  /**
   * A few compressed bytes may expand to many: pauses the reply until the decompressor has caught
   * up.
   */
  #waitFor(decoder: Transform): void {
    this.#controller?.pause();
    decoder.once('drain', () => {
      if (!this.#paused) this.#controller?.resume();
    });
  }

  /** A stream that sends faster than it is read is looked at, and written, once for each read. */
  #gather(chunk: Buffer): void {
    // A reply in one piece does not wait.
    if (!this.#hasPassed || chunk.length > mostGathered) {
      this.#passGathered();
      this.#pass(chunk);
    } else if (this.#gathered.push(chunk) === 1) process.nextTick(HttpExchange.#readEnded, this);
  }

  static #readEnded(exchange: HttpExchange): void {
    exchange.#passGathered();
  }

  #passGathered(): void {
    const chunks = this.#gathered;
    const [first] = chunks;
    if (first === undefined) return;
    this.#gathered = [];
    this.#pass(chunks.length === 1 ? first : Buffer.concat(chunks));
  }

  #pass(chunk: Buffer): void {
    if (this.#over) return;
    this.#hasPassed = true;
    try {
      this.#sink.data(chunk);
    } catch (error) {
      this.#sinkFailed(error as Error);
    }
  }

  /**
   * The sink threw: ends the exchange as a failure, because no caller could catch the exception.
   */
  #sinkFailed(error: Error): void {
    this.#break('reset', error);
    this.#controller?.abort(aborted);
  }

  onResponseEnd(): void {
    this.#stopClocks();
    if (this.#decoder === null) this.#finish();
    else this.#decoder.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#stopClocks();
    this.#passGathered();
    this.#break(this.#kindOf(error), error);
  }

  #stopClocks(): void {
    for (const clock of [this.#announced, this.#total, this.#leaving]) clearTimeout(clock);
  }

  #kindOf(error: Error): FailureKind {
    if (error instanceof errors.HeadersTimeoutError) return 'first-byte-timeout';
    if (error instanceof errors.BodyTimeoutError) return 'idle-timeout';
    // The controller comes with a connection: before, none was made.
    return this.#controller === null ? 'connect' : 'reset';
  }

  #finish(): void {
    this.#passGathered();
    if (this.#over) return;
    this.#over = true;
    try {
      this.#sink.end();
    } catch (error) {
      this.#sink.fail('reset', error as Error);
    }
  }

  #break(kind: FailureKind, error: Error): void {
    if (this.#over) return;
    this.#over = true;
    this.#decoder?.destroy();
    this.#sink.fail(kind, error);
  }

  abort(): void {
    if (this.#over) return;
    this.#over = true;
    this.#stopClocks();
    this.#controller?.abort(aborted);
    this.#decoder?.destroy();
  }

  leave(grace: number): void {
    if (this.#over) return;
    this.#over = true;
    this.#decoder?.destroy();
    this.#controller?.resume();
    this.#leaving = setTimeout(() => this.#controller?.abort(aborted), grace).unref();
  }

  /** Discards the remaining reply after `leave`. */
  #readOut(chunk: Buffer): void {
    this.#unread += chunk.length;
    if (this.#unread > maxUnread) this.#controller?.abort(aborted);
  }

  pause(): void {
    this.#paused = true;
    this.#controller?.pause();
    this.#decoder?.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#decoder?.resume();
    if (this.#decoder?.writableNeedDrain !== true) this.#controller?.resume();
  }
}
