import type { Kysely } from 'kysely';
import type { EngineAbilities } from '../dialects/engine.ts';
import type { Database } from '../schema.ts';
import type { Vault } from '../vault.ts';

/** What a repository is made from. Inside a transaction `read` and `write` are both that transaction. */
export interface Access {
  readonly read: Kysely<Database>;
  readonly write: Kysely<Database>;
  readonly abilities: EngineAbilities;
  readonly vault: Vault;
  /** Runs `work` in one transaction: the one that is open, or a new one. */
  atomically<T>(work: (database: Kysely<Database>) => Promise<T>): Promise<T>;
}

/** Whether a statement changed at least one row. */
export function changed(result: { readonly numUpdatedRows?: bigint; readonly numDeletedRows?: bigint }): boolean {
  return changes(result) > 0;
}

export function changes(result: { readonly numUpdatedRows?: bigint; readonly numDeletedRows?: bigint }): number {
  return Number(result.numUpdatedRows ?? result.numDeletedRows ?? 0n);
}

/** Most values that one statement binds in a list: engines stop at some ten thousand. */
export const listLimit = 1000;

/** Cuts a list into pieces that one statement can bind. */
export function* inPieces<T>(items: readonly T[], size = listLimit): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
