/**
 * The conversations of a connection's last responses that were not to be stored
 * (docs/rules/realtime.md#responses-continuation): a client continues one by its id all the same,
 * so every upstream is sent what the connection remembers of it.
 */
import type { JsonValue } from '../../kernel/json.ts';
import type { RequestMemory } from '../memory.ts';

/** Responses that can be continued: the last one, and a few before it for clients that go back. */
const mostResponses = 8;

/** Characters added for each item: many small ones take more memory than their text. */
const leastItem = 100;

function measure(items: readonly JsonValue[]): number {
  return items.length === 0 ? 0 : JSON.stringify(items).length + items.length * leastItem;
}

/** What a response adds to a conversation. */
export interface Continuation {
  /** The response that it continues, if the connection remembers that. */
  readonly before: string | undefined;
  /** The stored response that the remembered part of the conversation continues. */
  readonly stored: string | undefined;
  readonly earlier: readonly JsonValue[];
  readonly added: readonly JsonValue[];
}

export interface Remembered {
  /** The stored response that the items continue. */
  readonly stored: string | undefined;
  readonly items: readonly JsonValue[];
  readonly size: number;
}

/** The memory of the connection (docs/rules/relay.md#memory-budget). */
export type SharedMemory = Pick<RequestMemory, 'tryTakeBody' | 'giveBody'>;

export class ResponseMemory {
  readonly #limit: number;
  readonly #memory: SharedMemory;
  readonly #known = new Map<string, Remembered>();
  #size = 0;

  /**
   * `limit`: characters of JSON kept at most. `memory`: where they are counted; without room
   * nothing is remembered.
   */
  constructor(limit: number, memory: SharedMemory) {
    this.#limit = limit;
    this.#memory = memory;
  }

  /**
   * The conversation up to and including the response; undefined: not of this connection, stored,
   * or forgotten.
   */
  find(id: string): Remembered | undefined {
    return this.#known.get(id);
  }

  /** `added` follows the response `before`, whose returnable items are `earlier`. */
  remember(id: string, { before, stored, earlier, added }: Continuation): void {
    // Only what is new is measured: a frame of a few bytes may continue a conversation of a hundred
    // megabytes.
    const known = before === undefined ? undefined : this.#known.get(before);
    const size = (known?.size ?? measure(earlier)) + measure(added);
    const items = [...earlier, ...added];
    this.#forget(id);
    if (size > this.#limit || !this.#memory.tryTakeBody(size)) return;
    this.#known.set(id, { stored, items, size });
    this.#size += size;
    for (const [oldest] of this.#known) {
      if (this.#size <= this.#limit && this.#known.size <= mostResponses) break;
      this.#forget(oldest);
    }
  }

  #forget(id: string): void {
    const size = this.#known.get(id)?.size ?? 0;
    this.#size -= size;
    this.#memory.giveBody(size);
    this.#known.delete(id);
  }
}
