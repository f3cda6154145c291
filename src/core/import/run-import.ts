/** Imports a site of One API or New API (docs/rules/import.md). */
import { setImmediate } from 'node:timers/promises';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import { AppError } from '../kernel/errors.ts';
import { parseJson } from '../kernel/json.ts';
import type { Holders, Storage, StoredOption } from '../storage/storage.ts';
import type { ImportFamily } from '../vocabulary/import-reasons.ts';
import { toText, toTrimmed } from './convert.ts';
import { inspectLogSource, inspectSource, type SourceTables } from './detect.ts';
import { coveredTables, tableMappings, unreplacedTables } from './mapping/index.ts';
import type { MappingContext } from './mapping/mapping.ts';
import { mapOption } from './mapping/options.ts';
import { Notes } from './notes.ts';
import { importQuotaData } from './quota-data.ts';
import type { ImportReport, LeftOutTable, TableReport } from './report.ts';
import { importPasskeys, importTotpSecrets } from './second-factors.ts';
import type { ImportSource } from './source/source.ts';
import { importTable, proofFailed, type TableResult } from './table-import.ts';

export interface ImportRequest {
  readonly family: ImportFamily;
  readonly source: ImportSource;
  /** The database of the usage logs (LOG_SQL_DSN), where they are not in `source`. */
  readonly logs?: ImportSource;
  /** Null: a dry run, which writes nothing. */
  readonly storage: Storage | null;
  /** Into a site that has users of its own. */
  readonly force: boolean;
  /** Rows that are read, converted and written together. */
  readonly batch?: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly progress: (table: string, done: number, total: number) => void;
}

const defaultBatch = 1000;
const defaultQuotaPerUnit = 500_000;

/**
 * One transaction: where it throws, nothing was written. Throws AppError import_target_not_empty,
 * import_ids_taken, import_proof_failed, import_interrupted, conflict, and what {@link
 * inspectSource} throws.
 */
export async function runImport(request: ImportRequest): Promise<ImportReport> {
  const tables = await inspectSource(request.source, request.family);
  if (request.logs !== undefined) await inspectLogSource(request.logs);
  if (request.storage === null) return importAll(request, tables, null);
  return request.storage.transaction(async (storage) => {
    if (
      !request.force &&
      (await storage.users.count()) > 0 &&
      !(await storage.imports.hasPostings())
    ) {
      throw new AppError('import_target_not_empty');
    }
    return importAll(request, tables, storage);
  });
}

async function importAll(
  request: ImportRequest,
  tables: SourceTables,
  storage: Storage | null,
): Promise<ImportReport> {
  const { source, logs, family, clock, progress, signal, batch = defaultBatch } = request;
  const userIds = await readUserIds(source, batch);
  const now = nowSeconds(clock);
  const options = await readOptions(source, batch);
  const context: MappingContext = {
    family,
    now,
    quotaPerUnit: Number(options.get('QuotaPerUnit') ?? 0) || defaultQuotaPerUnit,
    autoGroups: readAutoGroups(options),
    holders: (await storage?.imports.holders()) ?? noHolders,
    hasUser: (id) => userIds.has(id),
  };
  const reports: TableReport[] = [await importOptions(options, storage)];
  const results: TableResult[] = [];
  const newUsers = new Set<number>();
  for (const mapping of tableMappings) {
    const from = mapping.source === 'logs' && logs !== undefined ? logs : source;
    const columns =
      from === source ? tables.get(mapping.source) : (await from.tables()).get(mapping.source);
    if (columns === undefined) continue;
    const run = { source: from, columns, context, storage, batch, progress, signal };
    results.push(
      await importTable(
        mapping,
        mapping.target === 'users' ? { ...run, writtenIds: newUsers } : run,
      ),
    );
  }
  reports.push(...results.map(({ report }) => report));
  const factorRun = {
    source,
    storage,
    batch,
    now,
    host: readHost(options),
    signal,
    hasUser: context.hasUser,
    isNewUser: (id: number) => newUsers.has(id),
  };
  if (tables.has('two_fas')) reports.push(await importTotpSecrets(factorRun));
  if (tables.has('passkey_credentials')) reports.push(await importPasskeys(factorRun));
  const sums = tables.get('quota_data');
  if (sums !== undefined) {
    const result = await importQuotaData({
      source,
      columns: sums,
      context,
      storage,
      batch,
      progress,
      signal,
    });
    results.push(result);
    reports.push(result.report);
  }
  const proof = results.flatMap((result) => result.proof);
  for (const line of proof) if (line.expected !== line.found) throw proofFailed(line);
  await storage?.imports.finish();
  await setImmediate();
  if (signal.aborted) throw new AppError('import_interrupted');
  return {
    family,
    engine: source.engine,
    source: source.name,
    ...(logs === undefined ? {} : { logSource: logs.name }),
    dryRun: storage === null,
    tables: reports,
    leftOutTables: await listLeftOut(source, tables, logs !== undefined),
    logsElsewhere: logs === undefined && (await lacksLogs(source, tables)),
    proof,
    usersCompared: Math.max(0, ...results.map(({ usersCompared }) => usersCompared)),
  };
}

const noHolders: Holders = {
  usernames: new Map(),
  emails: new Map(),
  inviteCodes: new Map(),
  accessTokenHashes: new Map(),
  identities: new Map(),
  tradeNumbers: new Map(),
  importedUsers: new Set(),
};

/** The option of New API, or what it is where it is not set. */
function readAutoGroups(options: ReadonlyMap<string, string>): readonly string[] {
  const groups = parseJson(options.get('AutoGroups') ?? '["default"]');
  return Array.isArray(groups) ? groups.filter((group) => typeof group === 'string') : [];
}

/** The host for which passkeys were made. */
function readHost(options: ReadonlyMap<string, string>): string {
  const address = options.get('ServerAddress') ?? '';
  const host = URL.canParse(address) ? new URL(address).hostname : '';
  const own = options.get('passkey.rp_id') ?? '';
  return own === '' || own === host ? host : '';
}

async function readUserIds(source: ImportSource, batch: number): Promise<ReadonlySet<number>> {
  const ids = new Set<number>();
  for await (const rows of source.rows('users', 'id', batch))
    for (const { id } of rows) ids.add(Number(id));
  return ids;
}

async function readOptions(
  source: ImportSource,
  batch: number,
): Promise<ReadonlyMap<string, string>> {
  const options = new Map<string, string>();
  for await (const rows of source.rows('options', 'key', batch)) {
    for (const { key, value } of rows) options.set(toTrimmed(key), toText(value));
  }
  return options;
}

/** Options that the site has set already are kept. */
async function importOptions(
  options: ReadonlyMap<string, string>,
  storage: Storage | null,
): Promise<TableReport> {
  const notes = new Notes();
  const set = new Set((await storage?.options.list())?.map(({ key }) => key));
  // By our names: a later name of an option counts, not the one it had before.
  const carried = new Map<string, StoredOption>();
  let alreadyThere = 0;
  for (const [key, value] of options) {
    const option = mapOption(key, value, notes);
    if (option === undefined) continue;
    if (set.has(option.key)) alreadyThere += 1;
    else carried.set(option.key, option);
  }
  await storage?.options.setMany([...carried.values()]);
  const leftOut = options.size - carried.size - alreadyThere;
  return {
    table: 'options',
    read: options.size,
    carried: carried.size,
    leftOut,
    alreadyThere,
    notes: notes.list(),
  };
}

/**
 * `withLogSource`: the logs were read elsewhere, so that rows of the same table here are left out.
 */
async function listLeftOut(
  source: ImportSource,
  tables: SourceTables,
  withLogSource: boolean,
): Promise<readonly LeftOutTable[]> {
  const found: LeftOutTable[] = [];
  for (const table of [...tables.keys()].sort()) {
    const isUnreadLog = table === 'logs' && withLogSource;
    if (coveredTables.has(table) && !isUnreadLog) continue;
    const rows = await source.count(table);
    if (rows > 0 || !isUnreadLog)
      found.push({ table, rows, loss: rows === 0 ? undefined : unreplacedTables.get(table) });
  }
  return found;
}

/**
 * Whether users made requests and no row of a log says so: probably the logs are in a database of
 * their own.
 */
async function lacksLogs(source: ImportSource, tables: SourceTables): Promise<boolean> {
  if (
    !tables.get('users')?.has('request_count') ||
    (await source.sum('users', 'request_count')) === 0n
  )
    return false;
  return !tables.has('logs') || (await source.count('logs')) === 0;
}
