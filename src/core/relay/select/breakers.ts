/**
 * Circuit breakers (docs/rules/routing.md#circuit-breaker). A health key that keeps failing for reasons of its own is skipped
 * for a while, then tried with one request at a time; a success closes the circuit, a failure doubles the pause. Nothing is
 * kept of health keys that work, so that a lookup costs nothing on a healthy site.
 */
import type { Clock } from '../../kernel/clock.ts';

/** Times in milliseconds. */
export const breakerRules = {
  /** Failures in a row that open it, each at most `memory` after the one before. */
  inRow: 5,
  memory: 300_000,
  /** Or this share of what ended within `window` of a failure, once there are `windowLeast` of them. */
  window: 60_000,
  windowLeast: 20,
  windowShare: 0.5,
  firstPause: 10_000,
  longestPause: 300_000,
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
  probing: boolean;
  cause: string;
}

export class Breakers {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #circuits = new Map<string, Circuit>();
  #open = 0;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** True: no circuit is open. */
  get allClosed(): boolean {
    return this.#open === 0;
  }

  /** Undefined: closed. */
  findOpen(healthKey: string): OpenCircuit | undefined {
    const circuit = this.#circuits.get(healthKey);
    if (circuit === undefined || circuit.openedAt === 0) return undefined;
    const { readyAt, probing, openedAt: since, cause } = circuit;
    return { state: this.#isPausing(circuit) ? 'open' : 'half_open', readyAt, probing, since, cause };
  }

  /** Claims the one request that a half-open circuit admits; false when it is not half-open or another probe is under way. */
  startProbe(healthKey: string): boolean {
    const circuit = this.#circuits.get(healthKey);
    if (circuit === undefined || circuit.openedAt === 0 || circuit.probing || this.#isPausing(circuit)) return false;
    circuit.probing = true;
    return true;
  }

  /** Ends a probe without a result: its client left, or the request itself was at fault. */
  releaseProbe(healthKey: string): void {
    const circuit = this.#circuits.get(healthKey);
    if (circuit !== undefined) circuit.probing = false;
  }

  /** `startedAt`: when the request began; one that began before the circuit opened says nothing about it now. */
  succeeded(healthKey: string, startedAt: number): void {
    const circuit = this.#circuits.get(healthKey);
    if (circuit === undefined) return;
    if (circuit.openedAt > 0) {
      if (startedAt >= circuit.openedAt || circuit.openedAt > this.#clock.now()) this.forget(healthKey);
      return;
    }
    circuit.inRow = 0;
    circuit.windowAll += 1;
    if (this.#clock.now() - circuit.windowFrom > breakerRules.window) this.forget(healthKey);
  }

  /** `probe`: the request that {@link startProbe} admitted. Other failures of an open circuit change nothing. */
  failed(healthKey: string, probe: boolean, cause = ''): void {
    const now = this.#clock.now();
    const circuit = this.#circuits.get(healthKey) ?? this.#create(healthKey, now);
    if (circuit.openedAt > 0) {
      if (!probe) return;
      circuit.probing = false;
      circuit.cause = cause;
      this.#pause(circuit, Math.min(2 * circuit.pause, breakerRules.longestPause));
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
    circuit.openedAt = now;
    this.#open += 1;
    this.#pause(circuit, breakerRules.firstPause);
  }

  /** The health key works, or is gone. */
  forget(healthKey: string): void {
    const circuit = this.#circuits.get(healthKey);
    if (circuit === undefined) return;
    if (circuit.openedAt > 0) this.#open -= 1;
    this.#circuits.delete(healthKey);
  }

  /** Forgets all health keys but these. */
  keep(healthKeys: ReadonlySet<string>): void {
    for (const healthKey of this.#circuits.keys()) if (!healthKeys.has(healthKey)) this.forget(healthKey);
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
      probing: false,
      cause: '',
    };
    this.#circuits.set(healthKey, circuit);
    return circuit;
  }

  /** A pause longer than the longest possible one was started before the clock was put back: it is over. */
  #isPausing({ readyAt }: Circuit): boolean {
    const left = readyAt - this.#clock.now();
    return left > 0 && left <= breakerRules.longestPause;
  }

  #pause(circuit: Circuit, pause: number): void {
    circuit.pause = pause;
    circuit.readyAt = this.#clock.now() + pause;
  }
}

function hasFailedTooOften({ inRow, windowAll, windowFailed }: Circuit): boolean {
  const { windowLeast, windowShare } = breakerRules;
  return inRow >= breakerRules.inRow || (windowAll >= windowLeast && windowFailed >= windowShare * windowAll);
}
