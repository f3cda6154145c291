/** The rows of a database file as a test sees them from outside. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEachTest } from './hooks.ts';

/** The name of a file that is deleted after the test. */
export function temporaryDatabase(): string {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-rows-'));
  folders.push(folder);
  return join(folder, 'test.db');
}

/** Looks at all rows of a database file; closed after the test. */
export function watchRows(file: string): {
  /**
   * The rows that were written and the rows that are gone since the last look, as `table:
   * {"id":1,…}`.
   */
  changes(): readonly string[];
} {
  const database = new Database(file, { readonly: true });
  open.push(database);
  const tables = database
    .prepare<[], { name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'")
    .all();
  const read = () =>
    tables.flatMap(({ name }) =>
      database
        .prepare(`SELECT * FROM "${name}"`)
        .all()
        .map((row) => `${name}: ${JSON.stringify(row)}`),
    );
  // Differs once another connection has committed.
  const versionOf = () => database.pragma('data_version', { simple: true });
  let [version, rows] = [versionOf(), read()];
  return {
    changes: () => {
      const now = versionOf();
      if (now === version) return [];
      const [before, after] = [new Set(rows), read()];
      [version, rows] = [now, after];
      const kept = new Set(after);
      return [
        ...after.filter((row) => !before.has(row)),
        ...[...before].filter((row) => !kept.has(row)).map((row) => `gone: ${row}`),
      ];
    },
  };
}

const open: Database.Database[] = [];
const folders: string[] = [];
afterEachTest(() => {
  for (const database of open.splice(0)) database.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
