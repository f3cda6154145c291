/** The most ids that are remembered: an upstream repeats an event soon or never. */
const most = 100;

/** What was charged in a session, so that an event that comes twice is charged once. */
export class EndedIds {
  readonly #ids = new Set<string>();

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  add(id: string): void {
    this.#ids.add(id);
    const [oldest] = this.#ids;
    if (this.#ids.size > most && oldest !== undefined) this.#ids.delete(oldest);
  }

  delete(id: string): void {
    this.#ids.delete(id);
  }
}
