/**
 * Triggers by which the database notes changed rows itself (docs/rules/process.md#reconciliation).
 */
import { type Kysely, sql } from 'kysely';
import type { WatchedTable } from '../columns.ts';

const events = ['insert', 'update', 'delete'] as const;

/**
 * SQLite has one writer at a time, so a number that grows by one is in the order of the commits.
 */
export async function watchOnSqlite(
  database: Kysely<unknown>,
  watched: WatchedTable,
): Promise<void> {
  for (const event of events) {
    const row = `cast(${event === 'delete' ? 'old' : 'new'}."${watched.row}" as text)`;
    const name = `${watched.table}_${event}_noted`;
    await sql.raw(`drop trigger if exists "${name}"`).execute(database);
    const text = `create trigger "${name}" after ${clauses(watched, event)} begin
      insert into row_changes (kind, row_key, tx, noted_at)
        values ('${watched.kind}', ${row}, (select coalesce(max(tx), 0) + 1 from row_changes), unixepoch())
        on conflict (kind, row_key) do update set tx = excluded.tx, noted_at = excluded.noted_at;
    end`;
    await sql.raw(text).execute(database);
  }
}

/**
 * Transactions commit in another order than they begin: who reads compares `tx` with the oldest
 * that is still open.
 */
export async function watchOnPostgres(
  database: Kysely<unknown>,
  watched: WatchedTable,
): Promise<void> {
  const name = `note_${watched.table}_change`;
  const note = (row: string) => `insert into row_changes (kind, row_key, tx, noted_at)
      values ('${watched.kind}', ${row}."${watched.row}"::text, txid_current(), floor(extract(epoch from clock_timestamp()))::bigint)
      on conflict (kind, row_key) do update set tx = excluded.tx, noted_at = excluded.noted_at;`;
  const body = `begin
    if tg_op = 'DELETE' then ${note('old')}
    else ${note('new')}
    end if;
    return null;
  end`;
  await sql
    .raw(`create or replace function "${name}"() returns trigger language plpgsql as $$ ${body} $$`)
    .execute(database);
  for (const event of events) {
    const trigger = `${watched.table}_${event}_noted`;
    await sql.raw(`drop trigger if exists "${trigger}" on "${watched.table}"`).execute(database);
    const text = `create trigger "${trigger}" after ${clauses(watched, event)} execute function "${name}"()`;
    await sql.raw(text).execute(database);
  }
}

/**
 * Settlements update other columns than these, so that they run no trigger, or only its condition.
 */
function clauses({ table, columns }: WatchedTable, event: (typeof events)[number]): string {
  if (event !== 'update') return `${event} on "${table}" for each row`;
  const named = columns.map((column) => `"${column}"`);
  const differs = named
    .map((column) => `old.${column} is distinct from new.${column}`)
    .join(' or ');
  return `update of ${named.join(', ')} on "${table}" for each row when (${differs})`;
}
