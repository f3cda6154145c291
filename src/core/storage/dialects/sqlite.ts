import { Kysely, sql } from 'kysely';
import { atMost } from '../../kernel/at-most.ts';
import type { AppError } from '../../kernel/errors.ts';
import type { ColumnKinds } from '../columns.ts';
import type { PlanBatch } from '../ledger/plan.ts';
import type { Database } from '../schema.ts';
import type { Durability, Engine, EngineAbilities } from './engine.ts';
import { createSqliteFile, openSqlite } from './sqlite-connection.ts';
import { createSqliteDialect } from './sqlite-dialect.ts';
import { fromFailure, toFailure } from './sqlite-errors.ts';
import { createLocalPort, type SqlitePort } from './sqlite-port.ts';
import { type FileWatch, watchFiles } from './sqlite-watch.ts';
import { openWorkerPort } from './sqlite-worker-port.ts';
import { Turns } from './turns.ts';
import { watchOnSqlite } from './watch-rows.ts';

/** Milliseconds after which a transaction is rolled back, because settlements wait for it. */
const transactionLimit = 10_000;
/** Milliseconds that reads and writes wait for settlements that are not in the tables yet. */
const longestWait = 5000;

const kinds: ColumnKinds = {
  id: (table) => table.addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement()),
  appendOnlyId: (table) => table.addColumn('id', 'integer', (column) => column.primaryKey()),
  clustered: (table) => table.modifyEnd(sql`without rowid`),
  // Every SQLite index ends with the row id; listing it would store it twice.
  thenId: (columns) => [...columns],
  thenIdCarrying: (columns, carried) => [...columns, 'id', ...carried],
  watch: watchOnSqlite,
};

const abilities: EngineAbilities = {
  gathersRows: false,
  hasSequences: false,
  isSqlite: true,
  now: sql<number>`unixepoch()`,
  entriesOf: (column) => sql`json_each(${sql.ref(column)})`,
  lower: (text) => sql<string>`lower_text(${text})`,
};

export interface SqliteOptions {
  /** A path, or `:memory:` (then without threads). */
  readonly file: string;
  readonly durability: Durability;
  /**
   * Entry module of two worker threads that own the connections; absent: the calling thread owns
   * one.
   */
  readonly worker?: URL;
  /** For settlements on the calling thread; workers bring their own. */
  readonly planBatch?: PlanBatch;
  /** ms; default 10 s. For tests. */
  readonly transactionLimit?: number;
  /** Called when a database thread ends unexpectedly; the database is unusable then. */
  readonly onDeath: (error: Error) => void;
  /**
   * With `worker`: called once where another program deleted or replaced a file; nothing is written
   * any more.
   */
  readonly onLoss?: ((refusal: AppError) => void) | undefined;
}

/**
 * Opens SQLite. Throws `database_unavailable` when the file is not a readable database. With
 * `worker` the file must already be migrated (open.ts does it on a separate connection).
 */
export async function openSqliteEngine(options: SqliteOptions): Promise<Engine> {
  const {
    file,
    durability,
    worker,
    onDeath,
    onLoss = () => {},
    transactionLimit: limit = transactionLimit,
  } = options;
  createFile(file);
  if (worker === undefined) return assemble(openLocalPort(options), undefined, limit);
  // A thread takes a tenth of a second to start, so both start in parallel.
  const opening = [
    openWorkerPort(worker, { file, durability, role: 'write' }, onDeath),
    openWorkerPort(worker, { file, durability, role: 'read' }, onDeath),
  ] as const;
  try {
    const [writePort, readPort] = await Promise.all(opening);
    return assemble(writePort, { readPort, watch: watchFiles(file, onLoss) }, limit);
  } catch (error) {
    for (const port of await Promise.allSettled(opening))
      if (port.status === 'fulfilled') await port.value.close();
    throw error;
  }
}

function createFile(file: string): void {
  try {
    createSqliteFile(file);
  } catch (error) {
    throw fromFailure(toFailure(error), file);
  }
}

function openLocalPort({ file, durability, planBatch }: SqliteOptions): SqlitePort {
  try {
    return createLocalPort(
      openSqlite(file, { durability, readonly: false, checkpoints: true }),
      planBatch,
    );
  } catch (error) {
    throw fromFailure(toFailure(error), file);
  }
}

/** The reading thread, and the watch over its files. */
interface Threads {
  readonly readPort: SqlitePort;
  readonly watch: FileWatch;
}

function assemble(writePort: SqlitePort, threads: Threads | undefined, limit: number): Engine {
  const { readPort, watch } = threads ?? {};
  const turns = new Turns();
  let pending: () => Promise<void> | undefined = () => undefined;
  const ready = () => {
    const work = pending();
    return work === undefined ? undefined : atMost(longestWait, work);
  };
  const checkFiles = () => {
    const refusal = watch?.refusal();
    if (refusal !== undefined) throw refusal;
  };
  const readyToWrite = () => {
    checkFiles();
    return ready();
  };
  const write = new Kysely<Database>({
    dialect: createSqliteDialect(writePort, turns, limit, readyToWrite),
  });
  const read =
    readPort === undefined
      ? write
      : new Kysely<Database>({ dialect: createSqliteDialect(readPort, undefined, limit, ready) });
  return {
    read,
    write,
    abilities,
    kinds,
    settle: (batch) =>
      turns.run(async () => {
        checkFiles();
        return writePort.settle(batch);
      }),
    ...(watch && { refusal: watch.refusal }),
    waitFor: (what) => {
      pending = what;
    },
    close: () =>
      turns.run(async () => {
        watch?.stop();
        // The reader first: an open reader would prevent the log from being truncated.
        await readPort?.close();
        await writePort.close();
      }),
  };
}
