/** Imports a site of One API, New API or sub2api (docs/rules/import.md). */
import { setImmediate } from 'node:timers/promises';
import { AppError } from '../kernel/errors.ts';
import type { Storage } from '../storage/storage.ts';
import { inspectLogSource, inspectSource, type SourceTables } from './detect.ts';
import { coveredTables, unreplacedTables } from './mapping/index.ts';
import { carryOneApi, lacksLogs, withoutLogs } from './one-api-site.ts';
import type { ImportReport, LeftOutTable, Loss } from './report.ts';
import { contextOf, type ImportRequest } from './run-context.ts';
import type { ImportSource } from './source/source.ts';
import { carrySub2api, coveredSub2api, lossesOfSub2api } from './sub2api/index.ts';
import { proofFailed } from './table-import.ts';

const defaultBatch = 1000;
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
  const { source, logs, family, signal, batch = defaultBatch } = request;
  const run = { ...request, batch, tables, storage };
  const isSub2api = family === 'sub2api';
  const {
    reports,
    results,
    proof: more,
  } = isSub2api
    ? await carrySub2api({ ...run, context: await contextOf(run, await ownOptions(storage), []) })
    : await carryOneApi(run);
  const proof = [...results.flatMap((result) => result.proof), ...more];
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
    leftOutTables: isSub2api
      ? await listLeftOut(source, tables, coveredSub2api, lossesOfSub2api)
      : await listLeftOut(
          source,
          tables,
          logs === undefined ? coveredTables : withoutLogs,
          unreplacedTables,
        ),
    logsElsewhere: !isSub2api && logs === undefined && (await lacksLogs(source, tables)),
    proof,
    usersCompared: Math.max(0, ...results.map(({ usersCompared }) => usersCompared)),
  };
}

async function ownOptions(storage: Storage | null): Promise<ReadonlyMap<string, string>> {
  return new Map((await storage?.options.list())?.map(({ key, value }) => [key, value]));
}

async function listLeftOut(
  source: ImportSource,
  tables: SourceTables,
  covered: ReadonlySet<string>,
  losses: ReadonlyMap<string, Loss>,
): Promise<readonly LeftOutTable[]> {
  const found: LeftOutTable[] = [];
  for (const table of [...tables.keys()].sort()) {
    if (covered.has(table)) continue;
    const rows = await source.count(table);
    if (rows > 0 || table !== 'logs')
      found.push({ table, rows, loss: rows === 0 ? undefined : losses.get(table) });
  }
  return found;
}
