import type { ClientConfig } from 'pg';

export interface PostgresAddress {
  /** For people: without the password. */
  readonly name: string;
  readonly config: ClientConfig;
  /**
   * An encrypted connection is tried where the server refuses a plain one, as libpq does without
   * `sslmode`.
   */
  readonly mayEncrypt: boolean;
}

const form = /^postgres(ql)?:\/\//;

/**
 * Whether this is meant as an address of PostgreSQL: a URL, or libpq's form `host=… user=…
 * password=… dbname=… port=…`.
 */
export const isPostgresAddress = (text: string): boolean =>
  form.test(text) || /(^|\s)(host|dbname)\s*=/.test(text);

/** Undefined: it cannot be read. */
export function parsePostgresAddress(text: string): PostgresAddress | undefined {
  return form.test(text) ? fromUrl(text) : fromPairs(text);
}

function fromUrl(text: string): PostgresAddress | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const mode = url.searchParams.get('sslmode') ?? '';
  const encryption = encryptionOf(mode);
  // The driver takes `require` for a demand of a valid certificate.
  if (encryption !== undefined) url.searchParams.delete('sslmode');
  const name = `postgres://${url.username}@${url.host || 'localhost'}${url.pathname}`;
  return {
    name,
    config: { connectionString: url.toString(), ...encryption },
    mayEncrypt: isOptional(mode),
  };
}

function fromPairs(text: string): PostgresAddress {
  const pairs = new Map<string, string>();
  for (const [, key = '', quoted, plain = ''] of text.matchAll(
    /(\w+)\s*=\s*(?:'((?:[^'\\]|\\.)*)'|(\S*))/g,
  )) {
    pairs.set(key, quoted === undefined ? plain : quoted.replace(/\\(.)/g, '$1'));
  }
  const [host = 'localhost', port = '5432', user, password, database, mode = ''] = [
    'host',
    'port',
    'user',
    'password',
    'dbname',
    'sslmode',
  ].map((key) => pairs.get(key) || undefined);
  return {
    name: `postgres://${user ?? ''}@${host}:${port}/${database ?? ''}`,
    config: {
      host,
      port: Number(port),
      user,
      password,
      database,
      ...(encryptionOf(mode) ?? { ssl: true }),
    },
    mayEncrypt: isOptional(mode),
  };
}

const isOptional = (mode: string): boolean => ['', 'prefer', 'allow'].includes(mode);

/** Undefined: the certificate is verified. */
function encryptionOf(mode: string): Pick<ClientConfig, 'ssl'> | undefined {
  if (mode === 'require') return { ssl: { rejectUnauthorized: false } };
  return isOptional(mode) || mode === 'disable' ? { ssl: false } : undefined;
}
