/**
 * A row of `channel_health`: what kept traffic away from a channel when it was written. Times are
 * Unix milliseconds.
 */
export interface StoredChannelHealth {
  readonly healthKey: string;
  readonly kind: 'circuit' | 'cool_down';
  /** Of a cool-down; '' for circuits, which concern all models. */
  readonly model: string;
  /** When the circuit opened; 0 for cool-downs. */
  readonly since: number;
  readonly until: number;
  /** Milliseconds of the circuit's pause that ends at `until`; 0 for cool-downs. */
  readonly pause: number;
  /** The upstream named the cool-down's time. */
  readonly requested: boolean;
  /** Why the circuit opened, in a few words. */
  readonly cause: string;
}

export interface ChannelHealthRepository {
  list(): Promise<readonly StoredChannelHealth[]>;
  /** Replaces all rows. Of several concurrent calls any may win. */
  replace(rows: readonly StoredChannelHealth[]): Promise<void>;
}
