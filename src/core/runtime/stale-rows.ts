import { type ChangeKind, changeKinds } from '../cluster/changes.ts';

/** Which rows have to be read again, by kind. An empty list means all rows of the kind. */
export class StaleRows {
  readonly #rows = new Map<ChangeKind, Set<number> | undefined>();

  get isEmpty(): boolean {
    return this.#rows.size === 0;
  }

  add(kind: ChangeKind, ids: readonly number[]): void {
    const known = this.#rows.get(kind);
    if (ids.length === 0 || (this.#rows.has(kind) && known === undefined))
      this.#rows.set(kind, undefined);
    else this.#rows.set(kind, new Set([...(known ?? []), ...ids]));
  }

  addEverything(): void {
    for (const kind of changeKinds) this.add(kind, []);
  }

  /** Returns them and forgets them. */
  take(): readonly { readonly kind: ChangeKind; readonly ids: readonly number[] }[] {
    const taken = [...this.#rows].map(([kind, ids]) => ({ kind, ids: [...(ids ?? [])] }));
    this.#rows.clear();
    return taken;
  }
}
