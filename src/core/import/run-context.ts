/** What a run is to import, and what each of its mappings is given. */
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import type { Holders, Storage } from '../storage/storage.ts';
import type { ImportFamily } from '../vocabulary/import-reasons.ts';
import type { SourceTables } from './detect.ts';
import type { LitellmInput } from './litellm/input.ts';
import type { MappingContext } from './mapping/mapping.ts';
import type { ProofLine, TableReport } from './report.ts';
import type { ImportSource } from './source/source.ts';
import type { TableResult } from './table-import.ts';

export interface ImportRequest {
  readonly family: ImportFamily;
  readonly source: ImportSource;
  /** The database of the usage logs (LOG_SQL_DSN), where they are not in `source`. */
  readonly logs?: ImportSource;
  /** Null: a dry run, which writes nothing. */
  readonly storage: Storage | null;
  /** Into a site that has users of its own. */
  readonly force: boolean;
  /** What a site of LiteLLM says outside its database. */
  readonly litellm?: LitellmInput;
  /** Rows that are read, converted and written together. */
  readonly batch?: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly progress: (table: string, done: number, total: number) => void;
}

const defaultQuotaPerUnit = 500_000;

/** What was read of a site, and written unless it is a dry run. */
export interface CarriedSite {
  readonly reports: readonly TableReport[];
  readonly results: readonly TableResult[];
  /** Beside that of the results. */
  readonly proof: readonly ProofLine[];
}

export interface Run extends Omit<ImportRequest, 'batch'> {
  readonly batch: number;
  readonly tables: SourceTables;
}

/** `options`: of the source, or of this site; `autoGroups`: where tokens of group `auto` go. */
export async function contextOf(
  { source, batch, family, clock, storage }: Run,
  options: ReadonlyMap<string, string>,
  autoGroups: readonly string[],
): Promise<MappingContext> {
  const userIds = await readUserIds(source, batch);
  return {
    family,
    now: nowSeconds(clock),
    quotaPerUnit: Number(options.get('QuotaPerUnit') ?? 0) || defaultQuotaPerUnit,
    autoGroups,
    holders: (await storage?.imports.holders()) ?? noHolders,
    hasUser: (id) => userIds.has(id),
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

async function readUserIds(source: ImportSource, batch: number): Promise<ReadonlySet<number>> {
  const ids = new Set<number>();
  for await (const rows of source.rows('users', 'id', batch))
    for (const { id } of rows) ids.add(Number(id));
  return ids;
}
