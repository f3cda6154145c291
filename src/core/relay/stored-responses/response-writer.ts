/**
 * Writes stored responses: all that are waiting go into one transaction, so that a busy site makes
 * few. The ends of their replies wait for it, and reads of a user wait until that user's responses
 * are written.
 */
import type { Logger } from '../../kernel/logger.ts';
import type { NewStoredResponse, StoredResponseRepository } from '../../storage/storage.ts';

interface Waiting {
  readonly userId: number;
  readonly weight: number;
  prepare(): Promise<NewStoredResponse>;
}

interface Entry extends Waiting {
  readonly written: Promise<void>;
  readonly done: () => void;
}

/**
 * Characters of content that may wait to be written. Beyond it only ids are kept: the next turn of
 * those needs the upstream.
 */
const mostWaiting = 64 * 1024 * 1024;
/** Responses in one transaction. */
const mostAtOnce = 64;

export class ResponseWriter {
  readonly #repository: Pick<StoredResponseRepository, 'insertMany'>;
  readonly #logger: Logger;
  readonly #onLost: () => void;
  #queue: Entry[] = [];
  /** The newest response of each user that is not written yet. */
  readonly #newest = new Map<number, Entry>();
  #weight = 0;
  #running: Promise<void> | undefined;

  /** `onLost`: a response that was prepared could not be stored. */
  constructor(
    repository: Pick<StoredResponseRepository, 'insertMany'>,
    logger: Logger,
    onLost: () => void,
  ) {
    this.#repository = repository;
    this.#logger = logger;
    this.#onLost = onLost;
  }

  /** Whether content of this many characters may wait as well. */
  hasRoom(weight: number): boolean {
    return this.#weight + weight <= mostWaiting;
  }

  /**
   * Resolves when the response is written, or lost. `prepare` must not depend on the request. It is
   * called once, soon; `weight`: the characters that it holds in memory.
   */
  add(waiting: Waiting): Promise<void> {
    const { promise: written, resolve: done } = Promise.withResolvers<void>();
    const entry = { ...waiting, written, done };
    this.#queue.push(entry);
    this.#newest.set(entry.userId, entry);
    this.#weight += entry.weight;
    this.#running ??= this.#run();
    return written;
  }

  /**
   * Resolves when what the user has read so far is written; what is added later is not waited for.
   */
  async written(userId: number): Promise<void> {
    await this.#newest.get(userId)?.written;
  }

  /** Resolves when everything is written. */
  async drained(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async #run(): Promise<void> {
    // What else ends in this moment comes along.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#queue.length > 0) {
      const batch = this.#queue.splice(0, mostAtOnce);
      await this.#write(batch);
      for (const entry of batch) {
        if (this.#newest.get(entry.userId) === entry) this.#newest.delete(entry.userId);
        this.#weight -= entry.weight;
        entry.done();
      }
    }
    this.#running = undefined;
  }

  /**
   * Never rejects. Where the batch is refused, each response is written alone, and one that is
   * refused is lost.
   */
  async #write(batch: readonly Waiting[]): Promise<void> {
    const rows: NewStoredResponse[] = [];
    for (const { prepare } of batch) {
      try {
        rows.push(await prepare());
      } catch (error) {
        this.#logger.error({ error }, 'a response could not be prepared for storage');
      }
    }
    try {
      await this.#repository.insertMany(rows);
    } catch {
      for (const row of rows) {
        await this.#repository.insertMany([row]).catch((error: unknown) => {
          this.#onLost();
          this.#logger.error({ error, response: row.responseId }, 'a response could not be stored');
        });
      }
    }
  }
}
