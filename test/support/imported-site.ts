/** What tests of imports look at: the report as JSON, and the site that was imported. */
import { openDataFolder } from '../../src/core/config/data-folder.ts';
import { loadConfig } from '../../src/core/config/load.ts';
import { openDatabase } from '../../src/core/open-database.ts';
import type { OpenStorage } from '../../src/core/storage/open.ts';

export interface ImportReportJson {
  readonly dry_run: boolean;
  readonly tables: readonly {
    readonly table: string;
    readonly read: number;
    readonly carried: number;
    readonly left_out: number;
    readonly already_there: number;
    readonly notes: readonly {
      readonly reason: string;
      readonly count: number;
      readonly examples: readonly string[];
    }[];
  }[];
  readonly left_out_tables: readonly { readonly table: string; readonly rows: number }[];
  readonly logs_elsewhere: boolean;
  readonly users_compared: number;
  readonly proof: readonly {
    readonly table: string;
    readonly figure: string;
    readonly expected: string;
    readonly found: string;
  }[];
}

/** The examples of a table's notes, by reason. */
export const notesOf = (report: ImportReportJson, table: string) =>
  Object.fromEntries(
    report.tables
      .find((one) => one.table === table)
      ?.notes.map(({ reason, examples }) => [reason, examples]) ?? [],
  );

export async function withImportedSite<T>(
  dataDir: string,
  look: (storage: OpenStorage) => Promise<T>,
): Promise<T> {
  const { config } = loadConfig({ flags: { 'data-dir': dataDir }, environment: {}, cwd: dataDir });
  const masterKey = Buffer.from(openDataFolder(config).cryptoSecret.reveal());
  const storage = await openDatabase({ url: `sqlite:${config.sqlitePath}`, masterKey });
  try {
    return await look(storage);
  } finally {
    await storage.close();
  }
}
