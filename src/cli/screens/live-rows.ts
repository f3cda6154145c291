/**
 * The rows of the live log as a list shows them: filtered, sorted, or frozen while it is paused.
 */
import type { LogEntity } from '../../core/contract/entities.ts';
import { logFilters } from '../../core/entities/log-filters.ts';
import { readLog } from '../../core/logs/log-view.ts';
import type { Host } from './view.ts';

const orders = ['newest', 'cost', 'duration'] as const;
export type RowOrder = (typeof orders)[number];

export class LiveRows {
  readonly #host: Host;
  filter = '';
  #order: RowOrder = 'newest';
  /** The rows as they were when the list was paused. */
  #frozen: readonly LogEntity[] | undefined;

  constructor(host: Host) {
    this.#host = host;
  }

  get order(): RowOrder {
    return this.#order;
  }
  nextOrder(): void {
    this.#order = orders[(orders.indexOf(this.#order) + 1) % orders.length] ?? 'newest';
  }

  get isPaused(): boolean {
    return this.#frozen !== undefined;
  }
  togglePause(): void {
    this.#frozen = this.#frozen === undefined ? this.#host.live.rows : undefined;
  }
  /** Number of rows that arrived since the list was paused. */
  get waiting(): number {
    if (this.#frozen === undefined) return 0;
    const newest = Math.max(0, ...this.#frozen.map(({ id }) => id));
    return this.#host.live.rows.filter((row) => row.id > newest).length;
  }

  take(): readonly LogEntity[] {
    const rows = this.#frozen ?? this.#host.live.rows;
    const search = this.filter.toLowerCase();
    const matching = search === '' ? rows : rows.filter((row) => searchText(row).includes(search));
    if (this.#order === 'newest') return matching;
    const figureOf =
      this.#order === 'cost'
        ? (row: LogEntity) => row.quota
        : (row: LogEntity) => readLog(row).seconds;
    return matching.toSorted((a, b) => figureOf(b) - figureOf(a));
  }
}

/** What the list's filters look at, with the channel's name and the text. */
function searchText(row: LogEntity): string {
  const texts = Object.values(logFilters).filter((filter) => filter.kind === 'text');
  const columns = texts.map((filter) => ('column' in filter ? filter.column : filter.wire));
  return [...columns.map((name) => row[name]), row.channel_name, row.content]
    .join(' ')
    .toLowerCase();
}
