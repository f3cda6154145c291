/** A list with a cursor that stays on its row while rows come and go above it. */

export interface ListWindow<Row> {
  readonly rows: readonly {
    readonly row: Row;
    readonly isCursor: boolean;
    readonly isSelected: boolean;
  }[];
  /** Rows above and below the window. */
  readonly above: number;
  readonly below: number;
}

export class List<Row> {
  readonly #keyOf: (row: Row) => number;
  #rows: readonly Row[] = [];
  /** Undefined: follows the top. */
  #cursor: number | undefined;
  #offset = 0;
  /** Lines of the last drawn window: the size of a page. */
  #height = 10;
  readonly #selected = new Set<number>();

  constructor(keyOf: (row: Row) => number) {
    this.#keyOf = keyOf;
  }

  get rows(): readonly Row[] {
    return this.#rows;
  }
  get selectedKeys(): ReadonlySet<number> {
    return this.#selected;
  }

  /**
   * Replaces the rows. If the row of the cursor is gone, the cursor moves to the row in its place.
   */
  setRows(rows: readonly Row[]): void {
    const before = this.#index();
    const followed = this.#cursor;
    this.#rows = rows;
    if (followed === undefined) return;
    const now = rows.findIndex((row) => this.#keyOf(row) === followed);
    if (now >= 0) this.#offset += now - before;
    else this.#point(before);
  }

  current(): Row | undefined {
    return this.#rows[this.#index()];
  }
  /** Number of rows after that of the cursor. */
  rowsBelow(): number {
    return Math.max(0, this.#rows.length - 1 - this.#index());
  }
  /** Whether the cursor follows the top instead of a row. */
  get isFollowing(): boolean {
    return this.#cursor === undefined;
  }
  /** Fixes the cursor on its row, so that it stays there while others arrive. */
  hold(): void {
    this.#point(this.#index());
  }

  move(delta: number): void {
    this.#point(this.#index() + delta);
  }
  movePage(direction: 1 | -1): void {
    this.move(direction * Math.max(1, this.#height - 1));
  }
  /** Puts the cursor on the row of a key, if it is there. */
  moveTo(key: number): void {
    const index = this.#rows.findIndex((row) => this.#keyOf(row) === key);
    if (index >= 0) this.#point(index);
  }
  toTop(): void {
    this.#cursor = undefined;
    this.#offset = 0;
  }
  toEnd(): void {
    this.#point(this.#rows.length - 1);
  }

  toggleSelected(): void {
    const row = this.current();
    if (row === undefined) return;
    const key = this.#keyOf(row);
    if (!this.#selected.delete(key)) this.#selected.add(key);
  }
  clearSelected(): void {
    this.#selected.clear();
  }
  /** The selected rows, else the one under the cursor. */
  selectedRows(): readonly Row[] {
    const selected = this.#rows.filter((row) => this.#selected.has(this.#keyOf(row)));
    const current = this.current();
    return selected.length > 0 || current === undefined ? selected : [current];
  }

  window(height: number): ListWindow<Row> {
    this.#height = height;
    const index = this.#index();
    const last = Math.max(0, this.#rows.length - height);
    // Keep the cursor's row visible.
    this.#offset = Math.min(Math.max(this.#offset, index - height + 1), index, last);
    this.#offset = Math.max(0, this.#offset);
    const shown = this.#rows.slice(this.#offset, this.#offset + height);
    return {
      rows: shown.map((row, at) => ({
        row,
        isCursor: at + this.#offset === index,
        isSelected: this.#selected.has(this.#keyOf(row)),
      })),
      above: this.#offset,
      below: Math.max(0, this.#rows.length - this.#offset - shown.length),
    };
  }

  #index(): number {
    if (this.#cursor === undefined) return 0;
    const index = this.#rows.findIndex((row) => this.#keyOf(row) === this.#cursor);
    return Math.max(0, index);
  }
  #point(index: number): void {
    const row = this.#rows[Math.max(0, Math.min(this.#rows.length - 1, index))];
    this.#cursor = row === undefined ? undefined : this.#keyOf(row);
  }
}
