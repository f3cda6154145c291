/**
 * The rows of a list of entities: loaded page by page, of one tag or all, in the gateway's order or
 * another one.
 */
import type { Text } from '../base/text.ts';
import type { EntitySpec, RowOrder } from './entity-spec.ts';
import type { Host } from './view.ts';

/** Pages that are loaded to sort a list here, or to find its tags. */
const mostPages = 50;
/** Keys that follow each other sooner are one filter. */
const typingMs = 120;

export class EntityRows<Row> {
  readonly #host: Host;
  readonly #spec: EntitySpec<Row>;
  #loaded: readonly Row[] = [];
  #total = 0;
  #pages = 0;
  /** Number of the last load: the result of an earlier one is dropped. */
  #load = 0;
  #isLoading = false;
  /** The last load from the first page. */
  #reloading: Promise<boolean> = Promise.resolve(true);
  /** The only tag shown; undefined: any. */
  #tag: string | undefined;
  /** Place in `orders`; -1: as the gateway sorts. */
  #order = -1;
  filter = '';
  /** The filter of the loaded rows. */
  #shownFilter = '';

  constructor(host: Host, spec: EntitySpec<Row>) {
    this.#host = host;
    this.#spec = spec;
  }

  get isLoaded(): boolean {
    return this.#pages > 0;
  }
  /** Whether the loaded rows are those of an earlier filter. */
  get isOutdated(): boolean {
    return this.filter !== this.#shownFilter;
  }
  get total(): number {
    return this.#total;
  }
  get isComplete(): boolean {
    return this.#loaded.length >= this.#total;
  }
  get tag(): string | undefined {
    return this.#tag;
  }
  get orderTitle(): Text | undefined {
    return this.#currentOrder?.title;
  }
  /** Whether the order holds only among the rows that are loaded. */
  get isPartlySorted(): boolean {
    const order = this.#currentOrder;
    return order !== undefined && 'figure' in order && !this.isComplete;
  }
  get #currentOrder(): RowOrder<Row> | undefined {
    return this.#spec.orders?.[this.#order];
  }

  #loadPage(page: number) {
    const order = this.#currentOrder;
    const load = order !== undefined && 'load' in order ? order.load : this.#spec.load;
    return load(this.#host, this.filter, page);
  }

  /** Loads again as many pages as were loaded. False if a later load has begun meanwhile. */
  reload(): Promise<boolean> {
    this.#reloading = this.#loadPages(Math.max(1, this.#pages));
    return this.#reloading;
  }

  async #loadPages(wanted: number): Promise<boolean> {
    const mine = ++this.#load;
    const { filter } = this;
    const rows: Row[] = [];
    let pages = 0;
    let total = 0;
    do {
      const page = await this.#loadPage(pages);
      if (mine !== this.#load) return false;
      rows.push(...page.items);
      total = page.total;
      pages += 1;
      if (page.items.length === 0) break;
    } while (pages < wanted && rows.length < total);
    this.#loaded = rows;
    this.#total = total;
    this.#pages = pages;
    this.#shownFilter = filter;
    return true;
  }

  /** For a new filter: from the first page. The rows before stay until the new ones are there. */
  restart(filter: string): Promise<boolean> {
    this.filter = filter;
    this.#reloading = this.#restart();
    return this.#reloading;
  }

  async #restart(): Promise<boolean> {
    const mine = ++this.#load;
    await this.#host.clock.sleep(typingMs);
    return mine === this.#load && this.#loadPages(1);
  }

  /** Loads the next page. False if there is none, or it is being loaded. */
  async loadMore(): Promise<boolean> {
    if (this.isComplete || this.#isLoading) return false;
    this.#isLoading = true;
    const mine = this.#load;
    try {
      const { items, total } = await this.#loadPage(this.#pages);
      if (mine !== this.#load) return false;
      this.#pages += 1;
      this.#loaded = [...this.#loaded, ...items];
      this.#total = items.length === 0 ? this.#loaded.length : total;
      return items.length > 0;
    } finally {
      this.#isLoading = false;
    }
  }

  /** Any tag, then each tag, then the rows without one. */
  async nextTag(): Promise<void> {
    const { tags } = this.#spec;
    if (tags === undefined) return;
    await this.#loadRest();
    const names = [...new Set(this.#loaded.map((row) => tags.of(row)))];
    names.sort((a, b) => (a === '' ? 1 : b === '' ? -1 : a < b ? -1 : 1));
    const choices = [undefined, ...names];
    this.#tag = choices[(choices.indexOf(this.#tag) + 1) % choices.length];
  }

  /**
   * The next order, at last that of the gateway again. It holds for the whole list: the gateway
   * sorts, or the other rows are loaded.
   */
  async nextOrder(): Promise<void> {
    const { orders = [] } = this.#spec;
    const before = this.#order;
    const isServed = () => 'load' in (this.#currentOrder ?? {});
    const wasServed = isServed();
    this.#order = before + 1 >= orders.length ? -1 : before + 1;
    if (wasServed || isServed()) {
      this.#reloading = this.#loadPages(1);
      await this.#reloading.catch((error: unknown) => {
        this.#order = before;
        throw error;
      });
    }
    if (this.#currentOrder !== undefined && !isServed()) await this.#loadRest();
  }

  shown(): readonly Row[] {
    const { tags } = this.#spec;
    const tag = this.#tag;
    const rows =
      tags === undefined || tag === undefined
        ? this.#loaded
        : this.#loaded.filter((row) => tags.of(row) === tag);
    const order = this.#currentOrder;
    return order === undefined || 'load' in order
      ? rows
      : rows.toSorted((a, b) => compare(order.figure(a), order.figure(b)));
  }

  async #loadRest(): Promise<void> {
    await this.#reloading.catch(() => false); // the caller of the load shows its failure
    while (this.#pages < mostPages && (await this.loadMore()));
  }
}

function compare(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return b - a;
  return String(a).localeCompare(String(b));
}
