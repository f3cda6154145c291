/** Runs an import on a data folder that no gateway uses. */
import { type DataFolder, openDataFolder } from './config/data-folder.ts';
import { lockDataFolder } from './config/data-lock.ts';
import type { Config } from './config/schema.ts';
import { inspectSource } from './import/detect.ts';
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

/**
 * Imports into a data folder, which is made and locked once the source is known to be a site. Throws AppError data_folder_locked, and what
 * {@link runImport} throws.
 */
export async function importSite({ sourceName, ...request }: SiteImport, config: Config): Promise<ImportReport> {
  const source = await openSource(sourceName);
  try {
    await inspectSource(source, request.family);
    const folder = openDataFolder(config);
    const lock = lockDataFolder(config.dataDir);
    try {
      return await importInto({ ...request, source }, config, folder);
    } finally {
      lock.release();
    }
  } finally {
    await source.close();
  }
}

async function importInto(
  request: Omit<ImportRequest, 'storage'>,
  config: Config,
  { cryptoSecret }: DataFolder,
): Promise<ImportReport> {
  const storage = await openDatabase({
    url: config.databaseUrl || `sqlite:${config.sqlitePath}`,
    masterKey: Buffer.from(cryptoSecret.reveal()),
    durability: config.durability,
    transactionLimit,
  });
  try {
    return await runImport({ ...request, storage });
  } finally {
    await storage.close();
  }
}
