/**
 * `GET /v1/responses` by WebSocket (docs/rules/realtime.md#responses-frames): each
 * `response.create` frame is one request; the events of its stream are sent as one frame each.
 * Requests with the same `stream_id` are served in order, others side by side. A request that fails leaves the
 * connection open.
 */
import type { WebSocket } from 'ws';
import { AppError, type ErrorCode, type ErrorParams } from '../../kernel/errors.ts';
import { type JsonObject, type JsonValue, parseObject } from '../../kernel/json.ts';
import { type Body, readCallerBody } from '../body/body-fields.ts';
import type { ClientReply, ClientRequest } from '../client/client.ts';
import { type FrameListener, FrameReply, frameRequest } from '../client/frame-reply.ts';
import type { RelayDeps } from '../context.ts';
import { asAppError } from '../failure.ts';
import { responseHead, writeResponsesUsage } from '../formats/openai-responses/object.ts';
import { canReturn, inputItems } from '../formats/openai-responses/state.ts';
import type { RequestMemory } from '../memory.ts';
import { closeCodes, closeSocket } from '../sockets/close-socket.ts';
import { sendFrame } from '../sockets/frame-pipe.ts';
import { keepAlive } from '../sockets/keep-alive.ts';
import type { LiveSocket } from '../sockets/live-socket.ts';
import { createReadingPause } from '../sockets/reading-pause.ts';
import { type Continuation, ResponseMemory } from './response-memory.ts';
import { type SteeredResponse, Steering } from './steering.ts';

/** Frames that may wait for their turn. */
const mostWaiting = 16;
/** Milliseconds without a request after which a connection is given up. */
const idleLimit = 3_600_000;

/** `stream_id` of a frame; those without one are one queue. */
type StreamId = string | undefined;

const longestStreamId = 64;

function isStreamId(id: unknown): id is StreamId {
  return id === undefined || (typeof id === 'string' && id !== '' && id.length <= longestStreamId);
}

/** Undefined also where the frame cannot be read, which its answer says. */
function streamIdOf(data: Buffer): StreamId {
  if (!data.includes('"stream_id"')) return undefined;
  try {
    const id = readCallerBody(data).get('stream_id');
    return isStreamId(id) ? id : undefined;
  } catch {
    return undefined;
  }
}

/** The frame where it is one of steering. */
function steeringIn(data: Buffer): JsonObject | undefined {
  if (!data.includes('"response.steer"')) return undefined;
  const frame = parseObject(data.toString('utf8'));
  return frame?.['type'] === 'response.steer' ? (frame as JsonObject) : undefined;
}

/** Serves a request as if it had come by `POST /v1/responses`; never rejects. */
export type ServeFrame = (request: ClientRequest, reply: ClientReply) => Promise<void>;

export interface ResponsesSocketDeps
  extends Pick<RelayDeps, 'clock' | 'ids' | 'limits' | 'logger'> {
  readonly serve: ServeFrame;
  /** What this connection holds: frames that wait, and the conversations it remembers. */
  readonly memory: RequestMemory;
  /** An error as the client reads it. */
  readonly describe: (code: ErrorCode, params?: ErrorParams) => JsonObject;
}

export class ResponsesSocket implements LiveSocket {
  readonly #deps: ResponsesSocketDeps;
  readonly #handshake: ClientRequest;
  readonly #client: WebSocket;
  readonly #pauseFor: ReturnType<typeof createReadingPause>;
  readonly #memory: ResponseMemory;
  readonly #steering: Steering;
  /** The responses that are generated. */
  readonly #steered = new Map<SteeredResponse, StreamId>();
  readonly #idle: NodeJS.Timeout;
  /** Requests that were received and not finished. */
  #waiting = 0;
  /** The last request of each stream id that has any. */
  readonly #queues = new Map<StreamId, Promise<void>>();
  #draining = false;
  readonly #replies = new Set<FrameReply>();
  /** Resolves when the client is gone and all its requests are settled. */
  readonly over: Promise<void>;

  constructor(deps: ResponsesSocketDeps, handshake: ClientRequest, client: WebSocket) {
    this.#deps = deps;
    this.#handshake = handshake;
    this.#client = client;
    this.#pauseFor = createReadingPause(client);
    this.#memory = new ResponseMemory(deps.limits.maxBodyBytes, deps.memory);
    this.#steering = new Steering(deps.memory, () => `steer_${deps.ids.alphanumeric(24)}`);
    this.#idle = setTimeout(
      () => closeSocket(client, closeCodes.proper, 'idle'),
      idleLimit,
    ).unref();
    this.over = new Promise((resolve) =>
      client.once('close', () => {
        clearTimeout(this.#idle);
        for (const reply of this.#replies) reply.destroy();
        void Promise.all(this.#queues.values()).then(() => resolve());
      }),
    );
    client.on('message', (data: Buffer) => this.#enqueue(data));
    keepAlive(client);
  }

  drain(): void {
    this.#draining = true;
    if (this.#waiting === 0) closeSocket(this.#client, closeCodes.goingAway, 'the server stops');
  }

  /** The request under way ends like any other of the relay; those behind it are refused. */
  stop(): void {
    this.drain();
  }

  terminate(): void {
    this.#client.terminate();
  }

  /** One at a time for each stream id. The client is read meanwhile: its leaving is noticed. */
  #enqueue(data: Buffer): void {
    // What still comes while the connection closes.
    if (!this.#isOpen) return;
    this.#idle.refresh();
    // It is about a response that is under way: it does not wait for that to end.
    const steering = steeringIn(data);
    if (steering !== undefined) return this.#steer(steering, data.length);
    if (this.#waiting > mostWaiting)
      return closeSocket(this.#client, closeCodes.refused, 'too many requests at once');
    // Counted once more while its request is served: the request has bytes of its own.
    try {
      this.#deps.memory.takeBody(data.length);
    } catch (error) {
      const { code, params } = asAppError(error);
      return this.#refuse(streamIdOf(data), code, params);
    }
    this.#waiting += 1;
    const streamId = streamIdOf(data);
    const turn = (this.#queues.get(streamId) ?? Promise.resolve()).then(async () => {
      if (this.#isOpen) await this.#answer(data, streamId);
      this.#deps.memory.giveBody(data.length);
      this.#waiting -= 1;
      if (this.#queues.get(streamId) === turn) this.#queues.delete(streamId);
      this.#idle.refresh();
      if (this.#draining) this.drain();
    });
    this.#queues.set(streamId, turn);
  }

  get #isOpen(): boolean {
    return this.#client.readyState === this.#client.OPEN;
  }

  /** Every frame names its stream id. */
  #send(frame: string, streamId: StreamId): Promise<void> | undefined {
    const named =
      streamId === undefined
        ? frame
        : JSON.stringify({ ...parseObject(frame), stream_id: streamId });
    return sendFrame(this.#client, { data: Buffer.from(named), binary: false });
  }

  /** A reply that nothing waits for, unlike the events of a response. */
  #reply(frame: JsonObject, streamId: StreamId): void {
    this.#pauseFor(this.#send(JSON.stringify(frame), streamId));
  }

  #refuse(streamId: StreamId, code: ErrorCode, params?: ErrorParams): void {
    this.#reply(this.#deps.describe(code, params), streamId);
  }

  async #answer(data: Buffer, streamId: StreamId): Promise<void> {
    try {
      const body = readCallerBody(data);
      if (!isStreamId(body.get('stream_id')))
        return this.#refuse(streamId, 'invalid_request', { detail: 'stream_id is invalid' });
      if (body.get('type') !== 'response.create')
        return this.#refuse(streamId, 'invalid_request', {
          detail: 'type must be response.create',
        });
      // As OpenAI: what outlives its connection is not begun on one.
      if (body.get('background') === true)
        return this.#refuse(streamId, 'invalid_request', {
          detail: 'background needs POST /v1/responses',
        });
      if (body.get('generate') === false) this.#warmUp(body, streamId);
      else await this.#serve(body, streamId);
    } catch (error) {
      // Malformed JSON inside shows when a field is read.
      if (error instanceof SyntaxError || error instanceof RangeError)
        return this.#refuse(streamId, 'invalid_json');
      if (error instanceof AppError) return this.#refuse(streamId, error.code, error.params);
      this.#deps.logger.error({ error }, 'a frame could not be answered');
      this.#refuse(streamId, 'internal_error');
    }
  }

  /** The conversation that a frame continues: remembered here, or stored. */
  #earlier(body: Body): Pick<Continuation, 'before' | 'stored' | 'earlier'> {
    const before = body.get('previous_response_id');
    if (typeof before !== 'string') return { before: undefined, stored: undefined, earlier: [] };
    const known = this.#memory.find(before);
    if (known === undefined) return { before: undefined, stored: before, earlier: [] };
    return { before, stored: known.stored, earlier: known.items.filter(canReturn) };
  }

  /** A response that was steered is followed by the next, before what else waits with its stream id. */
  async #serve(body: Body, streamId: StreamId): Promise<void> {
    let next: SteeredResponse | undefined = this.#steering.begin(body);
    while (next !== undefined && this.#isOpen) {
      const response: SteeredResponse = next;
      this.#steered.set(response, streamId);
      try {
        await this.#generate(response, streamId);
      } finally {
        this.#steered.delete(response);
        const end = this.#steering.end(response);
        for (const frame of end.frames) this.#reply(frame, streamId);
        next = end.next;
      }
    }
  }

  #steer(frame: JsonObject, size: number): void {
    const { answer, response } = this.#steering.steer(frame, size);
    const streamId = response && this.#steered.get(response);
    this.#reply(answer, streamId);
  }

  async #generate(response: SteeredResponse, streamId: StreamId): Promise<void> {
    const { body } = response;
    const continued = this.#earlier(body);
    const { before, stored, earlier } = continued;
    const added = inputItems(body.get('input'));
    const { bytes } = body.write({
      type: undefined,
      generate: undefined,
      stream_id: undefined,
      stream: true,
      ...(before === undefined
        ? {}
        : { previous_response_id: stored, input: [...earlier, ...added] }),
    });
    const isStored = body.get('store') !== false;
    const listener: FrameListener = {
      send: (frame) => {
        this.#steering.see(response, frame);
        return this.#send(frame, streamId);
      },
      completed: (whole) => {
        this.#steering.complete(response, whole);
        const { id, output } = whole;
        if (isStored || typeof id !== 'string') return;
        const items = [
          ...added,
          ...(Array.isArray(output) ? (output as readonly JsonValue[]) : []),
        ];
        this.#memory.remember(id, { ...continued, added: items });
      },
    };
    const reply = new FrameReply(listener);
    this.#replies.add(reply);
    const written = new Promise<void>((resolve) => reply.once('close', resolve));
    await this.#deps.serve(frameRequest(this.#handshake, bytes), reply);
    if (!reply.writableEnded) reply.destroy();
    await written;
    this.#replies.delete(reply);
  }

  /**
   * The conversation is only remembered: no model is called and nothing is charged
   * (docs/rules/realtime.md#responses-warm-up).
   */
  #warmUp(body: Body, streamId: StreamId): void {
    const { clock, ids } = this.#deps;
    const model = body.get('model');
    if (typeof model !== 'string' || model === '') return this.#refuse(streamId, 'model_required');
    const id = `resp_${ids.alphanumeric(24)}`;
    this.#memory.remember(id, { ...this.#earlier(body), added: inputItems(body.get('input')) });
    const head = responseHead(id, { id, model, created: Math.floor(clock.now() / 1000) });
    const response = {
      ...head,
      status: 'in_progress',
      error: null,
      incomplete_details: null,
      output: [],
      usage: null,
    };
    const completed = { ...response, status: 'completed', usage: writeResponsesUsage({}) };
    this.#reply({ type: 'response.created', sequence_number: 0, response }, streamId);
    this.#reply({ type: 'response.completed', sequence_number: 1, response: completed }, streamId);
  }
}
