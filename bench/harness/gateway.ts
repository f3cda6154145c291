/** A built gateway on a data folder. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Started, startScript } from './processes.ts';

export interface Gateway {
  readonly url: string;
  readonly started: Started;
  /** Calls the API as the operator; throws unless it succeeds. */
  call(method: string, path: string, body?: object): Promise<unknown>;
}

export interface GatewayStart {
  /** A build's `dist/main.js`. */
  readonly build: string;
  readonly folder: string;
  readonly durability?: string;
  readonly core?: number | undefined;
  /** PostgreSQL's address; without it the database is SQLite in the folder. */
  readonly databaseUrl?: string | undefined;
  /** Several processes behind one port; they need PostgreSQL and Redis. */
  readonly workers?: number | undefined;
  readonly redisUrl?: string | undefined;
}

/** Encrypts the keys of the site, so that a benchmark can add tokens to its database. */
export const cryptoSecret = 'a benchmark secret that guards nothing';
const environment = {
  SETUP_TOKEN: 'BENCHX',
  CRYPTO_SECRET: cryptoSecret,
  CRITICAL_RATE_LIMIT_ENABLE: 'false',
};

export async function startGateway({
  build,
  folder,
  durability = 'full',
  core,
  databaseUrl,
  workers,
  redisUrl,
}: GatewayStart): Promise<Gateway> {
  const flags = [
    '--port',
    '0',
    '--no-open',
    '--data-dir',
    folder,
    '--durability',
    durability,
    '--log-level',
    'error',
  ];
  const started = startScript(
    [build, 'serve', ...flags],
    {
      ...environment,
      ...(databaseUrl === undefined ? {} : { TURNPIKE_DATABASE_URL: databaseUrl }),
      ...(workers === undefined ? {} : { TURNPIKE_WORKERS: String(workers) }),
      ...(redisUrl === undefined ? {} : { TURNPIKE_REDIS_URL: redisUrl }),
    },
    core,
  );
  const url = await started.firstLine(/(http:\/\/127\.0\.0\.1:\d+)/);
  const { key } = JSON.parse(readFileSync(join(folder, 'gateway.json'), 'utf8')) as { key: string };
  return {
    url,
    started,
    async call(method, path, body) {
      const reply = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const json = (await reply.json()) as { success: boolean; message: string; data: unknown };
      if (!json.success) throw new Error(`${path}: ${json.message}`);
      return json.data;
    },
  };
}

/**
 * Sets up a new site with one channel that serves `gpt-4o-mini`, and one unlimited token, whose key
 * is returned.
 */
export async function setUpSite(gateway: Gateway, upstream: string): Promise<string> {
  const account = { username: 'root', password: 'bench-password' };
  await gateway.call('POST', '/api/setup', {
    ...account,
    confirmPassword: account.password,
    setup_token: environment.SETUP_TOKEN,
  });
  const channel = {
    name: 'bench',
    type: 1,
    key: 'upstream',
    base_url: upstream,
    models: 'gpt-4o-mini',
    group: 'default',
  };
  await gateway.call('POST', '/api/channel/', channel);
  const token = await gateway.call('POST', '/api/token/', {
    name: 'bench',
    unlimited_quota: true,
    expired_time: -1,
  });
  return `sk-${(token as { key: string }).key}`;
}
