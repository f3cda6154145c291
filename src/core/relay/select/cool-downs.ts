/**
 * Cool-downs (spec, relay 7 [R] d): a lane whose upstream says "too many requests" for a model rests for that model. A rest
 * that the upstream asked for by `Retry-After` binds; our own guess, where it named no time, is only a preference.
 */
import type { Clock } from '../../kernel/clock.ts';

/** Milliseconds. A longer wish is not granted: one request a minute finds out whether it still holds. */
export const coolDownRules = { guess: 5000, longest: 60_000 } as const;

export interface CoolDown {
  /** Clock milliseconds. */
  readonly until: number;
  /** The upstream named the time. */
  readonly requested: boolean;
}

/** Entries that are over are swept out when there are more than this. */
const sweepAbove = 1000;

export class CoolDowns {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #entries = new Map<string, CoolDown>();
  /** When the last of them ends. */
  #latest = 0;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** True: nothing rests. */
  get none(): boolean {
    return this.#clock.now() >= this.#latest;
  }

  get size(): number {
    return this.#entries.size;
  }

  find(healthKey: string, model: string): CoolDown | undefined {
    const entry = this.#entries.get(nameOf(healthKey, model));
    return entry !== undefined && isAhead(entry.until, this.#clock.now()) ? entry : undefined;
  }

  /** The models a lane rests for. */
  ofHealthKey(healthKey: string): readonly { readonly model: string; readonly until: number }[] {
    if (this.none) return [];
    const now = this.#clock.now();
    const start = nameOf(healthKey, '');
    return [...this.#entries].flatMap(([name, { until }]) =>
      name.startsWith(start) && isAhead(until, now) ? [{ model: name.slice(start.length), until }] : [],
    );
  }

  /** `seconds`: what the upstream asked for; undefined: it named no time. */
  start(healthKey: string, model: string, seconds: number | undefined): void {
    const now = this.#clock.now();
    if (this.#entries.size > sweepAbove) this.#sweep(now);
    const rest = seconds === undefined ? coolDownRules.guess : Math.min(seconds * 1000, coolDownRules.longest);
    const until = now + rest;
    this.#entries.set(nameOf(healthKey, model), { until, requested: seconds !== undefined });
    this.#latest = Math.max(this.#latest, until);
  }

  /** It was tried all the same and works: a guess is over, a wish stands. */
  succeeded(healthKey: string, model: string): void {
    if (this.none) return;
    const name = nameOf(healthKey, model);
    if (this.#entries.get(name)?.requested === false) this.#entries.delete(name);
  }

  #sweep(now: number): void {
    for (const [name, { until }] of this.#entries) if (!isAhead(until, now)) this.#entries.delete(name);
  }
}

/** A rest that seems to end later than any can: the clock was put back, and how long it took is not known. It is over. */
function isAhead(until: number, now: number): boolean {
  return until > now && until - now <= coolDownRules.longest;
}

function nameOf(healthKey: string, model: string): string {
  return `${healthKey} ${model}`;
}
