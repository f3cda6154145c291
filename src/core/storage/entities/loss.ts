import type { LossKind } from '../../vocabulary/loss-kinds.ts';

/** A row of `losses`: where the site loses money (docs/rules/losses.md). Times are Unix seconds. */
export interface StoredLoss {
  /** Kind, channel and model. */
  readonly name: string;
  readonly kind: LossKind;
  /** 0: it is no channel's. */
  readonly channelId: number;
  /** '': it is the whole channel's. */
  readonly modelName: string;
  /** Figures, as JSON; `unsent` is among them until root got the notice. */
  readonly detail: string;
  readonly since: number;
  /** When it was last found. */
  readonly seen: number;
}

/** A row of `channel_balances`. */
export interface BalanceReading {
  readonly channelId: number;
  /** Unix seconds. */
  readonly readAt: number;
  /** In the upstream's currency. */
  readonly amount: number;
  readonly currency: string;
}

export interface LossRepository {
  /** Those that began first, first. */
  list(): Promise<readonly StoredLoss[]>;
  /** Adds a loss, or changes its figures and when it was last found. */
  put(loss: StoredLoss): Promise<void>;
  remove(names: readonly string[]): Promise<void>;
  addReading(reading: BalanceReading): Promise<void>;
  /** Readings since a time, oldest first. */
  readings(since: number): Promise<readonly BalanceReading[]>;
  /** Deletes the readings before a time. */
  prune(before: number): Promise<void>;
}
