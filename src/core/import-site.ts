/** Runs an import on a data folder that no gateway uses. */
import type { DataFolder } from './config/data-folder.ts';
import type { Config } from './config/schema.ts';
import { inspectLogSource, inspectSource } from './import/detect.ts';
import type { ImportReport } from './import/report.ts';
import type { ImportRequest } from './import/run-context.ts';
import { runImport } from './import/run-import.ts';
import { openSource } from './import/source/open-source.ts';
import { openSite } from './maintenance/open-site.ts';
import { openDatabase } from './open-database.ts';
import { checkPostgresIdle } from './storage/backup/postgres-copy.ts';

export type { ImportNote } from './import/notes.ts';
export type { ImportReport, Loss, ProofLine, TableReport } from './import/report.ts';

/** ms: an import is one transaction, and nothing else uses the database. */
const transactionLimit = 86_400_000;

export interface SiteImport extends Omit<ImportRequest, 'source' | 'logs' | 'storage'> {
  readonly sourceName: string;
  /** The database of the usage logs, where it is another one. */
  readonly logSourceName?: string;
}

/** What would be imported; neither the data folder nor its database is opened. */
export async function planImport({
  sourceName,
  logSourceName,
  ...request
}: SiteImport): Promise<ImportReport> {
  return withSources(sourceName, logSourceName, (sources) =>
    runImport({ ...request, ...sources, storage: null }),
  );
}

/**
 * Imports into a data folder, which is made and locked once the source is known to be a site.
 * Throws AppError database_in_use (another process is connected to PostgreSQL), and what {@link
 * openSite} and {@link runImport} throw.
 */
export async function importSite(
  { sourceName, logSourceName, ...request }: SiteImport,
  config: Config,
): Promise<ImportReport> {
  return withSources(sourceName, logSourceName, async (sources) => {
    await inspectSource(sources.source, request.family);
    if (sources.logs !== undefined) await inspectLogSource(sources.logs);
    const { folder, lock } = await openSite(config, { migrates: false });
    try {
      return await importInto({ ...request, ...sources }, config, folder);
    } finally {
      lock.release();
    }
  });
}

async function withSources<T>(
  sourceName: string,
  logSourceName: string | undefined,
  read: (sources: Pick<ImportRequest, 'source' | 'logs'>) => Promise<T>,
): Promise<T> {
  const source = await openSource(sourceName);
  try {
    if (logSourceName === undefined) return await read({ source });
    const logs = await openSource(logSourceName);
    try {
      return await read({ source, logs });
    } finally {
      await logs.close();
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
  // The folder's lock keeps gateways on this machine away; those on others are connected to the
  // database.
  if (config.databaseUrl !== '') await checkPostgresIdle(config.databaseUrl);
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
