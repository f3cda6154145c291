/**
 * The images made since the console was opened. They are too large for the browser's storage; the
 * reader downloads what is worth keeping.
 */
import { isObject } from '../../../../core/kernel/json.ts';
import { reachable } from '../../../browser/result-address.ts';
import { findCharge, mayHaveCost } from '../charges.ts';
import type { MessageError } from '../chat/message.ts';
import { PlaygroundError, postAsUser, requestIdOf } from '../post.ts';

export interface ImageOrder {
  readonly model: string;
  readonly group: string;
  readonly prompt: string;
  readonly size: string;
  /** '': the model has no such setting. */
  readonly quality: string;
  readonly count: number;
}

export interface ImageRun {
  readonly id: string;
  readonly order: ImageOrder;
  readonly status: 'loading' | 'complete' | 'stopped' | 'error';
  /** Addresses, or the images themselves as `data:`. */
  readonly images: readonly string[];
  readonly error?: MessageError;
  readonly totalMs?: number;
  /** Quota, once it is known. */
  readonly quota?: number;
}

/** Runs that are kept. */
const most = 30;

/** The images of a reply. What is no address of an image is left out. */
export function readImages(reply: unknown): readonly string[] {
  const data = isObject(reply) ? reply['data'] : undefined;
  if (!Array.isArray(data)) return [];
  return data.filter(isObject).flatMap(({ b64_json: bytes, url }) => {
    if (typeof bytes === 'string' && bytes !== '') return [`data:${typeOf(bytes)};base64,${bytes}`];
    const address = typeof url === 'string' ? reachable(url) : '';
    return address === '' ? [] : [address];
  });
}

/** By the first bytes, as base64 writes them. */
function typeOf(base64: string): string {
  if (base64.startsWith('/9j/')) return 'image/jpeg';
  if (base64.startsWith('UklGR')) return 'image/webp';
  return base64.startsWith('R0lGOD') ? 'image/gif' : 'image/png';
}

export class ImageStore {
  readonly #listeners = new Set<() => void>();
  readonly #running = new Map<string, AbortController>();
  readonly #onCharged: () => void;
  #runs: readonly ImageRun[] = [];

  constructor(onCharged: () => void) {
    this.#onCharged = onCharged;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Newest first. */
  readonly runs = (): readonly ImageRun[] => this.#runs;

  async generate(order: ImageOrder): Promise<void> {
    const id = crypto.randomUUID();
    const startedAt = Date.now();
    const abort = new AbortController();
    this.#running.set(id, abort);
    this.#set(
      [{ id, order, status: 'loading', images: [] } satisfies ImageRun, ...this.#runs].slice(
        0,
        most,
      ),
    );
    const { count, quality, ...rest } = order;
    let requestId: string | undefined;
    let failure: MessageError | undefined;
    try {
      const body = { ...rest, n: count, ...(quality === '' ? {} : { quality }) };
      const response = await postAsUser('/pg/images/generations', body, abort.signal, id);
      requestId = requestIdOf(response);
      const images = readImages(await response.json());
      this.#edit(id, { status: 'complete', images });
    } catch (error) {
      if (!abort.signal.aborted) failure = detailsOf(error);
      this.#edit(
        id,
        failure === undefined ? { status: 'stopped' } : { status: 'error', error: failure },
      );
    }
    this.#running.delete(id);
    this.#edit(id, { totalMs: Date.now() - startedAt });
    const charge = mayHaveCost(failure)
      ? await findCharge({ key: id, requestId, sentAt: startedAt })
      : undefined;
    if (charge !== undefined) this.#edit(id, { quota: charge.quota });
    this.#onCharged();
  }

  /** Ends the request and forgets its images. */
  remove(id: string): void {
    this.stop(id);
    this.#set(this.#runs.filter((run) => run.id !== id));
  }

  stop(id: string): void {
    this.#running.get(id)?.abort();
  }

  #edit(id: string, fields: Partial<ImageRun>): void {
    this.#set(this.#runs.map((run) => (run.id === id ? { ...run, ...fields } : run)));
  }

  #set(runs: readonly ImageRun[]): void {
    this.#runs = runs;
    for (const listener of this.#listeners) listener();
  }
}

function detailsOf(error: unknown): MessageError {
  return error instanceof PlaygroundError
    ? error.details
    : { status: 0, code: 'stream_broken', type: '', text: '' };
}
