/** How a forwarded stream begins: its events before the first that is part of an answer. */
import type { ProviderError } from '../../canonical/chat-reply.ts';
import { isObject } from '../../kernel/json.ts';
import { noBytes } from '../../kernel/no-bytes.ts';
import { readValues } from '../formats/shared/events.ts';
import type { ForwardFormat } from '../formats/shared/forward-format.ts';
import { ChunkBuffer } from './stream-buffers.ts';

function valuesIn(events: Buffer, format: ForwardFormat): Record<string, unknown>[] {
  const isEvent = (value: unknown): value is Record<string, unknown> =>
    isObject(value) && format.isEvent?.(value) !== false;
  return readValues(events).filter(isEvent);
}

const holdsMore = (values: readonly Record<string, unknown>[], format: ForwardFormat): boolean =>
  values.some((value) => format.isGreeting?.(value) !== true);

/** Whether something of an answer is in whole events, not only a promise of one. */
export function holdsWord(events: Buffer, format: ForwardFormat): boolean {
  return holdsMore(valuesIn(events, format), format);
}

/** What the first events are. `promise`: an answer may follow, and an error, too. */
export type FirstEvents = 'nothing' | 'promise' | 'answer' | { readonly error: ProviderError };

export class ForwardOpening {
  readonly phase = 'opening';
  readonly #format: ForwardFormat;
  readonly #readError: (raw: unknown) => ProviderError;
  readonly #early = new ChunkBuffer();
  /** An event of the format has come. */
  #isGreeted = false;

  /** `readError` reads the provider's own error object. */
  constructor(format: ForwardFormat, readError: (raw: unknown) => ProviderError) {
    this.#format = format;
    this.#readError = readError;
  }

  /** Bytes of events that are kept. */
  get size(): number {
    return this.#early.size;
  }

  /** Events came, none of which can be read. */
  get isUnreadable(): boolean {
    return this.size > 0 && !this.#isGreeted;
  }

  /** Judges whole events. Those that are no answer yet, and no comments, are kept. */
  take(events: Buffer): FirstEvents {
    const format = this.#format;
    if (!events.includes('data:')) return 'nothing'; // comments that keep the connection open
    const error = format.errorIn(events, this.#readError);
    if (error !== undefined) return { error };
    const values = valuesIn(events, format);
    if (holdsMore(values, format)) return 'answer';
    this.#isGreeted ||= values.length > 0;
    if (this.#isGreeted && format.isFinished(events)) return 'answer';
    this.#early.push(events);
    return this.#isGreeted ? 'promise' : 'nothing';
  }

  /** All events that were kept, and the next ones; nothing is kept afterwards. */
  takeWith(events: Buffer = noBytes): Buffer {
    return this.#early.takeWith(events);
  }
}
