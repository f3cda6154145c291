/** A site of One API or New API: what is carried, in the order of writing. */
import { parseJson } from '../kernel/json.ts';
import type { Storage, StoredOption } from '../storage/storage.ts';
import { toText, toTrimmed } from './convert.ts';
import type { SourceTables } from './detect.ts';
import { carryGroupRates } from './group-rates.ts';
import { coveredTables, tableMappings } from './mapping/index.ts';
import type { TableMapping } from './mapping/mapping.ts';
import { mapOption } from './mapping/options.ts';
import { Notes } from './notes.ts';
import { carryExpressions } from './price-expressions.ts';
import { importQuotaData } from './quota-data.ts';
import type { TableReport } from './report.ts';
import { type CarriedSite, contextOf, type Run } from './run-context.ts';
import { importPasskeys, importTotpSecrets } from './second-factors.ts';
import type { ImportSource } from './source/source.ts';
import { importTable, type TableResult } from './table-import.ts';

/** How a fork of the family differs. */
export interface Fork {
  readonly mappings: readonly TableMapping[];
  /** The options of its table, by the names that the family has for them. */
  readonly options: ReadonlyMap<string, string>;
  /** Options that its other tables become, which go before those. */
  readonly derived: readonly StoredOption[];
  /** Options that it no longer reads. */
  readonly unused: ReadonlySet<string>;
}

const noFork = { derived: [], unused: new Set<string>() };

export async function carryOneApi(given: Run, fork?: Fork): Promise<CarriedSite> {
  const { derived, unused } = fork ?? noFork;
  const { source, logs, batch, progress, signal, storage, tables } = given;
  const options = fork?.options ?? (await readOptions(source, batch));
  const context = await contextOf(given, options, readAutoGroups(options));
  const { now } = context;
  const reports: TableReport[] = [await importOptions(options, storage, derived, unused)];
  if (given.family === 'newapi') {
    const rates = await carryGroupRates(options, storage, now);
    if (rates !== undefined) reports.push(rates);
  }
  const results: TableResult[] = [];
  const newUsers = new Set<number>();
  for (const mapping of fork?.mappings ?? tableMappings) {
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
  return { reports, results, proof: [] };
}

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

/** The table of options. */
export async function readOptions(
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
  derived: readonly StoredOption[],
  unused: ReadonlySet<string>,
): Promise<TableReport> {
  const notes = new Notes();
  const set = new Set((await storage?.options.list())?.map(({ key }) => key));
  // By our names: a later name of an option counts, not the one it had before.
  const carried = new Map<string, StoredOption>();
  let alreadyThere = 0;
  for (const [key, value] of options) {
    if (unused.has(key)) {
      notes.add('option_not_used', key);
      continue;
    }
    const option = mapOption(key, value, notes);
    if (option === undefined) continue;
    if (set.has(option.key)) alreadyThere += 1;
    else carried.set(option.key, option);
  }
  const read = carried.size;
  carryExpressions(options, carried, set, notes);
  for (const option of derived) if (!set.has(option.key)) carried.set(option.key, option);
  await storage?.options.setMany([...carried.values()]);
  const leftOut = options.size - read - alreadyThere;
  return {
    table: 'options',
    read: options.size,
    carried: read,
    leftOut,
    alreadyThere,
    notes: notes.list(),
  };
}

/** The logs were read elsewhere, so that rows of the same table here are left out. */
export const withoutLogs: ReadonlySet<string> = new Set(
  [...coveredTables].filter((one) => one !== 'logs'),
);

/**
 * Whether users made requests and no row of a log says so: probably the logs are in a database of
 * their own.
 */
export async function lacksLogs(source: ImportSource, tables: SourceTables): Promise<boolean> {
  if (
    !tables.get('users')?.has('request_count') ||
    (await source.sum('users', 'request_count')) === 0n
  )
    return false;
  return !tables.has('logs') || (await source.count('logs')) === 0;
}
