/**
 * Prepared statements through a pooler. PgBouncer gives each transaction another connection of the
 * server unless it pools sessions; before 1.21, or without `max_prepared_statements`, a statement
 * that was prepared on one is missing on the next (docs/rules/ledger.md#prepared).
 */
import { createHash } from 'node:crypto';
import { DatabaseError, type Pool } from 'pg';

/** invalid_sql_statement_name, duplicate_prepared_statement. */
const lost = new Set(['26000', '42P05']);

/** Pools whose connections lose statements. */
const withoutNames = new WeakSet<Pool>();

interface Prepared {
  readonly name: string;
  readonly text: string;
}

/**
 * A statement with its name on the server. The name is different for each text: another version of
 * the gateway may have prepared the same statement differently on a connection of the pooler.
 */
export function prepared(name: string, text: string): Prepared {
  return { name: `${name}_${createHash('sha256').update(text).digest('hex').slice(0, 12)}`, text };
}

/**
 * Whether a statement failed only because the connection does not have it: nothing was done, and from
 * now on the pool's statements are sent without names.
 */
export function isLostStatement(pool: Pool, error: unknown): boolean {
  if (!(error instanceof DatabaseError) || !lost.has(error.code ?? '')) return false;
  withoutNames.add(pool);
  return true;
}

const hasName = (query: unknown): query is { readonly name?: string } =>
  typeof query === 'object' && query !== null && 'name' in query;

/** Makes a new pool's connections send names only as long as the server has kept what they stand for. */
export function followNames(pool: Pool): void {
  pool.on('connect', (client) => {
    const send: (query: unknown, ...rest: unknown[]) => unknown = client.query.bind(client);
    const query = (given: unknown, ...rest: unknown[]) =>
      send(
        withoutNames.has(pool) && hasName(given) ? { ...given, name: undefined } : given,
        ...rest,
      );
    Object.assign(client, { query });
  });
}
