import type { ConnectionOptions } from 'mysql2';

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
