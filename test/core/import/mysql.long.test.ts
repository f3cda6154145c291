import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../../src/core/billing/verify.ts';
import { runImport } from '../../../src/core/import/run-import.ts';
import { openSource } from '../../../src/core/import/source/open-source.ts';
import { systemClock } from '../../../src/core/kernel/clock.ts';
import { openDatabase } from '../../../src/core/open-database.ts';
import {
  commonRows,
  type FamilyRows,
  familyInserts,
  familySchema,
} from '../../support/family-database.ts';
import { mysqlIsInstalled, startMysql, type TestMysql } from '../../support/mysql-server.ts';
import { oneHubSchema, writeOneHubFile } from '../../support/onehub-database.ts';
import { oneHubRows } from '../../support/onehub-rows.ts';
import { postgresIsInstalled, startPostgres } from '../../support/postgres.ts';
import { testMasterKey } from '../../support/storage.ts';

describe.skipIf(!mysqlIsInstalled())('import from MySQL', () => {
  let server: TestMysql;
  beforeAll(async () => {
    server = await startMysql();
  });
  afterAll(async () => server?.stop());

  const importFrom = async (
    dsn: string,
    family: 'newapi' | 'oneapi' | 'onehub',
    url = 'sqlite::memory:',
  ) => {
    const source = await openSource(dsn);
    const storage = await openDatabase({ url, masterKey: testMasterKey, transactionLimit: 60_000 });
    const { signal } = new AbortController();
    const request = {
      family,
      source,
      storage,
      force: false,
      clock: systemClock,
      signal,
      progress: () => {},
    } as const;
    const report = await runImport(request).finally(() => source.close());
    return { report, storage };
  };
  const fill = async (variant: 'newapi-1.0' | 'oneapi-0.6', rows: FamilyRows) => {
    const dsn = await server.createDatabase();
    await server.execute(dsn, [
      ...familySchema(variant, 'mysql').map((sql) => ({ sql })),
      ...familyInserts(rows, 'mysql'),
    ]);
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
        {
          id: 90,
          username: '删除',
          password: '',
          quota: 1,
          used_quota: 0,
          deleted_at: '2025-04-11 15:31:32.100',
        },
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
    expect(report.proof).toContainEqual({
      table: 'logs',
      figure: 'rows',
      expected: 2_500n,
      found: 2_500n,
    });
    for (const { expected, found } of report.proof) expect(found).toBe(expected);
    expect((await storage.users.findByUsername('删除'))?.deletedAt).toBe(
      Date.parse('2025-04-11T15:31:32Z') / 1000,
    );
    expect((await storage.users.findByUsername('huge'))?.quota).toBe(Number.MAX_SAFE_INTEGER);
    expect(
      await storage.tokens.findByKeyHash(storage.tokens.hashKey('k'.repeat(48))),
    ).toMatchObject({
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

  test('a site of one-hub moves as it does from SQLite', async () => {
    const rows = oneHubRows('http://upstream.example');
    const dsn = await server.createDatabase();
    await server.execute(dsn, [
      ...oneHubSchema('mysql').map((sql) => ({ sql })),
      // Its times have no zone.
      ...familyInserts(rows, 'mysql').map(({ sql, values }) => ({
        sql,
        values: values.map((value) =>
          typeof value === 'string' ? value.replace(/(\d)\+08:00$/, '$1') : value,
        ),
      })),
    ]);
    const folder = mkdtempSync(join(tmpdir(), 'turnpike-onehub-mysql-'));
    try {
      writeOneHubFile(join(folder, 'one-api.db'), rows);
      const moved = await importFrom(dsn, 'onehub');
      const fromFile = await importFrom(join(folder, 'one-api.db'), 'onehub');
      expect(moved.report.tables).toEqual(fromFile.report.tables);
      expect(await moved.storage.options.list()).toEqual(await fromFile.storage.options.list());
      expect(await verifyLedger(moved.storage)).toMatchObject({ ok: true });
      await moved.storage.close();
      await fromFile.storage.close();
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test.skipIf(!postgresIsInstalled())('a site moves from MySQL to PostgreSQL', async () => {
    const dsn = await fill('newapi-1.0', {
      ...commonRows,
      logs: [
        {
          id: 9,
          user_id: 2,
          created_at: 1_700_000_000,
          type: 2,
          content: '日志 \u0000 😀',
          quota: 3,
        },
      ],
      two_fas: [
        {
          id: 1,
          user_id: 1,
          secret: 'JBSWY3DPEHPK3PXP',
          is_enabled: true,
          created_at: '2025-04-11 15:31:32.100',
        },
      ],
    });
    const target = await startPostgres();
    try {
      const { report, storage } = await importFrom(dsn, 'newapi', await target.createDatabase());
      for (const { expected, found } of report.proof) expect(found).toBe(expected);
      expect((await storage.logs.find(9))?.content).toContain('日志');
      expect((await storage.secondFactors.findTotp(1))?.confirmedAt).toBe(
        Date.parse('2025-04-11T15:31:32Z') / 1000,
      );
      expect(await storage.users.findByUsername('alice')).toMatchObject({ id: 2, quota: -1_234 });
      expect(await verifyLedger(storage)).toMatchObject({ ok: true });
      await storage.close();
    } finally {
      await target.stop();
    }
  });

  test.each([
    ['password', 'p@ss:w/rd', 'hunter2', /Access denied/],
    ['user', 'old_site', 'nobody', /Access denied/],
    ['database', /\/test_\d+/, '/missing', /missing/],
    ['socket', 'server.sock', 'other.sock', /ENOENT/],
  ])(
    'an address with a wrong %s is refused with the reason, and without the password',
    async (_part, from, to, problem) => {
      const dsn = (await server.createDatabase()).replace(from, to);
      const failure: unknown = await openSource(dsn).catch((error: unknown) => error);
      expect(failure).toMatchObject({
        code: 'import_source_unreadable',
        params: { problem: expect.stringMatching(problem) },
      });
      expect(JSON.stringify(failure)).not.toMatch(/hunter2|p@ss/);
    },
  );
});
