import type { Settlement, SettlementResult } from '../ledger/settlement.ts';
import type { Durability } from './engine.ts';
import type { SqliteResult } from './sqlite-connection.ts';

/** What a SQLite worker is started with. */
export interface WorkerSettings {
  readonly file: string;
  readonly durability: Durability;
  /** `write` owns the one writing connection; `read` reads and makes the checkpoints. */
  readonly role: 'write' | 'read';
}

export type WorkerRequest =
  | { readonly kind: 'execute'; readonly sql: string; readonly parameters: readonly unknown[] }
  | { readonly kind: 'settle'; readonly batch: readonly Settlement[] }
  | { readonly kind: 'close' };

/** Errors cross threads as plain facts: SQLite's result code is lost by the structured clone. */
export interface WorkerFailure {
  readonly message: string;
  readonly code?: string;
}

/** Requests and replies carry the same running number. */
export interface WorkerReply {
  readonly id: number;
  readonly result?: SqliteResult | readonly SettlementResult[];
  readonly failure?: WorkerFailure;
}
