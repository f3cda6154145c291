import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../../src/core/billing/verify.ts';
import { runImport } from '../../../src/core/import/run-import.ts';
import { parseMysqlDsn } from '../../../src/core/import/source/mysql-dsn.ts';
import { openSource } from '../../../src/core/import/source/open-source.ts';
import { systemClock } from '../../../src/core/kernel/clock.ts';
import { openDatabase } from '../../../src/core/open-database.ts';
import { commonRows, type FamilyRows, familyInserts, familySchema } from '../../support/family-database.ts';
import { mysqlIsInstalled, startMysql, type TestMysql } from '../../support/mysql-server.ts';
import { testMasterKey } from '../../support/storage.ts';

test.each([
  ['root:pw@tcp(db:3307)/oneapi', { user: 'root', password: 'pw', host: 'db', port: 3307, database: 'oneapi' }],
  [
    'u:p@ss:w/rd@tcp(10.0.0.1)/site?tls=true',
    { password: 'p@ss:w/rd', host: '10.0.0.1', port: 3306, database: 'site', ssl: { rejectUnauthorized: true } },
  ],
  ['u@tcp([::1]:3306)/site', { user: 'u', host: '::1', port: 3306 }],
  ['u:p@unix(/run/mysqld.sock)/site', { socketPath: '/run/mysqld.sock', database: 'site' }],
  ['mysql://u:p%40ss@db/site', { user: 'u', password: 'p@ss', host: 'db', port: 3306, database: 'site' }],
])('%s is an address of MySQL', (text, expected) => {
  expect(parseMysqlDsn(text)).toMatchObject(expected);
});

test.each(['/var/lib/one-api.db', 'one-api.db?_busy_timeout=5000', 'postgres://u:p@h/d', 'C:\\one-api.db'])(
  '%s is none',
  (text) => {
    expect(parseMysqlDsn(text)).toBeUndefined();
  },
);

describe.skipIf(!mysqlIsInstalled())('import from MySQL', () => {
  let server: TestMysql;
  beforeAll(async () => {
    server = await startMysql();
  }, 60_000);
  afterAll(async () => server?.stop());

  const importFrom = async (dsn: string, family: 'newapi' | 'oneapi') => {
    const source = await openSource(dsn);
    const storage = await openDatabase({ url: 'sqlite::memory:', masterKey: testMasterKey, transactionLimit: 60_000 });
    const { signal } = new AbortController();
    const request = { family, source, storage, force: false, clock: systemClock, signal, progress: () => {} } as const;
    const report = await runImport(request).finally(() => source.close());
    return { report, storage };
  };
  const fill = async (variant: 'newapi-1.0' | 'oneapi-0.6', rows: FamilyRows) => {
    const dsn = await server.createDatabase();
    await server.execute(dsn, [...familySchema(variant, 'mysql').map((sql) => ({ sql })), ...familyInserts(rows, 'mysql')]);
    return dsn;
  };

  test('a New API site moves in, more rows than one batch and values of every type', async () => {
    const logs = Array.from({ length: 2_500 }, (_, index) => ({
      id: index + 1,
      user_id: 2,
      created_at: 1_700_000_000,
      type: 2,
      quota: index,
      is_stream: true,
    }));
    const dsn = await fill('newapi-1.0', {
      ...commonRows,
      users: [
        ...(commonRows['users'] ?? []),
        { id: 90, username: '删除', password: '', quota: 1, used_quota: 0, deleted_at: '2025-04-11 15:31:32.100' },
      ],
      tasks: [
        {
          id: 5,
          task_id: 't',
          user_id: 1,
          channel_id: 3,
          quota: 1,
          submit_time: 1,
          progress: '100%',
          status: 'SUCCESS',
          data: '{"a":[1]}',
        },
      ],
      logs,
    });
    const { report, storage } = await importFrom(dsn, 'newapi');
    expect(report.source).not.toContain('p@ss');
    expect(report.proof).toContainEqual({ table: 'logs', figure: 'rows', expected: 2_500n, found: 2_500n });
    for (const { expected, found } of report.proof) expect(found).toBe(expected);
    expect((await storage.users.findByUsername('删除'))?.deletedAt).toBe(Date.parse('2025-04-11T15:31:32Z') / 1000);
    expect((await storage.users.findByUsername('huge'))?.quota).toBe(Number.MAX_SAFE_INTEGER);
    expect(await storage.tokens.findByKeyHash(storage.tokens.hashKey('k'.repeat(48)))).toMatchObject({
      id: 1,
      unlimitedQuota: false,
    });
    expect(JSON.parse((await storage.tasks.find(5))?.data ?? '')).toEqual({ a: [1] });
    expect(await storage.logs.find(2_500)).toMatchObject({ quota: 2_499, isStream: true });
    expect(await verifyLedger(storage)).toMatchObject({ ok: true });
    await storage.close();
  });

  test('a One API site moves in', async () => {
    const { report, storage } = await importFrom(await fill('oneapi-0.6', commonRows), 'oneapi');
    for (const { expected, found } of report.proof) expect(found).toBe(expected);
    expect(await storage.users.findByUsername('alice')).toMatchObject({ id: 2, quota: -1_234 });
    await storage.close();
  });

  test('a wrong password is refused by name, without the password', async () => {
    const dsn = (await server.createDatabase()).replace('p@ss:w/rd', 'wrong');
    const failure: unknown = await openSource(dsn).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'import_source_unreadable' });
    expect(JSON.stringify(failure)).not.toContain('wrong');
  });
});
