/**
 * Cool-downs (docs/rules/routing.md#cool-downs): a health key whose upstream replied "too many requests" for a model is not
 * used for that model for a while. A time that the upstream gave by `Retry-After` is binding; our own guess, where it gave
 * none, is only a preference.
 */
import type { Clock } from '../../kernel/clock.ts';

/** Milliseconds. A longer time is cut: one request a minute finds out whether the limit still holds. */
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

  /** True: there is no cool-down. */
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

  /** The models a health key has a cool-down for. */
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
    const pause = seconds === undefined ? coolDownRules.guess : Math.min(seconds * 1000, coolDownRules.longest);
    const until = now + pause;
    this.#entries.set(nameOf(healthKey, model), { until, requested: seconds !== undefined });
    this.#latest = Math.max(this.#latest, until);
  }

  /** It was tried all the same and works: a guessed cool-down ends, a requested one stands. */
  succeeded(healthKey: string, model: string): void {
    if (this.none) return;
    const name = nameOf(healthKey, model);
    if (this.#entries.get(name)?.requested === false) this.#entries.delete(name);
  }

  #sweep(now: number): void {
    for (const [name, { until }] of this.#entries) if (!isAhead(until, now)) this.#entries.delete(name);
  }
}

/** A cool-down that would end later than the longest possible one was started before the clock was put back: it is over. */
function isAhead(until: number, now: number): boolean {
  return until > now && until - now <= coolDownRules.longest;
}

function nameOf(healthKey: string, model: string): string {
  return `${healthKey} ${model}`;
}
