/** Tables that an import writes (docs/rules/import.md). */
export const importedTables = [
  'users',
  'user_identities',
  'totp_secrets',
  'passkeys',
  'channels',
  'tokens',
  'redemptions',
  'top_ups',
  'midjourneys',
  'tasks',
  'quota_data',
  'logs',
] as const;
export type ImportedTable = (typeof importedTables)[number];

/** Tables whose rows keep their ids. */
export type NumberedTable = Exclude<ImportedTable, 'user_identities' | 'totp_secrets' | 'passkeys'>;

/**
 * Columns as the database has them; secrets are in clear under `key`, `secret`, `setting` and
 * `private_data`, and encrypted on writing.
 */
export type ImportedRow = Readonly<Record<string, string | number | null>>;

/** A balance that a user brings along, or what is added to it. */
export interface ImportedBalance {
  readonly userId: number;
  readonly kind: 'import' | 'grant';
  readonly amount: number;
  readonly balanceAfter: number;
  readonly reference: string;
}

/** Number of rows, and exact sums of some of their columns. */
export interface Figures {
  readonly count: number;
  readonly sums: Readonly<Record<string, bigint>>;
}

/** Values that only one user or order may have: by value, the id of its owner. */
export interface Holders {
  /** Lower case. */
  readonly usernames: ReadonlyMap<string, number>;
  /** Verified ones. */
  readonly emails: ReadonlyMap<string, number>;
  readonly inviteCodes: ReadonlyMap<string, number>;
  readonly accessTokenHashes: ReadonlyMap<string, number>;
  /** `<provider> <subject>`. */
  readonly identities: ReadonlyMap<string, number>;
  readonly tradeNumbers: ReadonlyMap<string, number>;
  /** Users whose balance was imported before; the row of one that is missing was deleted here. */
  readonly importedUsers: ReadonlySet<number>;
}

/**
 * Writes the rows of another program's database under their own ids. Call it inside one
 * transaction.
 */
export interface ImportRepository {
  /**
   * For each of these rows whose id is taken: in which of the columns the row that has it is equal,
   * empty texts excepted.
   */
  taken(
    table: NumberedTable,
    rows: readonly ImportedRow[],
    columns: readonly string[],
  ): Promise<ReadonlyMap<number, ReadonlySet<string>>>;
  /** Which of these rows' keys belong to a row with another id. */
  foreignKeys(
    table: 'tokens' | 'redemptions',
    rows: readonly ImportedRow[],
  ): Promise<ReadonlySet<number>>;
  /** Every value of unique columns, with the user or row that has it. */
  holders(): Promise<Holders>;
  /** Throws `conflict` where a unique column is violated. Tokens get their first allowance. */
  insert(table: ImportedTable, rows: readonly ImportedRow[]): Promise<void>;
  figures(table: ImportedTable, columns: readonly string[]): Promise<Figures>;
  /** The same per user, for users up to `lastUserId`. */
  figuresByUser(
    table: ImportedTable,
    userColumn: string,
    columns: readonly string[],
  ): Promise<ReadonlyMap<number, Figures>>;
  /**
   * Appends a posting for each, and makes what the last one of a user leaves the balance. Only for
   * users without postings of others.
   */
  post(balances: readonly ImportedBalance[], at: number): Promise<void>;
  /** Whether an import was run before. */
  hasPostings(): Promise<boolean>;
  /**
   * Derives the abilities of channels, drops sums of log days, and lets generated ids begin after
   * the highest one.
   */
  finish(): Promise<void>;
}
