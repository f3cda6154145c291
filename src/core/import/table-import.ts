/** Reads one table, converts its rows and writes those that are not there yet. */
import { setImmediate } from 'node:timers/promises';
import { postImportedBalances } from '../billing/import-balances.ts';
import { AppError } from '../kernel/errors.ts';
import type { ImportedRow, ImportedTable, Storage } from '../storage/storage.ts';
import { moneyToQuota, toBigInt, toText } from './convert.ts';
import {
  convertRow,
  type MappedRow,
  type MappingContext,
  type TableMapping,
} from './mapping/mapping.ts';
import { Notes } from './notes.ts';
import type { ProofLine, TableReport } from './report.ts';
import type { ImportSource, SourceRow, SourceValue } from './source/source.ts';

export interface TableRun {
  readonly source: ImportSource;
  readonly columns: ReadonlySet<string>;
  readonly context: MappingContext;
  /** Null: nothing is written. */
  readonly storage: Storage | null;
  readonly batch: number;
  readonly progress: (table: string, done: number, total: number) => void;
  readonly signal: AbortSignal;
  /** Gets the ids of the rows that are written. */
  readonly writtenIds?: Set<number>;
}

export interface TableResult {
  readonly report: TableReport;
  readonly proof: readonly ProofLine[];
  readonly usersCompared: number;
}

/** The sums of a mapping's figures, by column. */
type Sums = Map<string, bigint>;

/**
 * Throws AppError import_interrupted, import_proof_failed where the rows or sums of one user
 * differ.
 */
export async function importTable(mapping: TableMapping, run: TableRun): Promise<TableResult> {
  const { source, storage, context, columns, signal, writtenIds } = run;
  const notes = new Notes();
  const unread = unreadColumns(mapping, columns);
  const refine = mapping.refine?.(context, notes) ?? ((draft): MappedRow => ({ row: draft }));
  const total = await source.count(mapping.source);
  const figures = mapping.figures.filter((figure) =>
    columns.has(mapping.columns[figure]?.from ?? figure),
  );
  const before = await storage?.imports.figures(mapping.target, mapping.figures);
  const byUserBefore = await figuresByUser(mapping, storage);
  const expected = await sourceSums(mapping, figures, run);
  const perUser = new Map<number, Sums>();
  const isUsable = checkIds(notes);
  let read = 0;
  let carried = 0;
  let leftOut = 0;
  let alreadyThere = 0;

  for await (const rows of source.rows(mapping.source, 'id', run.batch)) {
    // On SQLite everything below runs without a turn of the event loop, in which Ctrl-C would be
    // noticed.
    await setImmediate();
    if (signal.aborted) throw new AppError('import_interrupted');
    const mappedRows = rows.map((row) =>
      isUsable(row) ? refine(convertRow(mapping, row, context.quotaPerUnit, notes), row) : null,
    );
    const there = await findThere(mapping, mappedRows, run, notes);
    const kept: MappedRow[] = [];
    for (const row of rows)
      for (const [column, count] of unread)
        if (hasValue(row[column])) unread.set(column, count + 1);
    for (const [index, row] of rows.entries()) {
      const mapped = mappedRows[index] ?? null;
      const place = mapped === null ? 'left out' : (there.get(mapped) ?? 'new');
      if (place === 'left out') leftOut += 1;
      else if (place === 'there') alreadyThere += 1;
      else if (mapped !== null) kept.push(mapped);
      const written = place === 'new' ? mapped?.row : undefined;
      for (const figure of figures) {
        const change = BigInt(written?.[figure] ?? 0) - sourceAmount(mapping, figure, row, context);
        expected.set(figure, (expected.get(figure) ?? 0n) + change);
      }
      if (written !== undefined) addForUser(mapping, figures, written, perUser);
    }
    read += rows.length;
    carried += kept.length;
    if (storage !== null) await write(mapping, kept, storage, context.now);
    for (const { row } of kept) writtenIds?.add(Number(row['id']));
    run.progress(mapping.source, read, total);
  }

  for (const [column, count] of unread)
    if (count > 0) notes.add('column_left_out', `${column} (${count})`);
  const report = {
    table: mapping.source,
    read,
    carried,
    leftOut,
    alreadyThere,
    notes: notes.list(),
  };
  if (storage === null || before === undefined) return { report, proof: [], usersCompared: 0 };
  const after = await storage.imports.figures(mapping.target, mapping.figures);
  const counted = BigInt(total - leftOut - alreadyThere);
  const proof: ProofLine[] = [
    {
      table: mapping.source,
      figure: 'rows',
      expected: counted,
      found: BigInt(after.count - before.count),
    },
    ...figures.map((figure) => ({
      table: mapping.source,
      figure,
      expected: expected.get(figure) ?? 0n,
      found: (after.sums[figure] ?? 0n) - (before.sums[figure] ?? 0n),
    })),
  ];
  const byUser = await figuresByUser(mapping, storage);
  for (const [user, sums] of perUser) {
    for (const [figure, sum] of sums) {
      const found =
        (byUser.get(user)?.sums[figure] ?? 0n) - (byUserBefore.get(user)?.sums[figure] ?? 0n);
      if (found !== sum)
        throw proofFailed({
          table: mapping.source,
          figure: `${figure} (user ${user})`,
          expected: sum,
          found,
        });
    }
  }
  return { report, proof, usersCompared: perUser.size };
}

/** Rows come in the order of their ids. A table without a primary key may repeat them. */
function checkIds(notes: Notes): (row: SourceRow) => boolean {
  let last = 0n;
  return ({ id }) => {
    const number = toBigInt(id);
    const isUsable = number > last && number <= BigInt(Number.MAX_SAFE_INTEGER);
    if (isUsable) last = number;
    else notes.add('id_unusable', toText(id));
    return isUsable;
  };
}

export function proofFailed({ table, figure, expected, found }: ProofLine): AppError {
  return new AppError('import_proof_failed', {
    table,
    figure,
    expected: `${expected}`,
    found: `${found}`,
  });
}

/**
 * Which rows are not written: those that an earlier run wrote, and, with a note, those whose id or
 * key another row of the site has. Throws AppError import_ids_taken for users: what belongs to one
 * of the source would become somebody else's.
 */
async function findThere(
  { target, same, sameByAny = false }: TableMapping,
  mapped: readonly (MappedRow | null)[],
  { storage, context }: TableRun,
  notes: Notes,
): Promise<ReadonlyMap<MappedRow, 'there' | 'left out'>> {
  const found = new Map<MappedRow, 'there' | 'left out'>();
  if (storage === null) return found;
  const rows = mapped.flatMap((one) => (one === null ? [] : [one.row]));
  const taken = await storage.imports.taken(target, rows, same);
  const foreign =
    target === 'tokens' || target === 'redemptions'
      ? await storage.imports.foreignKeys(target, rows)
      : undefined;
  const strangers: number[] = [];
  for (const one of mapped) {
    if (one === null) continue;
    const id = Number(one.row['id']);
    const equal = taken.get(id);
    if (equal !== undefined && (sameByAny ? equal.size > 0 : equal.size === same.length))
      found.set(one, 'there');
    else if (target === 'users' && equal === undefined && context.holders.importedUsers.has(id)) {
      found.set(one, 'left out');
      notes.add('deleted_here', `${id} ${one.row['username']}`);
    } else if (equal !== undefined || foreign?.has(id)) {
      found.set(one, 'left out');
      notes.add(equal === undefined ? 'duplicate_key' : 'id_taken', `${id}`);
      strangers.push(id);
    }
  }
  if (target === 'users' && strangers.length > 0) {
    throw new AppError('import_ids_taken', { ids: strangers.slice(0, 5).join(', ') });
  }
  return found;
}

/** Users are inserted without a balance: it is their first posting. */
async function write(
  mapping: TableMapping,
  mapped: readonly MappedRow[],
  storage: Storage,
  now: number,
): Promise<void> {
  const isUsers = mapping.target === 'users';
  const rows: readonly ImportedRow[] = isUsers
    ? mapped.map(({ row }) => ({ ...row, quota: 0 }))
    : mapped.map(({ row }) => row);
  await storage.imports.insert(mapping.target, rows);
  const others = Map.groupBy(
    mapped.flatMap(({ others = [] }) => others),
    ({ table }): ImportedTable => table,
  );
  for (const [table, found] of others)
    await storage.imports.insert(
      table,
      found.map(({ row }) => row),
    );
  if (!isUsers) return;
  const balances = mapped.map(({ row }) => ({
    userId: Number(row['id']),
    amount: Number(row['quota']),
  }));
  await postImportedBalances(storage, balances, now);
}

async function figuresByUser(mapping: TableMapping, storage: Storage | null) {
  if (storage === null || mapping.user === undefined)
    return new Map<number, { readonly sums: Readonly<Record<string, bigint>> }>();
  return storage.imports.figuresByUser(mapping.target, mapping.user, mapping.figures);
}

async function sourceSums(
  mapping: TableMapping,
  figures: readonly string[],
  { source, context }: TableRun,
): Promise<Sums> {
  const sums: Sums = new Map();
  for (const figure of figures) {
    const rule = mapping.columns[figure];
    const column = rule?.from ?? figure;
    const scaled =
      rule?.as === 'money'
        ? await source.sumScaled?.(mapping.source, column, context.quotaPerUnit)
        : undefined;
    sums.set(figure, scaled ?? (await source.sum(mapping.source, column)));
  }
  return sums;
}

function sourceAmount(
  { columns }: TableMapping,
  figure: string,
  row: SourceRow,
  { quotaPerUnit }: MappingContext,
): bigint {
  const rule = columns[figure];
  const value = row[rule?.from ?? figure];
  return rule?.as === 'money' ? moneyToQuota(value, quotaPerUnit).quota : toBigInt(value);
}

function addForUser(
  { user }: TableMapping,
  figures: readonly string[],
  row: MappedRow['row'],
  perUser: Map<number, Sums>,
): void {
  if (user === undefined) return;
  const id = Number(row[user]);
  const sums: Sums = perUser.get(id) ?? new Map();
  for (const figure of figures)
    sums.set(figure, (sums.get(figure) ?? 0n) + BigInt(row[figure] ?? 0));
  perUser.set(id, sums);
}

/** Columns of the source that nothing of ours corresponds to, each with a count of 0 values. */
function unreadColumns(mapping: TableMapping, columns: ReadonlySet<string>): Map<string, number> {
  const known = new Set([
    ...Object.entries(mapping.columns).map(([name, { from = name }]) => from),
    ...mapping.alsoRead,
  ]);
  return new Map([...columns].filter((column) => !known.has(column)).map((column) => [column, 0]));
}

/** Whether something is lost without it. */
const hasValue = (value: SourceValue | undefined): boolean =>
  value !== null &&
  value !== undefined &&
  !/^(0*(\.0*)?|false|\{\}|\[\])$/.test(toText(value).trim());
