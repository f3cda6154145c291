/**
 * What the processes of a gateway report to each other about the health of channels
 * (docs/rules/routing.md#shared-health). An event carries a state and not what led to it, so a lost
 * or late one is wrong for one pause at most. Times are Unix milliseconds.
 */

export interface CircuitOpened {
  readonly kind: 'circuit_opened';
  readonly healthKey: string;
  readonly openedAt: number;
  /** From then on one request at a time may probe. */
  readonly readyAt: number;
  /** Milliseconds of the pause that ends at `readyAt`. */
  readonly pause: number;
  /** The last failure, in a few words; may be empty. */
  readonly cause: string;
}

export interface CircuitClosed {
  readonly kind: 'circuit_closed';
  readonly healthKeys: readonly string[];
  /** Circuits that opened later stay open. */
  readonly openedUntil: number;
}

export interface CoolDownStarted {
  readonly kind: 'cool_down_started';
  readonly healthKey: string;
  readonly model: string;
  readonly until: number;
  /** The upstream named the time. */
  readonly requested: boolean;
}

/** Ends a guessed cool-down. A requested one ends only by its time. */
export interface CoolDownEnded {
  readonly kind: 'cool_down_ended';
  readonly healthKey: string;
  readonly model: string;
}

export type CircuitEvent = CircuitOpened | CircuitClosed;
export type CoolDownEvent = CoolDownStarted | CoolDownEnded;
export type HealthEvent = CircuitEvent | CoolDownEvent;

/** The events that state a present condition: applied to an empty state, they restore it. */
export type HealthCondition = CircuitOpened | CoolDownStarted;
