import { existsSync } from 'node:fs';
import type { ConnectionOptions } from 'mysql2';
import { AppError } from '../../kernel/errors.ts';
import { openMysqlSource } from './mysql-source.ts';
import { isPostgresAddress, parsePostgresAddress } from './postgres-address.ts';
import { openPostgresSource } from './postgres-source.ts';
import type { ImportSource } from './source.ts';
import { openSqliteSource } from './sqlite-source.ts';

const goForm =
  /^(?:(?<user>[^:@/]*)(?::(?<password>.*))?@)?(?:(?<protocol>tcp|unix)(?:\((?<address>[^)]*)\))?)?\/(?<database>[^?/]*)(?:\?(?<parameters>.*))?$/s;

/**
 * Reads the form that One API and New API have in SQL_DSN, that of Go's driver
 * (`user:password@tcp(host:3306)/database?tls=true`, `user:password@/database`), and
 * `mysql://user:password@host/database`. Undefined: neither.
 */
export function parseMysqlDsn(text: string): ConnectionOptions | undefined {
  if (/^mysql:\/\//.test(text)) return parseUrl(text);
  const groups = goForm.exec(text)?.groups;
  if (groups === undefined) return undefined;
  const { user, password, protocol, address = '', database, parameters } = groups;
  // A path like `/one-api.db` has neither.
  if (user === undefined && protocol === undefined) return undefined;
  const [, host = '', port] = /^\[?(.*?)\]?(?::(\d+))?$/.exec(address) ?? [];
  const place =
    protocol === 'unix'
      ? { socketPath: address }
      : { host: host || 'localhost', port: Number(port ?? 3306) };
  return {
    ...place,
    user,
    password,
    database,
    ...encryption(new URLSearchParams(parameters).get('tls')),
  };
}

function parseUrl(text: string): ConnectionOptions | undefined {
  if (!URL.canParse(text) || /%(?![0-9a-f]{2})/i.test(text)) return undefined;
  const { hostname, port, username, password, pathname, searchParams } = new URL(text);
  return {
    host: hostname,
    port: Number(port || 3306),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
    ...encryption(searchParams.get('tls')),
  };
}

function encryption(tls: string | null): ConnectionOptions {
  if (tls === null || tls === 'false') return {};
  return { ssl: { rejectUnauthorized: tls === 'true' } };
}

/**
 * Opens what an operator names: a SQLite file, `sqlite:<file>`, a PostgreSQL URL or DSN (`host=…
 * dbname=…`), or a MySQL DSN in Go's form or as a URL. Throws AppError import_source_unreadable.
 */
export async function openSource(name: string): Promise<ImportSource> {
  if (existsSync(name)) return openSqliteSource(name);
  if (isPostgresAddress(name))
    return openPostgresSource(parsePostgresAddress(name) ?? refuse('PostgreSQL'));
  const mysql = parseMysqlDsn(name);
  if (mysql !== undefined) return openMysqlSource(mysql);
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(name)?.[1];
  if (scheme === 'mysql') refuse('MySQL');
  if (scheme !== undefined && scheme !== 'sqlite') {
    throw new AppError('import_source_unreadable', {
      problem: `${scheme}:// is no SQLite, PostgreSQL or MySQL database`,
    });
  }
  return openSqliteSource(name.replace(/^sqlite:(\/\/)?/, '').replace(/\?.*$/, ''));
}

/** The address is not shown: nobody knows which part of it is the password. */
function refuse(engine: string): never {
  throw new AppError('import_source_unreadable', {
    problem: `this is not a valid address of ${engine}`,
  });
}
