import type { ImportReason } from '../vocabulary/import-reasons.ts';

/** Something an import did other than carrying a value as it is. */
export interface ImportNote {
  readonly reason: ImportReason;
  readonly count: number;
  /** The first few: `7 alice`, an option's key, a column. Never a secret. */
  readonly examples: readonly string[];
}

const exampleLimit = 5;

/** Collects the notes of one table. */
export class Notes {
  readonly #notes = new Map<ImportReason, { count: number; examples: string[] }>();

  add(reason: ImportReason, example: string, count = 1): void {
    const note = this.#notes.get(reason) ?? { count: 0, examples: [] };
    note.count += count;
    if (note.examples.length < exampleLimit) note.examples.push(example);
    this.#notes.set(reason, note);
  }
  list(): readonly ImportNote[] {
    return [...this.#notes].map(([reason, { count, examples }]) => ({ reason, count, examples }));
  }
}
