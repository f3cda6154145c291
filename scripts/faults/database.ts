/** The database as an outsider reads it. */
import Database from 'better-sqlite3';
import { Client } from 'pg';
import { parseObject } from '../../src/core/kernel/json.ts';
import { numberOfAddress } from './orders.ts';

/** A row of the usage log. */
export interface Row {
  readonly id: number;
  /** 2: charged. 5: failed. */
  readonly type: number;
  /** Of the request, by the address it came from; undefined: that was not known any more. */
  readonly number: number | undefined;
  readonly requestId: string;
  readonly quota: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly ended: string | undefined;
  readonly source: string | undefined;
  readonly code: string | undefined;
}

export interface Books {
  /** Rows after this one, oldest first. */
  rowsAfter(id: number): Promise<readonly Row[]>;
  /** Rows of errors that were too many to be written, ever. */
  unlogged(): Promise<number>;
  /** Holds in the database; 0 where they are in memory. */
  holds(): Promise<number>;
}

type Query = (text: string, id: number) => Promise<readonly Readonly<Record<string, unknown>>[]>;

const rowsQuery =
  'select id, type, quota, prompt_tokens, completion_tokens, request_id, other from logs where id > $1 and type in (2, 5) order by id';

function booksOf(query: Query, hasHolds: boolean): Books {
  const figure = async (text: string): Promise<number> =>
    Number((await query(text, 0))[0]?.['figure'] ?? 0);
  return {
    rowsAfter: async (id) => (await query(rowsQuery, id)).map(readRow),
    unlogged: () =>
      figure('select coalesce(sum(unlogged), 0) as figure from request_outcomes where $1 = 0'),
    holds: async () => (hasHolds ? figure('select count(*) as figure from holds where $1 = 0') : 0),
  };
}

function readRow(row: Readonly<Record<string, unknown>>): Row {
  const other = parseObject(String(row['other'])) ?? {};
  const info = other['admin_info'] as { readonly ip?: unknown } | undefined;
  const number = numberOfAddress(String(info?.ip ?? ''));
  const optional = (name: string): string | undefined =>
    typeof other[name] === 'string' ? other[name] : undefined;
  return {
    id: Number(row['id']),
    type: Number(row['type']),
    number,
    requestId: String(row['request_id']),
    quota: Number(row['quota']),
    promptTokens: Number(row['prompt_tokens']),
    completionTokens: Number(row['completion_tokens']),
    ended: optional('ended'),
    source: optional('usage_source'),
    code: optional('error_code'),
  };
}

/** SQLite's library of this program leaves the log of a database alone when it closes it. */
export function sqliteBooks(file: string): Books {
  return booksOf(async (text, id) => {
    const database = new Database(file, { readonly: true });
    try {
      return database.prepare(text.replaceAll('$1', '?')).all(id) as Readonly<
        Record<string, unknown>
      >[];
    } finally {
      database.close();
    }
  }, false);
}

export function postgresBooks(url: string): Books {
  return booksOf(async (text, id) => {
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Readonly<Record<string, unknown>>>(text, [id])).rows;
    } finally {
      await client.end();
    }
  }, true);
}
