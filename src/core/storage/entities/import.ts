/** Tables that an import writes (docs/rules/import.md). */
export const importedTables = [
  'users',
  'user_identities',
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

/** Columns as the database has them; secrets are in clear under `key`, `setting` and `private_data`, and encrypted on writing. */
export type ImportedRow = Readonly<Record<string, string | number | null>>;

/** A balance that a user brings along. */
export interface ImportedBalance {
  readonly userId: number;
  readonly amount: number;
  readonly reference: string;
}

/** Number of rows, and exact sums of some of their columns. */
export interface Figures {
  readonly count: number;
  readonly sums: Readonly<Record<string, bigint>>;
}

/** Writes the rows of another program's database under their own ids. Call it inside one transaction. */
export interface ImportRepository {
  /** Which of these ids are taken. */
  takenIds(table: Exclude<ImportedTable, 'user_identities'>, ids: readonly number[]): Promise<ReadonlySet<number>>;
  /** Throws `conflict` where a unique column is violated. Tokens get their first allowance. */
  insert(table: ImportedTable, rows: readonly ImportedRow[]): Promise<void>;
  figures(table: ImportedTable, columns: readonly string[]): Promise<Figures>;
  /** The same per user, for users up to `lastUserId`. */
  figuresByUser(table: ImportedTable, userColumn: string, columns: readonly string[]): Promise<ReadonlyMap<number, Figures>>;
  /** Appends a posting of kind `import` for each and makes it the user's balance. Only for users without postings. */
  post(balances: readonly ImportedBalance[], at: number): Promise<void>;
  /** Whether an import was run before. */
  hasPostings(): Promise<boolean>;
  /** Derives the abilities of channels, drops sums of log days, and lets generated ids begin after the highest one. */
  finish(): Promise<void>;
}
