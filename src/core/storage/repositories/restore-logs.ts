/** Rows of usage logs that come back from an archive (docs/rules/maintenance.md#archives). */
import { type Kysely, sql } from 'kysely';
import type { ArchivedLog, RowPlace, StoredRow } from '../entities/retention.ts';
import type { Database } from '../schema.ts';
import { type Access, inPieces } from './access.ts';
import { forgetDays } from './log-sums.ts';

/** Rows of the table that are compared at a time, and seconds that one statement looks at. */
const comparedRows = 2000;
const comparedSeconds = 500;
/** Rows per INSERT: what waits for it waits for one. */
const insertedRows = 200;

/** Everything but the id, whatever the order of the columns. */
function contentOf(row: StoredRow): string {
  const columns = Object.entries(row).filter(([name]) => name !== 'id');
  return JSON.stringify(columns.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Rows with the same content count: as many as are missing are written, so that two requests that
 * look alike stay two. An archive may have a row twice, with the same id: that is one row.
 */
export function restoreLogs(access: Access, rows: readonly ArchivedLog[]): Promise<number> {
  if (!access.abilities.hasSequences) return restore(access, rows);
  // Two gateways that compare the same rows at once would both write them.
  return access.atomically(async (database) => {
    await sql`select pg_advisory_xact_lock(hashtext('turnpike.restore_logs'))`.execute(database);
    return restore({ ...access, read: database, atomically: (work) => work(database) }, rows);
  });
}

async function restore(access: Access, rows: readonly ArchivedLog[]): Promise<number> {
  const missing = new Map<string, ArchivedLog[]>();
  const seen = new Set<string>();
  for (const row of rows) {
    const content = contentOf(row);
    const whole = `${row.id} ${content}`;
    if (seen.has(whole)) continue;
    seen.add(whole);
    const alike = missing.get(content);
    if (alike === undefined) missing.set(content, [row]);
    else alike.push(row);
  }
  const times = [...new Set(rows.map((row) => row.created_at))];
  await eachStored(access.read, times, (stored) => {
    const content = contentOf(stored);
    const alike = missing.get(content);
    if (alike === undefined) return;
    const same = alike.findIndex(({ id }) => id === Number(stored['id']));
    alike.splice(Math.max(same, 0), 1);
    if (alike.length === 0) missing.delete(content);
  });
  const wanted = [...missing.values()].flat().sort((a, b) => a.created_at - b.created_at);
  for (const piece of inPieces(wanted, insertedRows))
    await access.atomically((database) => insert(database, access, piece));
  return wanted.length;
}

async function eachStored(
  read: Kysely<Database>,
  times: readonly number[],
  take: (row: StoredRow) => void,
): Promise<void> {
  for (const piece of inPieces(times, comparedSeconds)) {
    let place: RowPlace = { time: 0, id: 0 };
    for (;;) {
      const found: readonly StoredRow[] = await read
        .selectFrom('logs')
        .selectAll()
        .where('created_at', 'in', piece)
        .where(sql<boolean>`(created_at, id) > (${place.time}, ${place.id})`)
        .orderBy('created_at')
        .orderBy('id')
        .limit(comparedRows)
        .execute();
      for (const row of found) take(row);
      const last = found.at(-1);
      if (last === undefined || found.length < comparedRows) break;
      place = { time: Number(last['created_at']), id: Number(last['id']) };
    }
  }
}

async function insert(
  database: Kysely<Database>,
  { abilities }: Access,
  rows: readonly ArchivedLog[],
): Promise<void> {
  const times = rows.map(({ created_at: time }) => time);
  await forgetDays(database, { from: Math.min(...times), to: Math.max(...times) });
  const untyped = database as unknown as Kysely<Record<string, Record<string, unknown>>>;
  if (abilities.hasSequences) await passIds(database, Math.max(...rows.map(({ id }) => id)));
  const written = await untyped
    .insertInto('logs')
    .values([...rows])
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .execute();
  const kept = new Set(written.map(({ id }) => Number(id)));
  const others = rows.filter(({ id }) => !kept.has(id));
  if (others.length === 0) return;
  await untyped
    .insertInto('logs')
    .values(others.map(({ id: _, ...row }) => row))
    .execute();
}

/**
 * Before rows with ids of their own are written, so that no new row of the gateway gets one of
 * these.
 */
async function passIds(database: Kysely<Database>, highest: number): Promise<void> {
  await sql`select setval(name, ${highest}) from (select pg_get_serial_sequence('logs', 'id') as name) as sequence
    where ${highest} > coalesce(pg_sequence_last_value(name::regclass), 0)`.execute(database);
}
