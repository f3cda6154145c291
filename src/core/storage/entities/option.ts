/**
 * A row of `options`. Secret values are encrypted at rest and decrypted here; presenters must not
 * expose them.
 */
export interface StoredOption {
  readonly key: string;
  readonly value: string;
  readonly hidden: boolean;
  /** It cannot be decrypted: the value is empty. */
  readonly unreadable?: true;
}

export interface OptionRepository {
  /** Ordered by key. */
  list(): Promise<readonly StoredOption[]>;
  find(key: string): Promise<StoredOption | null>;
  /** Inserts or replaces the row of a key. */
  set(option: StoredOption): Promise<void>;
  /** All of them in one transaction, and the rows of `removed` keys deleted. */
  setMany(options: readonly StoredOption[], removed?: readonly string[]): Promise<void>;
  /** False when it was not stored. */
  delete(key: string): Promise<boolean>;
}
