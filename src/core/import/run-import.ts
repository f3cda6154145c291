/** Imports a site of another program (docs/rules/import.md). */
import { setImmediate } from 'node:timers/promises';
import { AppError } from '../kernel/errors.ts';
import type { Storage } from '../storage/storage.ts';
import type { ImportFamily } from '../vocabulary/import-reasons.ts';
import { inspectLogSource, inspectSource, type SourceTables } from './detect.ts';
import { carryLitellm, coveredLitellm, lossesOfLitellm } from './litellm/index.ts';
import { coveredTables, unreplacedTables } from './mapping/index.ts';
import { carryOneApi, lacksLogs, withoutLogs } from './one-api-site.ts';
import { carryOneHub, coveredOneHub, lossesOfOneHub } from './onehub/index.ts';
import type { ImportReport, LeftOutTable, Loss } from './report.ts';
import { type CarriedSite, contextOf, type ImportRequest, type Run } from './run-context.ts';
import type { ImportSource } from './source/source.ts';
import { carrySub2api, coveredSub2api, lossesOfSub2api } from './sub2api/index.ts';
import { proofFailed } from './table-import.ts';

const defaultBatch = 1000;

interface Program {
  readonly carry: (run: Run) => Promise<CarriedSite>;
  /** Tables that are read, or that nothing is lost without. */
  readonly covered: ReadonlySet<string>;
  /** Tables without a counterpart whose rows matter to customers. */
  readonly losses: ReadonlyMap<string, Loss>;
  /** Its usage logs may be in a database of their own. */
  readonly splitsLogs: boolean;
}

const oneApi: Program = {
  carry: (run) => carryOneApi(run),
  covered: coveredTables,
  losses: unreplacedTables,
  splitsLogs: true,
};
const programs: Readonly<Record<ImportFamily, Program>> = {
  newapi: oneApi,
  oneapi: oneApi,
  onehub: {
    carry: carryOneHub,
    covered: coveredOneHub,
    losses: lossesOfOneHub,
    splitsLogs: false,
  },
  sub2api: {
    carry: async (run) =>
      carrySub2api({ ...run, context: await contextOf(run, await ownOptions(run.storage), []) }),
    covered: coveredSub2api,
    losses: lossesOfSub2api,
    splitsLogs: false,
  },
  litellm: {
    carry: async (run) => carryLitellm(run, await ownOptions(run.storage)),
    covered: coveredLitellm,
    losses: lossesOfLitellm,
    splitsLogs: false,
  },
};

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
  const { carry, covered, losses, splitsLogs } = programs[family];
  const { reports, results, proof: more } = await carry(run);
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
    leftOutTables: await listLeftOut(
      source,
      tables,
      logs === undefined ? covered : withoutLogs,
      losses,
    ),
    logsElsewhere: splitsLogs && logs === undefined && (await lacksLogs(source, tables)),
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
