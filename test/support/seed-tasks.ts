/**
 * Rows of drawings and tasks, written into the database of a running gateway: states that no
 * upstream reaches within a test.
 */
import { join } from 'node:path';
import Database from 'better-sqlite3';

type Row = Readonly<Record<string, string | number>>;

const insert = (database: Database.Database, table: string, row: Row): number => {
  const names = Object.keys(row);
  const marks = names.map((name) => `@${name}`);
  return Number(
    database
      .prepare(`insert into ${table} (${names.join(', ')}) values (${marks.join(', ')})`)
      .run(row).lastInsertRowid,
  );
};

/** Inserts rows, or runs one statement, on the database file of a data folder. */
export function openTaskRows(dataDir: string) {
  const database = new Database(join(dataDir, 'turnpike.db'), { timeout: 5000 });
  return {
    drawing: (row: Row) =>
      insert(database, 'midjourneys', {
        action: 'IMAGINE',
        code: 1,
        status: 'SUCCESS',
        progress: '100%',
        ...row,
      }),
    task: (row: Row) =>
      insert(database, 'tasks', {
        platform: 'suno',
        action: 'MUSIC',
        status: 'SUCCESS',
        progress: '100%',
        ...row,
      }),
    /** A posting that gave quota back; the balance itself stays. */
    refund: (userId: number, amount: number, reference: string) =>
      insert(database, 'ledger', {
        user_id: userId,
        kind: 'refund',
        amount,
        balance_after: amount,
        reference,
        created_at: 1,
      }),
    set: (table: 'midjourneys' | 'tasks', id: number, row: Row) => {
      const changes = Object.keys(row).map((name) => `${name} = @${name}`);
      database
        .prepare(`update ${table} set ${changes.join(', ')} where id = @id`)
        .run({ ...row, id });
    },
    clear: (table: 'midjourneys' | 'tasks') => database.prepare(`delete from ${table}`).run(),
    close: () => database.close(),
  };
}
