/**
 * Addresses of sources: every form that operators have in SQL_DSN, and what is wrong with one that
 * leads nowhere.
 */
import { expect, test } from 'vitest';
import { openSource, parseMysqlDsn } from '../../../src/core/import/source/open-source.ts';
import {
  isPostgresAddress,
  parsePostgresAddress,
} from '../../../src/core/import/source/postgres-address.ts';
import { problemOf } from '../../../src/core/import/source/source.ts';

test.each([
  [
    'root:pw@tcp(db:3307)/oneapi',
    { user: 'root', password: 'pw', host: 'db', port: 3307, database: 'oneapi' },
  ],
  [
    'u:p@ss:w/rd@tcp(10.0.0.1)/site?tls=true',
    {
      password: 'p@ss:w/rd',
      host: '10.0.0.1',
      port: 3306,
      database: 'site',
      ssl: { rejectUnauthorized: true },
    },
  ],
  ['u@tcp([::1]:3306)/site', { user: 'u', host: '::1', port: 3306 }],
  ['u:p@unix(/run/mysqld.sock)/site', { socketPath: '/run/mysqld.sock', database: 'site' }],
  [
    'u:p@/site?charset=utf8mb4',
    { user: 'u', password: 'p', host: 'localhost', port: 3306, database: 'site' },
  ],
  ['u:p@tcp/site', { user: 'u', host: 'localhost', port: 3306, database: 'site' }],
  [
    'mysql://u:p%40ss@db/site',
    { user: 'u', password: 'p@ss', host: 'db', port: 3306, database: 'site' },
  ],
])('%s is an address of MySQL', (text, expected) => {
  expect(parseMysqlDsn(text)).toMatchObject(expected);
});

test.each([
  '/var/lib/one-api.db',
  '/one-api.db',
  'one-api.db?_busy_timeout=5000',
  'postgres://u:p@h/d',
  'C:\\one-api.db',
])('%s is none', (text) => {
  expect(parseMysqlDsn(text)).toBeUndefined();
});

test.each([
  [
    "host=db user=me password='it\\'s me' dbname=site port=5433 sslmode=disable TimeZone=Asia/Shanghai",
    { host: 'db', port: 5433, user: 'me', password: "it's me", database: 'site', ssl: false },
  ],
  [
    'host=/run/postgresql dbname=site',
    { host: '/run/postgresql', port: 5432, database: 'site', ssl: false },
  ],
  ['host=db dbname=site sslmode=require', { ssl: { rejectUnauthorized: false } }],
  ['host=db dbname=site sslmode=verify-full', { ssl: true }],
  [
    'postgres://me:pw@db/site?sslmode=require',
    { connectionString: 'postgres://me:pw@db/site', ssl: { rejectUnauthorized: false } },
  ],
  [
    'postgresql://me:pw@db:5433/site',
    { connectionString: 'postgresql://me:pw@db:5433/site', ssl: false },
  ],
])('%s is an address of PostgreSQL', (text, expected) => {
  expect(isPostgresAddress(text)).toBe(true);
  const address = parsePostgresAddress(text);
  expect(address?.config).toMatchObject(expected);
  expect(address?.name).not.toMatch(/pw|it's/);
});

test.each([
  ['host=127.0.0.1 port=1 user=me password=hunter2 dbname=site', /ECONNREFUSED/],
  ['postgres://me:hunter2@127.0.0.1:1/site', /ECONNREFUSED/],
  ['postgres://me:hunter2@nowhere.invalid/site', /ENOTFOUND|EAI_AGAIN/],
  ['postgres://me:hunter2@host:99999/site', /valid address of PostgreSQL/],
  ['me:hunter2@tcp(127.0.0.1:1)/site', /ECONNREFUSED/],
  ['me:hunter2@tcp(nowhere.invalid)/site', /ENOTFOUND|EAI_AGAIN/],
  ['mysql://me:hunter2%zz@host/site', /valid address of MySQL/],
  ['mongodb://me:hunter2@host/site', /mongodb/],
  ['/no/such/one-api.db', /no such file/],
])('%s is refused with the reason and without the password', async (name, problem) => {
  const failure: unknown = await openSource(name).catch((error: unknown) => error);
  expect(failure).toMatchObject({
    code: 'import_source_unreadable',
    params: { problem: expect.stringMatching(problem) },
  });
  expect(JSON.stringify(failure) + String(failure)).not.toContain('hunter2');
});

test('a failure to connect on several addresses names each reason once', () => {
  const refused = () => Object.assign(new Error(''), { code: 'ECONNREFUSED' });
  expect(problemOf(new AggregateError([refused(), refused(), new Error('no route')]))).toBe(
    'ECONNREFUSED; no route',
  );
});
