/**
 * Circuit breakers (docs/rules/routing.md#circuit-breaker). A health key that keeps failing for
 * reasons of its own is skipped for a while, then tried with one request at a time; a success
 * closes the circuit, a failure doubles the pause. Nothing is kept of health keys that work, so
 * that a lookup costs nothing on a healthy site. Failures and probes are this process's own;
 * circuits open and close by events, which all processes apply.
 */
import type { Clock } from '../../kernel/clock.ts';
import type { CircuitEvent, CircuitOpened } from './health-events.ts';

/** Times in milliseconds. */
export const breakerRules = {
  /** Failures in a row that open it, each at most `memory` after the one before. */
  inRow: 5,
  memory: 300_000,
  /**
   * Or this share of what ended within `window` of a failure, once there are `windowLeast` of them.
   */
  window: 60_000,
  windowLeast: 20,
  windowShare: 0.5,
  firstPause: 10_000,
  longestPause: 300_000,
  /** A probe that takes longer, as a stream may, does not keep the next one waiting. */
  longestProbe: 60_000,
} as const;

export type BreakerState = 'closed' | 'open' | 'half_open';

/** An open or half-open circuit. */
export interface OpenCircuit {
  readonly state: Exclude<BreakerState, 'closed'>;
  /** Clock milliseconds from which one request at a time may go. */
  readonly readyAt: number;
  /** Such a request is under way. */
  readonly probing: boolean;
  /** Clock milliseconds at which it opened. */
  readonly since: number;
  /** The last failure, in a few words; may be empty. */
  readonly cause: string;
}

interface Circuit {
  inRow: number;
  failedAt: number;
  windowFrom: number;
  windowAll: number;
  windowFailed: number;
  /** 0: closed. */
  openedAt: number;
  readyAt: number;
  pause: number;
  /** When the last probe began that has not ended; 0: none. */
  probedAt: number;
  cause: string;
}

export class Breakers {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #announce: (event: CircuitEvent) => void;
  readonly #circuits = new Map<string, Circuit>();
  #open = 0;

  /**
   * `announce` gives the event to {@link apply} of every process, and of this one before it
   * returns.
   */
  constructor(clock: Pick<Clock, 'now'>, announce: (event: CircuitEvent) => void) {
    this.#clock = clock;
    this.#announce = announce;
  }

  /** True: no circuit is open. */
  get allClosed(): boolean {
    return this.#open === 0;
  }

  /** Undefined: closed. */
  findOpen(healthKey: string): OpenCircuit | undefined {
    const circuit = this.#circuits.get(healthKey);
    if (circuit === undefined || circuit.openedAt === 0) return undefined;
    const { readyAt, openedAt: since, cause } = circuit;
    return {
      state: this.#isPausing(circuit) ? 'open' : 'half_open',
      readyAt,
      probing: this.#isProbing(circuit),
      since,
      cause,
    };
  }

  /**
   * Claims the one request that a half-open circuit admits; false when it is not half-open or
   * another probe is under way.
   */
  startProbe(healthKey: string): boolean {
    const circuit = this.#circuits.get(healthKey);
    if (
      circuit === undefined ||
      circuit.openedAt === 0 ||
      this.#isProbing(circuit) ||
      this.#isPausing(circuit)
    )
      return false;
    circuit.probedAt = this.#clock.now();
    return true;
  }

  /** Ends a probe without a result: its client left, or the request itself was at fault. */
  releaseProbe(healthKey: string): void {
    const circuit = this.#circuits.get(healthKey);
    if (circuit !== undefined) circuit.probedAt = 0;
  }

  /**
   * `startedAt`: when the request began; one that began before the circuit opened says nothing
   * about it now.
   */
  succeeded(healthKey: string, startedAt: number): void {
    const circuit = this.#circuits.get(healthKey);
    if (circuit === undefined) return;
    if (circuit.openedAt > 0) {
      if (this.#openedBy(circuit, startedAt)) this.close([healthKey], startedAt);
      return;
    }
    circuit.inRow = 0;
    circuit.windowAll += 1;
    if (this.#clock.now() - circuit.windowFrom > breakerRules.window) this.#forget(healthKey);
  }

  /**
   * `probe`: the request that {@link startProbe} admitted. Other failures of an open circuit change
   * nothing.
   */
  failed(healthKey: string, probe: boolean, cause = ''): void {
    const now = this.#clock.now();
    const circuit = this.#circuits.get(healthKey) ?? this.#create(healthKey, now);
    if (circuit.openedAt > 0) {
      if (!probe) return;
      circuit.probedAt = 0;
      // Another process's probe failed before this one: the pause that it started counts.
      if (this.#isPausing(circuit)) return;
      const pause = Math.min(2 * circuit.pause, breakerRules.longestPause);
      const { openedAt } = circuit;
      this.#announce({
        kind: 'circuit_opened',
        healthKey,
        openedAt,
        readyAt: now + pause,
        pause,
        cause,
      });
      return;
    }
    if (now - circuit.failedAt > breakerRules.memory) circuit.inRow = 0;
    if (now - circuit.windowFrom > breakerRules.window) {
      circuit.windowFrom = now;
      circuit.windowAll = 0;
      circuit.windowFailed = 0;
    }
    circuit.failedAt = now;
    circuit.cause = cause;
    circuit.inRow += 1;
    circuit.windowAll += 1;
    circuit.windowFailed += 1;
    if (!hasFailedTooOften(circuit)) return;
    const pause = breakerRules.firstPause;
    this.#announce({
      kind: 'circuit_opened',
      healthKey,
      openedAt: now,
      readyAt: now + pause,
      pause,
      cause,
    });
  }

  /**
   * The health keys work: closes their circuits in all processes, except those that opened after
   * `openedUntil`.
   */
  close(healthKeys: readonly string[], openedUntil: number): void {
    this.#announce({ kind: 'circuit_closed', healthKeys, openedUntil });
  }

  apply(event: CircuitEvent): void {
    if (event.kind === 'circuit_opened') return this.#applyOpened(event);
    for (const healthKey of event.healthKeys) {
      const circuit = this.#circuits.get(healthKey);
      if (circuit !== undefined && this.#openedBy(circuit, event.openedUntil))
        this.#forget(healthKey);
    }
  }

  /** The open circuits, as events that restore them. */
  get conditions(): readonly CircuitOpened[] {
    return [...this.#circuits].flatMap(([healthKey, { openedAt, readyAt, pause, cause }]) =>
      openedAt === 0
        ? []
        : [{ kind: 'circuit_opened' as const, healthKey, openedAt, readyAt, pause, cause }],
    );
  }

  #applyOpened({ healthKey, openedAt, readyAt, pause, cause }: CircuitOpened): void {
    const circuit = this.#circuits.get(healthKey) ?? this.#create(healthKey, openedAt);
    // Of several processes that opened it, the one that pauses longest counts.
    if (circuit.openedAt > 0 && readyAt <= circuit.readyAt && !this.#isFromFuture(circuit)) return;
    if (circuit.openedAt === 0) this.#open += 1;
    Object.assign(circuit, { openedAt, readyAt, pause, cause });
  }

  #forget(healthKey: string): void {
    const circuit = this.#circuits.get(healthKey);
    if (circuit === undefined) return;
    if (circuit.openedAt > 0) this.#open -= 1;
    this.#circuits.delete(healthKey);
  }

  /** Forgets all health keys but these. */
  keep(healthKeys: ReadonlySet<string>): void {
    for (const healthKey of this.#circuits.keys())
      if (!healthKeys.has(healthKey)) this.#forget(healthKey);
  }

  get isEmpty(): boolean {
    return this.#circuits.size === 0;
  }

  #create(healthKey: string, now: number): Circuit {
    const circuit: Circuit = {
      inRow: 0,
      failedAt: now,
      windowFrom: now,
      windowAll: 0,
      windowFailed: 0,
      openedAt: 0,
      readyAt: 0,
      pause: 0,
      probedAt: 0,
      cause: '',
    };
    this.#circuits.set(healthKey, circuit);
    return circuit;
  }

  #isProbing({ probedAt }: Circuit): boolean {
    const age = this.#clock.now() - probedAt;
    return probedAt > 0 && age >= 0 && age < breakerRules.longestProbe;
  }

  #isPausing(circuit: Circuit): boolean {
    return circuit.readyAt > this.#clock.now() && !this.#isFromFuture(circuit);
  }

  /**
   * A pause longer than the longest possible one was started before the clock was set back: it is
   * over.
   */
  #isFromFuture({ readyAt }: Circuit): boolean {
    return readyAt - this.#clock.now() > breakerRules.longestPause;
  }

  /**
   * Whether the circuit is closed or opened at that moment or before. One that opened in the future
   * did so before the clock was set back.
   */
  #openedBy({ openedAt }: Circuit, moment: number): boolean {
    return openedAt <= moment || openedAt > this.#clock.now();
  }
}

function hasFailedTooOften({ inRow, windowAll, windowFailed }: Circuit): boolean {
  const { windowLeast, windowShare } = breakerRules;
  return (
    inRow >= breakerRules.inRow ||
    (windowAll >= windowLeast && windowFailed >= windowShare * windowAll)
  );
}
