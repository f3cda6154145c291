import type { Expression, Kysely, RawBuilder } from 'kysely';
import type { Pool } from 'pg';
import type { ColumnKinds } from '../columns.ts';
import type { Settlement, SettlementResult } from '../ledger/settlement.ts';
import type { Database } from '../schema.ts';

/** FULL survives a power cut; NORMAL may lose the last moments then, but never corrupts (docs/rules/ledger.md#durability). */
export type Durability = 'full' | 'normal';

/** What engines do differently, asked for by ability and never by name. */
export interface EngineAbilities {
  /** Lower case by Unicode's rules, for comparisons that ignore case. */
  lower(text: Expression<string>): RawBuilder<string>;
}

/** An opened database. */
export interface Engine {
  /** Reads may lag behind an open transaction, never behind a finished write. */
  readonly read: Kysely<Database>;
  readonly write: Kysely<Database>;
  readonly abilities: EngineAbilities;
  readonly kinds: ColumnKinds;
  /** Where one process owns the file: commits a batch in one transaction, in turn with all other writes. */
  settle?(batch: readonly Settlement[]): Promise<readonly SettlementResult[]>;
  /** For the ledger of several processes. */
  readonly postgres?: Pool;
  close(): Promise<void>;
}
