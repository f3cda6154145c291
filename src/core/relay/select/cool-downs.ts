/**
 * Cool-downs (docs/rules/routing.md#cool-downs): a health key whose upstream replied "too many
 * requests" for a model is not used for that model for a while. A time that the upstream gave by
 * `Retry-After` is binding; our own guess, where it gave none, is only a preference.
 */
import type { Clock } from '../../kernel/clock.ts';
import type { CoolDownEvent, CoolDownStarted } from './health-events.ts';

/**
 * Milliseconds. A longer time is cut: one request a minute finds out whether the limit still holds.
 */
export const coolDownRules = { guess: 5000, longest: 60_000 } as const;

export type CoolDown = Pick<CoolDownStarted, 'until' | 'requested'>;

/** Entries that are over are swept out when there are more than this. */
const sweepAbove = 1000;

export class CoolDowns {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #announce: (event: CoolDownEvent) => void;
  readonly #entries = new Map<string, CoolDownStarted>();
  /** When the last of them ends. */
  #latest = 0;

  /**
   * `announce` gives the event to {@link apply} of every process, and of this one before it
   * returns.
   */
  constructor(clock: Pick<Clock, 'now'>, announce: (event: CoolDownEvent) => void) {
    this.#clock = clock;
    this.#announce = announce;
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
    return [...this.#entries.values()].filter(
      (entry) => entry.healthKey === healthKey && isAhead(entry.until, now),
    );
  }

  /** `seconds`: what the upstream requested; undefined: it named no time. */
  start(healthKey: string, model: string, seconds: number | undefined): void {
    const pause =
      seconds === undefined ? coolDownRules.guess : Math.min(seconds * 1000, coolDownRules.longest);
    const requested = seconds !== undefined;
    this.#announce({
      kind: 'cool_down_started',
      healthKey,
      model,
      until: this.#clock.now() + pause,
      requested,
    });
  }

  /** It was tried all the same and works: a guessed cool-down ends, a requested one stands. */
  succeeded(healthKey: string, model: string): void {
    if (this.none || this.#entries.get(nameOf(healthKey, model))?.requested !== false) return;
    this.#announce({ kind: 'cool_down_ended', healthKey, model });
  }

  apply(event: CoolDownEvent): void {
    const name = nameOf(event.healthKey, event.model);
    const known = this.#entries.get(name);
    if (event.kind === 'cool_down_ended') {
      if (known?.requested === false) this.#entries.delete(name);
      return;
    }
    const now = this.#clock.now();
    // A guess does not replace what the upstream requested.
    if (known?.requested === true && !event.requested && isAhead(known.until, now)) return;
    if (this.#entries.size > sweepAbove) this.#sweep(now);
    this.#entries.set(name, event);
    this.#latest = Math.max(this.#latest, event.until);
  }

  /** The cool-downs, as events that restore them. */
  get conditions(): readonly CoolDownStarted[] {
    const now = this.#clock.now();
    return this.none ? [] : [...this.#entries.values()].filter(({ until }) => isAhead(until, now));
  }

  #sweep(now: number): void {
    for (const [name, { until }] of this.#entries)
      if (!isAhead(until, now)) this.#entries.delete(name);
  }
}

/**
 * A cool-down that would end later than the longest possible one was started before the clock was
 * set back: it is over.
 */
function isAhead(until: number, now: number): boolean {
  return until > now && until - now <= coolDownRules.longest;
}

function nameOf(healthKey: string, model: string): string {
  return `${healthKey} ${model}`;
}
