/**
 * One response that this process works on (docs/rules/responses.md#background): its status, and the
 * events that are not written to the database yet.
 */
import type { JsonObject } from '../../kernel/json.ts';
import type { BackgroundResponseRepository, ResponseKey } from '../../storage/storage.ts';

export interface RecordedEvent {
  readonly number: number;
  readonly event: JsonObject;
}

export interface RunDeps {
  readonly repository: Pick<BackgroundResponseRepository, 'addEvents' | 'start'>;
  /** Events as the repository takes them. */
  readonly pack: (events: readonly RecordedEvent[]) => Promise<string>;
  /** Whether the user may keep this many bytes more. */
  readonly hasRoom: (bytes: number) => Promise<boolean>;
  /** They were not kept after all. */
  readonly giveRoom: () => void;
  readonly onError: (error: unknown) => void;
}

/** Milliseconds between two writes: what another process sees late. */
const flushInterval = 500;
/** Characters of events that wait at most; then no more are kept. */
const mostWaiting = 8 * 1024 * 1024;

export class BackgroundRun {
  readonly key: ResponseKey;
  /** The response as it began. */
  readonly head: JsonObject;
  readonly #deps: RunDeps;
  readonly #streamed: boolean;
  /** No room for more events: readers get those that there are, and the last one. */
  #full = false;
  #status: 'queued' | 'in_progress' = 'queued';
  #tail: RecordedEvent[] = [];
  #weight = 0;
  #next = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #change = Promise.withResolvers<void>();
  #abort: () => void = () => undefined;
  #aborted = false;

  constructor(key: ResponseKey, head: JsonObject, streamed: boolean, deps: RunDeps) {
    this.key = key;
    this.head = head;
    this.#streamed = streamed;
    this.#deps = deps;
  }

  get status(): string {
    return this.#status;
  }

  /** Calls `abort` when nobody wants the response any more; at once if that was before. */
  onAbort(abort: () => void): void {
    this.#abort = abort;
    if (this.#aborted) abort();
  }

  abort(): void {
    this.#aborted = true;
    this.#abort();
  }

  /** The upstream has begun. */
  start(): void {
    if (this.#status === 'in_progress') return;
    this.#status = 'in_progress';
    void this.#deps.repository.start(this.key).catch(this.#deps.onError);
    this.push('response.in_progress', { response: { ...this.head, status: 'in_progress' } });
  }

  /** Numbers and keeps an event. */
  push(type: string, fields: JsonObject): void {
    if (!this.#streamed || this.#full) return;
    const event = { type, sequence_number: this.#next, ...fields };
    this.#tail.push({ number: this.#next, event });
    this.#next += 1;
    this.#weight += JSON.stringify(event).length;
    if (this.#weight > mostWaiting) this.#forget();
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.flush();
    }, flushInterval).unref();
    this.wake();
  }

  /** Events after the number; undefined: the database has the next one. */
  after(number: number): readonly RecordedEvent[] | undefined {
    const [first] = this.#tail;
    const from = first === undefined ? this.#next : first.number;
    return number + 1 < from ? undefined : this.#tail.filter((one) => one.number > number);
  }

  /** Resolves with the next event, or when the response has ended. */
  changed(): Promise<void> {
    return this.#change.promise;
  }

  wake(): void {
    this.#change.resolve();
    this.#change = Promise.withResolvers();
  }

  /** Writes what waits. Never rejects: what could not be written waits on. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  /** Everything that is not written yet, with a last event. Nothing may be pushed afterwards. */
  async close(type: string, fields: JsonObject) {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#writing;
    if (!this.#streamed) return undefined;
    const event = { type, sequence_number: this.#next, ...fields };
    const events = [...this.#tail, { number: this.#next, event }];
    return {
      ...this.key,
      firstNumber: events[0]?.number ?? this.#next,
      lastNumber: this.#next,
      events: await this.#deps.pack(events),
    };
  }

  async #write(): Promise<void> {
    const events = [...this.#tail];
    const [first] = events;
    const last = events.at(-1);
    if (first === undefined || last === undefined) return;
    try {
      const packed = await this.#deps.pack(events);
      if (!(await this.#deps.hasRoom(packed.length))) return this.#forget();
      await this.#deps.repository.addEvents({
        ...this.key,
        firstNumber: first.number,
        lastNumber: last.number,
        events: packed,
      });
      this.#tail = this.#tail.slice(events.length);
      this.#weight = 0;
      for (const { event } of this.#tail) this.#weight += JSON.stringify(event).length;
    } catch (error) {
      this.#deps.giveRoom();
      this.#deps.onError(error);
    }
  }

  #forget(): void {
    this.#full = true;
    this.#tail = [];
  }
}
