import type { Durability } from './engine.ts';
import type { SqliteResult } from './sqlite-connection.ts';

/** Settings of an SQLite worker. */
export interface WorkerSettings {
  readonly file: string;
  readonly durability: Durability;
  /** `write` owns the one writing connection; `read` reads and makes the checkpoints. */
  readonly role: 'write' | 'read';
}

export type WorkerRequest =
  | { readonly kind: 'execute'; readonly sql: string; readonly parameters: readonly unknown[] }
  /** A {@link textOfBatch | batch}. The reply is JSON, too. */
  | { readonly kind: 'settle'; readonly batch: string }
  | { readonly kind: 'close' };

/**
 * An error as a plain object: the structured clone between threads would lose SQLite's result code.
 */
export interface WorkerFailure {
  readonly message: string;
  readonly code?: string;
}

/** A reply has the sequence number of its request. */
export interface WorkerReply {
  readonly id: number;
  readonly result?: SqliteResult | string;
  readonly failure?: WorkerFailure;
}
