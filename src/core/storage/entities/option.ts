/** A row of `options`. Hidden values are sealed at rest and returned in clear here: presenters decide what leaves. */
export interface StoredOption {
  readonly key: string;
  readonly value: string;
  readonly hidden: boolean;
}

export interface OptionRepository {
  /** Ordered by key. */
  list(): Promise<readonly StoredOption[]>;
  find(key: string): Promise<StoredOption | null>;
  /** Inserts or replaces. */
  set(option: StoredOption): Promise<void>;
  /** All of them in one transaction. */
  setMany(options: readonly StoredOption[]): Promise<void>;
  /** False when it was not stored. */
  delete(key: string): Promise<boolean>;
}
