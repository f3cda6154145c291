import type { Kysely } from 'kysely';
import type { EngineAbilities } from '../dialects/engine.ts';
import type { Database } from '../schema.ts';
import type { Vault } from '../vault.ts';

/**
 * Database access of a repository. Inside a transaction `read` and `write` are both that
 * transaction.
 */
export interface Access {
  readonly read: Kysely<Database>;
  readonly write: Kysely<Database>;
  readonly abilities: EngineAbilities;
  readonly vault: Vault;
  /** Runs `work` in the current transaction, or in a new one. */
  atomically<T>(work: (database: Kysely<Database>) => Promise<T>): Promise<T>;
}

/** Whether a statement changed at least one row. */
export function changed(result: {
  readonly numUpdatedRows?: bigint;
  readonly numDeletedRows?: bigint;
}): boolean {
  return changes(result) > 0;
}

export function changes(result: {
  readonly numUpdatedRows?: bigint;
  readonly numDeletedRows?: bigint;
}): number {
  return Number(result.numUpdatedRows ?? result.numDeletedRows ?? 0n);
}

/** Maximum of values that a statement binds in a list; engines allow some ten thousand. */
const listLimit = 1000;

/** Splits a list into chunks that one statement can bind. */
export function* inPieces<T>(items: readonly T[], size = listLimit): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
