import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../../src/core/billing/verify.ts';
import { openDataFolder } from '../../../src/core/config/data-folder.ts';
import { loadConfig } from '../../../src/core/config/load.ts';
import { runImport } from '../../../src/core/import/run-import.ts';
import { openSource } from '../../../src/core/import/source/open-source.ts';
import { systemClock } from '../../../src/core/kernel/clock.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import { openDatabase } from '../../../src/core/open-database.ts';
import { runCli } from '../../cli/run-cli.ts';
import {
  commonRows,
  type FamilyRows,
  familyInserts,
  familySchema,
  writeFamilyFile,
} from '../../support/family-database.ts';
import type { ImportReportJson } from '../../support/imported-site.ts';
import { postgresIsInstalled, startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { testMasterKey } from '../../support/storage.ts';

describe.skipIf(!postgresIsInstalled())('import on PostgreSQL', () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(async () => server?.stop());

  async function familyDatabase(rows: FamilyRows): Promise<string> {
    const url = await server.createDatabase();
    const client = new Client({ connectionString: url });
    await client.connect();
    for (const statement of familySchema('newapi-1.0', 'postgres')) await client.query(statement);
    for (const { sql, values } of familyInserts(rows, 'postgres'))
      await client.query(sql, [...values]);
    await client.end();
    return url;
  }
  const importFrom = async (sourceName: string, url: string) => {
    const source = await openSource(sourceName);
    const storage = await openDatabase({ url, masterKey: testMasterKey });
    const { signal } = new AbortController();
    try {
      return await runImport({
        family: 'newapi',
        source,
        storage,
        force: false,
        clock: systemClock,
        signal,
        progress: () => {},
      });
    } finally {
      await source.close();
      await storage.close();
    }
  };

  test('a site moves from PostgreSQL to PostgreSQL, and new rows get ids above the imported ones', async () => {
    const rows: FamilyRows = {
      ...commonRows,
      logs: [
        { id: 1_000, user_id: 1, created_at: 1_700_000_000, type: 2, quota: 12, is_stream: true },
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
      users: [
        ...(commonRows['users'] ?? []),
        {
          id: 90,
          username: 'gone',
          password: '',
          quota: 1,
          used_quota: 0,
          deleted_at: '2025-04-11 23:31:32.1+08',
        },
      ],
    };
    const target = await server.createDatabase();
    const source = await familyDatabase(rows);
    const report = await importFrom(source, target);
    expect(report.source).not.toContain('password');
    for (const { expected, found } of report.proof) expect(found).toBe(expected);
    const storage = await openDatabase({ url: target, masterKey: testMasterKey });
    try {
      expect(await storage.users.findByUsername('alice')).toMatchObject({ id: 2, quota: -1_234 });
      expect((await storage.users.findByUsername('gone'))?.deletedAt).toBe(
        Date.parse('2025-04-11T15:31:32Z') / 1000,
      );
      expect(
        await storage.tokens.findByKeyHash(storage.tokens.hashKey('k'.repeat(48))),
      ).toMatchObject({
        id: 1,
        unlimitedQuota: false,
      });
      expect(await storage.tasks.find(5)).toMatchObject({ data: '{"a":[1]}' });
      expect(await verifyLedger(storage)).toMatchObject({ ok: true });
      const fields = {
        passwordHash: new Secret(''),
        role: 1,
        status: 1,
        group: 'default',
        createdAt: 0,
      };
      expect(await storage.users.insert({ username: 'newcomer', ...fields })).toBe(91);
    } finally {
      await storage.close();
    }
    const again = await importFrom(source, target);
    expect(again.tables.map(({ carried }) => carried)).toEqual(again.tables.map(() => 0));
  });

  test('a site moves from SQLite to PostgreSQL by the command line, unless a gateway is connected', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'turnpike-import-pg-'));
    const file = join(folder, 'one-api.db');
    const now = Math.floor(Date.now() / 1000);
    const log = (id: number) => ({
      id,
      user_id: 2,
      created_at: now,
      type: 2,
      quota: id,
      is_stream: id % 2 === 0,
      other: '{"a":1}',
    });
    writeFamilyFile(file, 'newapi-1.0', {
      ...commonRows,
      logs: Array.from({ length: 1_500 }, (_, index) => log(index + 1)),
      two_fas: [{ id: 1, user_id: 1, secret: 'JBSWY3DPEHPK3PXP', is_enabled: true }],
      passkey_credentials: [{ id: 1, user_id: 2, credential_id: 'AAEC', public_key: 'AAEC' }],
    });
    const url = await server.createDatabase();
    const run = () =>
      runCli([
        'import',
        'newapi',
        file,
        '--database-url',
        url,
        '--data-dir',
        join(folder, 'data'),
        '--json',
      ]);
    const other = new Client({ connectionString: url });
    await other.connect();
    expect((await run()).failure()).toMatchObject({ code: 'database_in_use' });
    await other.end();
    const result = await run();
    expect(result).toMatchObject({ stderr: '', exitCode: 0 });
    const report = result.json<ImportReportJson>();
    for (const { expected, found } of report.proof) expect(found).toBe(expected);
    expect(report.proof).toContainEqual({
      table: 'logs',
      figure: 'rows',
      expected: '1500',
      found: '1500',
    });
    const again = (await run()).json<ImportReportJson>();
    expect(again.tables.map(({ carried }) => carried)).toEqual(again.tables.map(() => 0));
    const key = openDataFolder(
      loadConfig({ flags: { 'data-dir': join(folder, 'data') }, environment: {}, cwd: folder })
        .config,
    );
    const storage = await openDatabase({ url, masterKey: Buffer.from(key.cryptoSecret.reveal()) });
    try {
      expect(await storage.users.findByUsername('alice')).toMatchObject({ id: 2, quota: -1_234 });
      expect((await storage.channels.find(3))?.key.reveal()).toBe('sk-upstream');
      expect((await storage.secondFactors.findTotp(1))?.secret.reveal()).toBe('JBSWY3DPEHPK3PXP');
      expect(await verifyLedger(storage)).toMatchObject({ ok: true });
    } finally {
      await storage.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('what is written while the source is read is not imported', async () => {
    const address = await familyDatabase(commonRows);
    const source = await openSource(address);
    const storage = await openDatabase({
      url: await server.createDatabase(),
      masterKey: testMasterKey,
    });
    const writer = new Client({ connectionString: address });
    await writer.connect();
    const write = async () => {
      await writer.query('UPDATE users SET quota = quota + 1 WHERE id = 2');
      await writer.query(
        'INSERT INTO tokens (id, user_id, key, remain_quota) VALUES (100 + (random() * 1000000)::int, 1, md5(random()::text), 5)',
      );
    };
    const { signal } = new AbortController();
    const progress = () => void write();
    try {
      await source.tables();
      await write();
      const request = {
        family: 'newapi',
        source,
        storage,
        force: false,
        clock: systemClock,
        signal,
        progress,
      } as const;
      const report = await runImport(request);
      expect(report.tables.find(({ table }) => table === 'tokens')).toMatchObject({ read: 3 });
      expect(await storage.users.findByUsername('alice')).toMatchObject({ quota: -1_234 });
    } finally {
      await source.close();
      await storage.close();
      await writer.end();
    }
  });

  test.each([
    ['user', (url: URL) => (url.username = 'nobody'), /nobody/],
    ['database', (url: URL) => (url.pathname = '/missing'), /missing/],
    ['port', (url: URL) => (url.port = '1'), /ECONNREFUSED/],
    ['encryption', (url: URL) => url.searchParams.set('sslmode', 'require'), /SSL/],
  ])('an address with a wrong %s is refused with the reason', async (_part, spoil, problem) => {
    const url = new URL(await server.createDatabase());
    spoil(url);
    const failure: unknown = await openSource(url.toString()).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'import_source_unreadable',
      params: { problem: expect.stringMatching(problem) },
    });
  });
});
