import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadConfig } from '../../../src/core/config/load.ts';
import { environmentVariableOf, settings } from '../../../src/core/config/schema.ts';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'config-'));
});
afterEach(() => rmSync(cwd, { recursive: true }));

const load = (environment: Record<string, string>, flags: Record<string, unknown> = {}) =>
  loadConfig({ flags, environment, cwd, home: cwd });

describe('order', () => {
  const rows: [string, Record<string, string>, Record<string, unknown>, string, number][] = [
    ['default', {}, {}, '', 3000],
    ['.env', {}, {}, 'PORT=5', 5],
    ['environment beats .env', { PORT: '6' }, {}, 'TURNPIKE_PORT=5', 6],
    ['TURNPIKE_ variable before the New API one', { PORT: '6', TURNPIKE_PORT: '7' }, {}, '', 7],
    ['flag beats all', { PORT: '6', TURNPIKE_PORT: '7' }, { port: '8' }, 'PORT=5', 8],
    ['empty is unset', { TURNPIKE_PORT: '', PORT: '  ' }, {}, 'PORT=5', 5],
  ];
  test.each(rows)('%s', (_, environment, flags, file, port) => {
    if (file !== '') writeFileSync(join(cwd, '.env'), file);
    expect(load(environment, flags).config.port).toBe(port);
  });
});

test("credentials of systemd count before .env and after variables; other services' are left alone", () => {
  const folder = join(cwd, 'credentials');
  mkdirSync(folder);
  writeFileSync(join(folder, 'TURNPIKE_CRYPTO_SECRET'), ' a secret\nof two lines \n');
  writeFileSync(join(folder, 'PORT'), '7\n');
  mkdirSync(join(folder, 'somebody'));
  writeFileSync(join(cwd, '.env'), 'TURNPIKE_PORT=5');
  const credentials = { CREDENTIALS_DIRECTORY: folder };
  const { config, warnings } = load(credentials);
  expect([config.port, config.cryptoSecret, warnings]).toEqual([7, ' a secret\nof two lines ', []]);
  expect(load({ ...credentials, TURNPIKE_PORT: '6' }).config.port).toBe(6);
  rmSync(folder, { recursive: true });
  expect(() => load(credentials)).toThrow();
});

test('an invalid variable is reported and the default used; a secret one is reported without its value', () => {
  const { config, warnings } = load({
    PORT: '70000',
    COOKIE_SECURE: 'perhaps',
    RELAY_TIMEOUT: '1.5',
  });
  expect([config.port, config.cookieSecure, config.relayTimeout]).toEqual([3000, false, 0]);
  expect(warnings).toHaveLength(3);
  expect(warnings[0]).toContain('PORT');
});

test('entries of TRUSTED_PROXIES that are no addresses are reported, and the others hold', () => {
  const { config, warnings } = load({ TRUSTED_PROXIES: '10.0.0.0/8, 10.0.0.0/33, caddy, private' });
  expect(config.trustedProxies).toContain('10.0.0.0/8');
  expect(warnings).toEqual([
    expect.stringContaining('10.0.0.0/33'),
    expect.stringContaining('caddy'),
  ]);
});

test('a bad flag is refused', () => {
  expect(() => load({}, { durability: 'none' })).toThrowError(/invalid_parameter/);
});

test.each(['true', 'TRUE', '1', 't', 'T'])('boolean %s', (text) => {
  expect(load({ COOKIE_SECURE: text }).config.cookieSecure).toBe(true);
});

test('paths: data folder, log folder, SQLite file with a suffix', () => {
  const { config } = load({ DATA_DIR: 'data', SQLITE_PATH: 'one-api.db?_busy_timeout=5000' });
  expect(config.dataDir).toBe(join(cwd, 'data'));
  expect(config.logDir).toBe(join(cwd, 'data', 'logs'));
  expect(config.sqlitePath).toBe(join(cwd, 'data', 'one-api.db'));
  expect(load({ SQL_DSN: 'local' }).config.databaseUrl).toBe('');
});

test.each([
  'root:secret@tcp(localhost:3306)/oneapi',
  'host=127.0.0.1 dbname=turnpike password=secret',
  'mysql://root:secret@localhost/oneapi',
  'postgres://turnpike:sec#ret@127.0.0.1/turnpike',
])('what is no address of PostgreSQL is refused wherever it stands, and not shown: %s', (url) => {
  expect(() => load({ SQL_DSN: url })).toThrowError(/TURNPIKE_DATABASE_URL, SQL_DSN/);
  expect(() => load({ SQL_DSN: url })).not.toThrowError(/sec/);
  expect(() => load({}, { 'database-url': url })).toThrowError(/--database-url/);
});

test('an address of SQLite is that of its file', () => {
  const { config } = load({ SQL_DSN: 'sqlite:one-api.db', DATA_DIR: 'data' });
  expect([config.databaseUrl, config.sqlitePath]).toEqual(['', join(cwd, 'data', 'one-api.db')]);
});

test.each([
  'postgresql://turnpike:sec%23ret@db.example/turnpike?sslmode=verify-full',
  'postgres://turnpike@/turnpike?host=/run/postgresql',
])('an address of PostgreSQL: %s', (url) => {
  expect(load({ SQL_DSN: url }).config.databaseUrl).toBe(url);
});

test('by default the data folder is in the home folder', () => {
  expect(load({}).config.dataDir.startsWith(cwd)).toBe(process.env['XDG_DATA_HOME'] === undefined);
});

test('the literal random_string is not accepted as a secret', () => {
  expect(() => load({ SESSION_SECRET: 'random_string' })).toThrowError(/SESSION_SECRET/);
});

test('every setting has its own TURNPIKE_ variable and a default that its schema accepts', () => {
  const twins = Object.keys(settings).map(environmentVariableOf);
  expect(new Set(twins).size).toBe(twins.length);
  expect(environmentVariableOf('dataDir')).toBe('TURNPIKE_DATA_DIR');
});
