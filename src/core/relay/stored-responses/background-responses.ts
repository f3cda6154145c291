/**
 * The responses that the gateway works on in the background, of this process and of the others
 * that share the database (docs/rules/responses.md#background).
 */
import type { Topic } from '../../cluster/cluster.ts';
import { type Clock, nowSeconds } from '../../kernel/clock.ts';
import { AppError } from '../../kernel/errors.ts';
import type { JsonObject, JsonValue } from '../../kernel/json.ts';
import type { Logger } from '../../kernel/logger.ts';
import { workThrough } from '../../kernel/work-through.ts';
import type {
  BackgroundResponse,
  BackgroundResponseRepository,
  EndedResponse,
  ResponseKey,
} from '../../storage/storage.ts';
import { BackgroundRun, type RecordedEvent } from './background-run.ts';
import { packJson, unpackJson } from './response-content.ts';
import { mostContent, type ResponseStore } from './response-store.ts';

/** A response that begins. */
export interface BegunResponse extends ResponseKey {
  readonly previousId: string;
  /** As in {@link StoredResponse}. */
  readonly conversation: string;
  readonly model: string;
  readonly input: JsonValue;
  /** The response object, `queued`. */
  readonly response: JsonObject;
  /** Its events are kept, to be read again. */
  readonly streamed: boolean;
}

/** How it ended, as its owner reads it. */
export type RunEnd = Pick<EndedResponse, 'tokens' | 'channelId' | 'healthKey' | 'itemIds'> & {
  readonly response: JsonObject;
};

export interface EventPage {
  readonly events: readonly RecordedEvent[];
  /** Nothing follows these events. */
  readonly ended: boolean;
  /** Resolves when it may be worth reading on. */
  changed(signal: AbortSignal): Promise<void>;
}

export interface BackgroundResponsesDeps {
  readonly repository: BackgroundResponseRepository;
  readonly responses: Pick<ResponseStore, 'read' | 'takeRoom' | 'forgetRoom'>;
  readonly topic: Topic<ResponseKey>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Of this process, new at each start. */
  readonly owner: string;
  /** Several processes may write to the database. */
  readonly isShared: boolean;
  /** Days that contents are kept; 0: none are. */
  readonly days: () => number;
  /** Responses that a user may have under way. */
  readonly most: () => number;
  /** The response with an error: its process ended. */
  readonly failLost: (response: JsonObject) => JsonObject;
}

/** Seconds that a process may be silent before its responses are given up. */
const leaseSeconds = 30;
/** Seconds between two renewals. */
export const renewInterval = 10;
/** Milliseconds between two looks at the events of another process. */
const pollInterval = 500;
/** Pieces of events read at once, and lost responses ended at once. */
const mostPieces = 8;
const mostLost = 50;
/**
 * Clients may have read events that their process did not write any more: the last one has a number
 * above all of them.
 */
const lostGap = 1_000_000;
const secondsPerDay = 86_400;

const nameOf = ({ userId, responseId }: ResponseKey): string => `${userId} ${responseId}`;

export class BackgroundResponses {
  readonly #deps: BackgroundResponsesDeps;
  readonly #runs = new Map<string, BackgroundRun>();
  /** Runs that have ended and could not be stored. */
  readonly #unstored = new Map<BackgroundRun, RunEnd>();

  constructor(deps: BackgroundResponsesDeps) {
    this.#deps = deps;
    deps.topic.subscribe((key) => this.#runs.get(nameOf(key))?.abort());
  }

  /**
   * Stores the response as `queued`. Throws AppError background_not_stored where the site or the
   * user has no room for it, too_many_background.
   */
  async begin({ streamed, input, response, ...key }: BegunResponse): Promise<BackgroundRun> {
    const { repository, responses, clock, owner, days, most } = this.#deps;
    const now = nowSeconds(clock);
    const texts = [JSON.stringify(input), JSON.stringify(response)] as const;
    const [inputSize, responseSize] = texts.map((text) => Buffer.byteLength(text));
    const sizes = { inputSize: inputSize ?? 0, responseSize: responseSize ?? 0 };
    const size = sizes.inputSize + sizes.responseSize;
    const fits = days() > 0 && texts[0].length + texts[1].length <= mostContent;
    if (!fits || !(await responses.takeRoom(key.userId, size)))
      throw new AppError('background_not_stored');
    const row = {
      ...key,
      ...sizes,
      channelId: 0,
      healthKey: '',
      held: false,
      status: 'queued',
      tokens: 0,
      itemIds: [],
      createdAt: now,
      expiresAt: now + days() * secondsPerDay,
      input: await packJson(texts[0]),
      response: await packJson(texts[1]),
    };
    const limit = { most: most(), now };
    const lease = { owner, streamed, leaseUntil: now + leaseSeconds };
    let isStored = false;
    try {
      isStored = await repository.begin(row, lease, limit);
    } finally {
      if (!isStored) responses.forgetRoom();
    }
    if (!isStored) throw new AppError('too_many_background', { limit: limit.most, retryAfter: 1 });
    const run = new BackgroundRun(key, response, streamed, {
      repository,
      pack: (events) => packJson(JSON.stringify(events.map(({ event }) => event))),
      hasRoom: (bytes) => responses.takeRoom(key.userId, bytes),
      giveRoom: () => responses.forgetRoom(),
      onError: (error) =>
        this.#deps.logger.error({ error, response: key.responseId }, 'events could not be stored'),
    });
    this.#runs.set(nameOf(key), run);
    return run;
  }

  /**
   * The end of a run. What was cancelled or deleted meanwhile stays so. Never rejects: where the
   * database is not there, the end is stored with a later renewal.
   */
  async end(run: BackgroundRun, end: RunEnd): Promise<void> {
    try {
      await this.#store(run.key, end, (type, fields) => run.close(type, fields));
      this.#unstored.delete(run);
      this.#runs.delete(nameOf(run.key));
      run.wake();
    } catch (error) {
      this.#unstored.set(run, end);
      this.#deps.logger.error(
        { error, response: run.key.responseId },
        'a background response could not be stored',
      );
    }
  }

  /** Null: the response is not one of the background. One whose process ended has failed. */
  async find(key: ResponseKey): Promise<BackgroundResponse | null> {
    const { repository, owner, isShared, clock } = this.#deps;
    const row = await repository.find(key);
    const run = this.#runs.get(nameOf(key));
    if (row === null || row.leaseUntil === 0) return row;
    if (run !== undefined) return { ...row, status: run.status };
    const isLost = row.leaseUntil < nowSeconds(clock) || (!isShared && row.owner !== owner);
    if (!isLost) return row;
    await this.#fail(row);
    return repository.find(key);
  }

  /** Ends a response that is under way as `cancelled`. Of one that has ended nothing changes. */
  async cancel(key: ResponseKey): Promise<void> {
    const content = await this.#deps.responses.read(key.userId, key.responseId);
    if (content === null) throw new AppError('response_not_found', { id: key.responseId });
    await this.#runs.get(nameOf(key))?.flush();
    const response = { ...content.response, status: 'cancelled' };
    await this.#store(key, { ...unserved, response });
    this.abort(key);
  }

  /** Nobody wants the response any more: whichever process works on it stops. */
  abort(key: ResponseKey): void {
    this.#deps.topic.publish(key);
  }

  /** Events of a response after a number, wherever it is worked on. */
  async events(key: ResponseKey, after: number): Promise<EventPage> {
    const run = this.#runs.get(nameOf(key));
    const tail = run?.after(after);
    if (run !== undefined && tail !== undefined) {
      const changed = run.changed();
      return { events: tail, ended: false, changed: (signal) => aborted(changed, signal) };
    }
    const row = await this.find(key);
    const pieces = await this.#deps.repository.listEvents(key, after, mostPieces);
    const events: RecordedEvent[] = [];
    for (const piece of pieces) {
      const list = (await unpackJson(piece.events)) as readonly JsonObject[];
      list.forEach((event, index) => {
        const number = piece.firstNumber + index;
        if (number > after) events.push({ number, event });
      });
    }
    const hasEnded = row === null || row.leaseUntil === 0;
    return {
      events,
      ended: hasEnded && pieces.length < mostPieces,
      changed: (signal) => this.#deps.clock.sleep(pollInterval, signal),
    };
  }

  /** Says that this process still works on its responses, and stops those that are not wanted. */
  async renew(): Promise<void> {
    if (this.#runs.size === 0) return;
    const { repository, owner, clock } = this.#deps;
    const before = [...this.#runs.values()];
    const wanted = new Set(
      (await repository.renew(owner, nowSeconds(clock) + leaseSeconds)).map(nameOf),
    );
    for (const run of before) if (!wanted.has(nameOf(run.key))) run.abort();
    for (const [run, end] of [...this.#unstored]) await this.end(run, end);
  }

  /** Ends the responses of processes that are gone. */
  async endLost(signal: AbortSignal): Promise<void> {
    const { repository, owner, isShared, clock, logger } = this.#deps;
    const now = nowSeconds(clock);
    const only = isShared ? {} : { owner };
    await workThrough({
      read: (limit, passed) => repository.listLost(now, only, limit, passed),
      batch: mostLost,
      work: async (row) => {
        // Its end could not be stored yet.
        if (this.#runs.has(nameOf(row))) return false;
        await this.#fail(row);
        return true;
      },
      failed: (error, { responseId }) =>
        logger.error({ error, response: responseId }, 'a lost response could not be ended'),
      signal,
    });
  }

  async #fail(row: BackgroundResponse): Promise<void> {
    const { responses, failLost } = this.#deps;
    const content = await responses.read(row.userId, row.responseId);
    const key = { userId: row.userId, responseId: row.responseId };
    const response = failLost(content?.response ?? { id: row.responseId, object: 'response' });
    await this.#store(key, { ...unserved, response }, async (type, fields) => {
      if (!row.streamed) return undefined;
      const number = row.lastNumber + lostGap;
      const events = JSON.stringify([{ type, sequence_number: number, ...fields }]);
      return { ...key, firstNumber: number, lastNumber: number, events: await packJson(events) };
    });
  }

  async #store(
    key: ResponseKey,
    { response: given, ...end }: RunEnd,
    close?: BackgroundRun['close'],
  ): Promise<void> {
    const whole = JSON.stringify(given);
    const response =
      whole.length <= mostContent ? given : { ...this.#deps.failLost(given), output: [] };
    const text = response === given ? whole : JSON.stringify(response);
    const status = String(response['status']);
    const last = await close?.(`response.${status}`, { response });
    await this.#deps.repository.end(
      {
        ...key,
        ...end,
        status,
        response: await packJson(text),
        responseSize: Buffer.byteLength(text),
      },
      last,
    );
  }
}

/** The end of a response that no channel has served. */
const unserved = { tokens: 0, channelId: 0, healthKey: '', itemIds: [] } as const;

/** Rejects with the signal's reason when it aborts first. */
function aborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    void work.then(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    });
  });
}
