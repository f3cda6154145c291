/**
 * The images of one user in this browser. They outlive the page: what was paid is not lost by a
 * reload (docs/rules/console.md#image-playground).
 */
import { isObject } from '../../../../core/kernel/json.ts';
import { reachable } from '../../../browser/result-address.ts';
import { chargeNow, findCharge, mayHaveCost, wait } from '../charges.ts';
import type { MessageError } from '../chat/message.ts';
import { PlaygroundError, postAsUser, requestIdOf, stopImages } from '../post.ts';
import { findKept, isKeptImage } from './kept-images.ts';

export interface ImageOrder {
  readonly model: string;
  readonly group: string;
  readonly prompt: string;
  readonly size: string;
  /** '': the model has no such setting. */
  readonly quality: string;
  readonly count: number;
  /** The image that is edited; absent: a new one is made. */
  readonly source?: Blob;
}

export interface ImageRun {
  readonly id: string;
  readonly order: ImageOrder;
  /** left: the page was left, and the gateway has no images of the order either. */
  readonly status: 'loading' | 'complete' | 'stopped' | 'left' | 'error';
  /** Milliseconds. */
  readonly sentAt: number;
  readonly requestId?: string;
  /** Addresses, or the images themselves as `data:`. */
  readonly images: readonly string[];
  readonly error?: MessageError;
  readonly totalMs?: number;
  /** Quota, once it is known. */
  readonly quota?: number;
}

/** Where runs are kept. It never fails. */
export interface ImageBox {
  all(): Promise<readonly ImageRun[]>;
  put(run: ImageRun): Promise<void>;
  remove(id: string): Promise<void>;
}

/** Runs that are kept. */
const most = 30;
/** Milliseconds in which a charge is looked for that the page did not learn in time. */
const chargeAge = 24 * 3_600_000;
/** Milliseconds until an order of a page that was left is looked for again, and given up. */
const followPause = 4000;
const followAge = 15 * 60_000;

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
  readonly #box: ImageBox;
  #isClosed = false;
  #runs: readonly ImageRun[] = [];

  constructor(box: ImageBox, onCharged: () => void) {
    this.#box = box;
    this.#onCharged = onCharged;
    void this.#restore();
  }

  /** What was ordered before the page was left; its cost is looked for where it was not known. */
  async #restore(): Promise<void> {
    const stored = (await this.#box.all())
      .filter(({ id }) => this.#runs.every((run) => run.id !== id))
      .sort((a, b) => b.sentAt - a.sentAt);
    this.#set([...this.#runs, ...stored]);
    const since = Date.now() - chargeAge;
    for (const run of stored)
      if (run.status === 'loading') void this.#follow(run);
      else if (run.images.some(isKeptImage)) void this.#renew(run);
      else if (run.quota === undefined && run.sentAt > since && mayHaveCost(run.error))
        void this.#charge(run);
  }

  /** Links to what the gateway keeps end after an hour. */
  async #renew({ id, sentAt }: ImageRun): Promise<void> {
    const kept = await findKept(id, sentAt);
    if (kept === undefined) return;
    this.#edit(id, kept);
    this.#keep(id);
  }

  /** An order of a page that was left goes on: its images are found when they are kept. */
  async #follow({ id, requestId, sentAt }: ImageRun): Promise<void> {
    let charge: Awaited<ReturnType<typeof chargeNow>>;
    for (;;) {
      if (this.#runs.find((run) => run.id === id)?.status !== 'loading') return;
      const isOver = charge !== undefined;
      const kept = await findKept(id, sentAt);
      if (kept !== undefined) {
        this.#edit(id, { ...kept, status: 'complete' });
        break;
      }
      if (isOver || Date.now() > sentAt + followAge) {
        this.#edit(id, { status: 'left', ...(charge && { quota: charge.quota }) });
        break;
      }
      charge = await chargeNow({ key: id, requestId, sentAt });
      // What was charged just now is kept in a moment.
      await wait(followPause);
    }
    this.#keep(id);
    this.#onCharged();
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
    const run: ImageRun = { id, order, status: 'loading', images: [], sentAt: startedAt };
    for (const { id: old } of this.#runs.slice(most - 1)) this.remove(old);
    this.#set([run, ...this.#runs]);
    this.#put(run);
    let failure: MessageError | undefined;
    try {
      const { path, body } = requestOf(order);
      const response = await postAsUser(path, body, abort.signal, id);
      const requestId = requestIdOf(response);
      if (requestId !== undefined) this.#edit(id, { requestId });
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
    const made = this.#keep(id);
    if (made !== undefined && mayHaveCost(failure)) await this.#charge(made);
    else this.#onCharged();
  }

  /** Notes what a run cost. */
  async #charge({ id, requestId, sentAt }: ImageRun): Promise<void> {
    const charge = await findCharge({ key: id, requestId, sentAt });
    if (charge !== undefined) this.#edit(id, { quota: charge.quota });
    this.#keep(id);
    this.#onCharged();
  }

  /** Stores a run as it is now; undefined: it was removed. */
  #keep(id: string): ImageRun | undefined {
    const run = this.#runs.find((other) => other.id === id);
    if (run !== undefined) this.#put(run);
    return run;
  }

  #put(run: ImageRun): void {
    if (!this.#isClosed) void this.#box.put(run);
  }

  /** Its user has signed out: nothing is kept any more. Orders go on at the gateway. */
  close(): void {
    this.#isClosed = true;
    this.#set([]);
  }

  /** Ends the request and forgets its images. */
  remove(id: string): void {
    this.stop(id);
    this.#set(this.#runs.filter((run) => run.id !== id));
    void this.#box.remove(id);
  }

  stop(id: string): void {
    if (this.#runs.find((run) => run.id === id)?.status !== 'loading') return;
    void stopImages(id);
    const running = this.#running.get(id);
    if (running !== undefined) return running.abort();
    this.#edit(id, { status: 'stopped' });
    this.#keep(id);
  }

  #edit(id: string, fields: Partial<ImageRun>): void {
    this.#set(this.#runs.map((run) => (run.id === id ? { ...run, ...fields } : run)));
  }

  #set(runs: readonly ImageRun[]): void {
    this.#runs = runs;
    for (const listener of this.#listeners) listener();
  }
}

function requestOf({ count, quality, source, ...rest }: ImageOrder) {
  const fields = { ...rest, n: count, ...(quality === '' ? {} : { quality }) };
  if (source === undefined) return { path: '/pg/images/generations', body: fields };
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, String(value));
  const extension = source.type.slice(source.type.indexOf('/') + 1) || 'png';
  body.set('image', source, `image.${extension}`);
  return { path: '/pg/images/edits', body };
}

function detailsOf(error: unknown): MessageError {
  return error instanceof PlaygroundError
    ? error.details
    : { status: 0, code: 'stream_broken', type: '', text: '' };
}
