import {
  type DatabaseConnection,
  Kysely,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type RawBuilder,
  sql,
} from 'kysely';
import { DatabaseError, Pool, types } from 'pg';
import { AppError } from '../../kernel/errors.ts';
import { clampQuota } from '../../kernel/quota.ts';
import type { ColumnKinds } from '../columns.ts';
import { followNames } from '../ledger/prepared.ts';
import type { Database } from '../schema.ts';
import { conflictOn } from './conflict.ts';
import type { Engine } from './engine.ts';
import { type Patience, watchSilence } from './silent-server.ts';
import { watchOnPostgres } from './watch-rows.ts';

const int8 = 20;
const uniqueViolation = '23505';
/** A text with NUL. */
const invalidText = '22021';

const kinds: ColumnKinds = {
  id: (table) => table.addColumn('id', 'bigserial', (column) => column.primaryKey()),
  appendOnlyId: (table) => table.addColumn('id', 'bigserial', (column) => column.primaryKey()),
  clustered: (table) => table,
  thenId: (columns) => [...columns, 'id'],
  thenIdCarrying: (columns) => [...columns, 'id'],
  watch: watchOnPostgres,
};

function entriesOf(column: string): RawBuilder<unknown> {
  const json = sql`${sql.ref(column)}::json`;
  const where = (type: string) => sql`case when json_typeof(${json}) = ${type} then ${json} end`;
  return sql`lateral (
    select null as key, item.value from json_array_elements_text(${where('array')}) as item(value)
    union all select key, value from json_each_text(${where('object')}))`;
}

/**
 * What the server refused or did not do, as an AppError where it is not the program's own fault.
 */
export function fromPostgresError(error: unknown): unknown {
  if (error instanceof DatabaseError) {
    if (error.code === uniqueViolation) return conflictOn(columnOf(error), error);
    // Callers' ids are looked up as they are: one with NUL is their mistake.
    if (error.code === invalidText) return new AppError('invalid_parameter', {}, { cause: error });
    // 57P: operator intervention; 53: insufficient resources; 08: connection exceptions; 42501: the
    // user of the database may not.
    if (/^(57P|53|08|42501)/.test(error.code ?? '')) return unavailable(error);
    return error;
  }
  return error instanceof Error &&
    !(error instanceof AppError) &&
    /connect|terminated|not queryable|ECONN|ENOTFOUND|ETIMEDOUT/i.test(error.message)
    ? unavailable(error)
    : error;
}

function unavailable(cause: Error): AppError {
  return new AppError('database_unavailable', { reason: cause.message }, { cause });
}

/**
 * Index names follow uniqueIndexName() in columns.ts; a primary key lists its columns in the detail
 * `(a, b)=(…)`.
 */
function columnOf(error: DatabaseError): string {
  const name = error.constraint ?? '';
  if (name.endsWith('_unique'))
    return name.slice((error.table ?? '').length + 1, -'_unique'.length);
  return /(\w+)"?\)=/.exec(error.detail ?? '')?.[1] ?? 'id';
}

/**
 * Converts database errors to AppError. A pooled connection is the same object for its lifetime, so
 * it is wrapped once.
 */
class TranslatingDriver extends PostgresDriver {
  readonly #wrapped = new WeakSet<DatabaseConnection>();

  override async acquireConnection(): ReturnType<PostgresDriver['acquireConnection']> {
    // Also where the server refuses: an unknown database, a wrong password, a certificate.
    const connection = await super.acquireConnection().catch((error: Error) => {
      throw unavailable(error);
    });
    if (!this.#wrapped.has(connection)) {
      this.#wrapped.add(connection);
      const execute: DatabaseConnection['executeQuery'] = connection.executeQuery.bind(connection);
      connection.executeQuery = async (query, options) => {
        try {
          return await execute(query, options);
        } catch (error) {
          throw fromPostgresError(error);
        }
      };
    }
    return connection;
  }
}

class TranslatingDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;

  constructor(config: PostgresDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): PostgresDriver {
    return new TranslatingDriver(this.#config);
  }
}

export interface PostgresOptions {
  readonly url: string;
  /** Number of connections of this process; default 20. */
  readonly poolSize?: number;
  /** Called when an idle connection fails; the pool replaces it. */
  readonly onError: (error: Error) => void;
  /** With a server that does not reply. */
  readonly patience?: Patience;
}

/** Opens a pool and checks that the server responds. Throws `database_unavailable`. */
export async function openPostgresEngine(options: PostgresOptions): Promise<Engine> {
  const pool = new Pool({
    connectionString: options.url,
    max: options.poolSize ?? 20,
    connectionTimeoutMillis: 10_000,
    // The ledger sends statements together whose replies it need not know before the next one.
    pipeline: true,
    // int8 arrives as text. Values beyond the safe integers are read as the nearest: a bad row must
    // not hide a whole list.
    types: {
      getTypeParser: (oid, format) =>
        oid === int8
          ? (text: string) => clampQuota(BigInt(text))
          : types.getTypeParser(oid, format),
    },
  });
  pool.on('error', options.onError);
  // If a connection in use fails, its query rejects. Without a listener the error event would end
  // the process as well.
  pool.on('connect', (client) => client.on('error', () => {}));
  followNames(pool);
  const stopWatching = watchSilence(pool, options.url, options.patience);
  const database = new Kysely<Database>({ dialect: new TranslatingDialect({ pool }) });
  try {
    const { rows } = await sql<{
      found: number;
    }>`select 1 as found from pg_collation where collname = 'und-x-icu'`.execute(database);
    const unicode = rows.length > 0;
    return {
      read: database,
      write: database,
      // Under the C locale lower() only handles ASCII; the ICU root collation handles every script.
      abilities: {
        lower: (text) =>
          unicode ? sql<string>`lower(${text} collate "und-x-icu")` : sql<string>`lower(${text})`,
        gathersRows: true,
        hasSequences: true,
        isSqlite: false,
        entriesOf,
        now: sql<number>`floor(extract(epoch from clock_timestamp()))::bigint`,
      },
      kinds,
      postgres: pool,
      close: () => {
        stopWatching();
        return database.destroy();
      },
    };
  } catch (error) {
    stopWatching();
    await database.destroy();
    throw error;
  }
}
