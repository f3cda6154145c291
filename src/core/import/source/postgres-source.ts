import { Client, type ClientConfig, types } from 'pg';
import { AppError } from '../../kernel/errors.ts';
import type { PostgresAddress } from './postgres-address.ts';
import { type ImportSource, problemOf, quoted, type SourceRow } from './source.ts';

/** bigint, as 64-bit integers exceed JavaScript's numbers. */
const bigintType = 20;
/** timestamp without a zone, which the driver takes for local time: it is UTC (convert.ts). */
const timestampType = 1114;
/** SQLSTATE, also of a server that wants an encrypted connection. */
const invalidAuthorization = '28000';
const connectionTimeoutMillis = 15_000;

/**
 * Reads in one transaction of isolation level repeatable read, read only: a snapshot. Throws
 * AppError import_source_unreadable.
 */
export async function openPostgresSource({
  name: shown,
  config,
  mayEncrypt,
}: PostgresAddress): Promise<ImportSource> {
  const unreadable = (error: unknown) =>
    new AppError('import_source_unreadable', { source: shown, problem: problemOf(error) });
  const client = await connect(config).catch((error: unknown) => {
    const needsEncryption =
      mayEncrypt &&
      error instanceof Error &&
      'code' in error &&
      error.code === invalidAuthorization;
    if (!needsEncryption) throw unreadable(error);
    return connect({ ...config, ssl: { rejectUnauthorized: false } }).catch((second: unknown) => {
      throw unreadable(new AggregateError([error, second]));
    });
  });
  const readers = {
    getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
      oid === bigintType
        ? (text: string) => BigInt(text)
        : oid === timestampType
          ? (text: string) => text
          : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
  };
  const query = async (
    text: string,
    values: readonly unknown[] = [],
  ): Promise<readonly SourceRow[]> => {
    try {
      return (
        await client.query<Record<string, SourceRow[string]>>({
          text,
          values: [...values],
          types: readers,
        })
      ).rows;
    } catch (error) {
      throw unreadable(error);
    }
  };
  /** Closed however the reader ends. */
  async function* fetched(
    select: string,
    batch: number,
  ): AsyncGenerator<readonly SourceRow[], void> {
    await query(`DECLARE import_rows NO SCROLL CURSOR FOR ${select}`);
    try {
      for (;;) {
        const rows = await query(`FETCH ${batch} FROM import_rows`);
        if (rows.length > 0) yield rows;
        if (rows.length < batch) return;
      }
    } finally {
      await client.query('CLOSE import_rows').catch(() => {});
    }
  }
  const columnsOf = async (table: string): Promise<readonly string[]> => {
    const rows = await query(
      `SELECT column_name FROM information_schema.columns
       WHERE table_schema = current_schema() AND table_name = $1`,
      [table],
    );
    return rows.map(({ column_name: column }) => String(column));
  };
  return {
    engine: 'postgres',
    name: shown,
    async tables() {
      const rows = await query(
        `SELECT table_name, column_name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
         WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'`,
      );
      const found = new Map<string, Set<string>>();
      for (const { table_name: table, column_name: column } of rows) {
        const columns = found.get(String(table)) ?? new Set();
        found.set(String(table), columns.add(String(column)));
      }
      return found;
    },
    count: async (table) =>
      Number((await query(`SELECT count(*) AS n FROM ${quoted(table)}`))[0]?.['n'] ?? 0),
    async sum(table, column) {
      const rows = await query(
        `SELECT coalesce(sum(trunc(${quoted(column)}::numeric)), 0)::text AS total FROM ${quoted(table)}`,
      );
      return BigInt(String(rows[0]?.['total'] ?? 0));
    },
    // Doubles by their text: as numbers they lose digits.
    async sumScaled(table, column, factor) {
      const rows = await query(
        `SELECT coalesce(sum(round(${quoted(column)}::text::numeric * $1::numeric)), 0)::text AS total FROM ${quoted(table)}`,
        [factor],
      );
      return BigInt(String(rows[0]?.['total'] ?? 0));
    },
    rows: (table, key, batch) =>
      fetched(`SELECT * FROM ${quoted(table)} ORDER BY ${quoted(key)}`, batch),
    async *numberedRows(table, order, without, batch) {
      const columns = (await columnsOf(table)).filter((column) => !without.has(column));
      const by = order.map(quoted).join(', ');
      yield* fetched(
        `SELECT row_number() OVER (ORDER BY ${by}) AS id, ${columns.map(quoted).join(', ')}
         FROM ${quoted(table)} ORDER BY ${by}`,
        batch,
      );
    },
    close: () => client.end(),
  };
}

async function connect(config: ClientConfig): Promise<Client> {
  const client = new Client({ ...config, connectionTimeoutMillis });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}
