import type { ImportFamily } from '../vocabulary/import-reasons.ts';
import type { ImportNote } from './notes.ts';

export interface TableReport {
  readonly table: string;
  readonly read: number;
  readonly carried: number;
  readonly leftOut: number;
  /** Rows whose ids are in the target from an earlier run. */
  readonly alreadyThere: number;
  readonly notes: readonly ImportNote[];
}

/**
 * One comparison: the rows (`rows`) or the sum of a column of a table, for all users or for one.
 */
export interface ProofLine {
  readonly table: string;
  readonly figure: string;
  /** Of the source, without what was left out or is there already, with reported changes. */
  readonly expected: bigint;
  /** What the target has more than before. */
  readonly found: bigint;
}

/** What customers lose with a table that is left out. */
export type Loss = 'passkeys' | 'recovery_codes' | 'subscriptions' | 'user_rates' | 'limits';

export interface LeftOutTable {
  readonly table: string;
  readonly rows: number;
  readonly loss?: Loss | undefined;
}

export interface ImportReport {
  readonly family: ImportFamily;
  readonly engine: string;
  readonly source: string;
  /** The database of the logs, where it is another one. */
  readonly logSource?: string;
  readonly dryRun: boolean;
  readonly tables: readonly TableReport[];
  /** Tables that are not imported. */
  readonly leftOutTables: readonly LeftOutTable[];
  /**
   * Users made requests, but the source has no log row: the logs are probably in a database of
   * their own.
   */
  readonly logsElsewhere: boolean;
  /** Empty for dry runs. */
  readonly proof: readonly ProofLine[];
  /** How many users' sums were compared one by one. */
  readonly usersCompared: number;
}
