/** What the load generator is told to do, and what it reports: one line of JSON each. */
import type { RequestName } from './requests.ts';

export interface LoadTarget {
  readonly url: string;
  /** Take turns, one request each. */
  readonly keys: readonly string[];
  /** In place of the keys: what a gateway of another kind wants, such as `x-api-key: secret`. */
  readonly header?: string | undefined;
}

/**
 * As many requests as the target takes on `concurrency` connections: `count` of them, or for
 * `seconds`.
 */
export interface SaturateOrder {
  readonly kind: 'saturate';
  readonly target: LoadTarget;
  readonly request: RequestName;
  readonly concurrency: number;
  readonly count?: number;
  readonly seconds?: number;
}

/**
 * What is a latency: the whole reply; its first byte; each event of a stream, from when the upstream
 * wrote it.
 */
export type Timed = 'reply' | 'first' | 'event';

/**
 * Requests at a fixed rate to each target, whether earlier ones are finished or not; the targets
 * take turns.
 */
export interface PaceOrder {
  readonly kind: 'pace';
  readonly targets: readonly LoadTarget[];
  readonly request: RequestName;
  readonly timed: Timed;
  readonly perSecond: number;
  readonly seconds: number;
}

export type LoadOrder = SaturateOrder | PaceOrder;

export interface SaturateReport {
  readonly count: number;
  readonly failed: number;
  readonly seconds: number;
}

export interface PaceReport {
  /** Of each target, in milliseconds ({@link Timed}). */
  readonly latencies: readonly (readonly number[])[];
  readonly failed: readonly number[];
}
