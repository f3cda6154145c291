/** Runs an import on a data folder, whose lock the caller holds. */
import type { DataFolder } from './config/data-folder.ts';
import type { Config } from './config/schema.ts';
import type { ImportReport } from './import/report.ts';
import { type ImportRequest, runImport } from './import/run-import.ts';
import { openSource } from './import/source/open-source.ts';
import { openDatabase } from './open-database.ts';

export type { ImportNote } from './import/notes.ts';
export type { ImportReport, ProofLine, TableReport } from './import/report.ts';

/** ms: an import is one transaction, and nothing else uses the database. */
const transactionLimit = 86_400_000;

export interface SiteImport extends Omit<ImportRequest, 'source' | 'storage'> {
  readonly sourceName: string;
}

/** What would be imported; neither the data folder nor its database is opened. */
export async function planImport({ sourceName, ...request }: SiteImport): Promise<ImportReport> {
  const source = await openSource(sourceName);
  try {
    return await runImport({ ...request, source, storage: null });
  } finally {
    await source.close();
  }
}

export async function importSite(
  { sourceName, ...request }: SiteImport,
  config: Config,
  folder: Pick<DataFolder, 'cryptoSecret'>,
): Promise<ImportReport> {
  const source = await openSource(sourceName);
  try {
    const storage = await openDatabase({
      url: config.databaseUrl || `sqlite:${config.sqlitePath}`,
      masterKey: Buffer.from(folder.cryptoSecret.reveal()),
      durability: config.durability,
      transactionLimit,
    });
    try {
      return await runImport({ ...request, source, storage });
    } finally {
      await storage.close();
    }
  } finally {
    await source.close();
  }
}
