import type { Expression, Kysely, RawBuilder } from 'kysely';
import type { Pool } from 'pg';
import type { AppError } from '../../kernel/errors.ts';
import type { ColumnKinds } from '../columns.ts';
import type { SettlementResult } from '../ledger/settlement.ts';
import type { Database } from '../schema.ts';

/**
 * `full` survives a power cut; `normal` may lose the last transactions then, but never corrupts the
 * file (docs/rules/ledger.md#durability).
 */
export type Durability = 'full' | 'normal';

/**
 * Differences between the engines. Code tests for these abilities, never for the name of an engine.
 */
export interface EngineAbilities {
  /** Lower case by Unicode's rules, for case-insensitive comparisons. */
  lower(text: Expression<string>): RawBuilder<string>;
  /**
   * Whether reading rows that were inserted far apart costs a page each, so that it pays to store
   * rows that are read together side by side.
   */
  readonly gathersRows: boolean;
  /**
   * Whether generated ids come from sequences, which rows inserted with ids of their own do not
   * advance.
   */
  readonly hasSequences: boolean;
  readonly isSqlite: boolean;
  /** Rows `key` and `value`, both text or a number, of a column with a JSON array or object. */
  entriesOf(column: string): RawBuilder<unknown>;
  /** The database's clock, in Unix seconds: several processes compare times by it. */
  readonly now: RawBuilder<number>;
}

/** An open database. */
export interface Engine {
  /** Reads see every finished write, but not those of an open transaction. */
  readonly read: Kysely<Database>;
  readonly write: Kysely<Database>;
  readonly abilities: EngineAbilities;
  readonly kinds: ColumnKinds;
  /**
   * SQLite only: commits settlements ({@link textOfBatch}) in one transaction, queued with all
   * other writes.
   */
  settle?(batch: string): Promise<readonly SettlementResult[]>;
  /**
   * SQLite with threads only: from now on all reads and writes but `settle` first wait for what
   * `pending` returns, at most 5 s. It is for settlements that are committed elsewhere but not in
   * the tables yet.
   */
  waitFor?(pending: () => Promise<void> | undefined): void;
  /**
   * SQLite with threads only: why nothing is written any more; undefined: its files are those that
   * were opened.
   */
  refusal?(): AppError | undefined;
  /** PostgreSQL only: for the ledger that several processes share. */
  readonly postgres?: Pool;
  close(): Promise<void>;
}
