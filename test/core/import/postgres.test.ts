import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../../src/core/billing/verify.ts';
import { runImport } from '../../../src/core/import/run-import.ts';
import { openSource } from '../../../src/core/import/source/open-source.ts';
import { systemClock } from '../../../src/core/kernel/clock.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import { openDatabase } from '../../../src/core/open-database.ts';
import { commonRows, type FamilyRows, familyInserts, familySchema } from '../../support/family-database.ts';
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
    for (const { sql, values } of familyInserts(rows, 'postgres')) await client.query(sql, [...values]);
    await client.end();
    return url;
  }
  const importFrom = async (sourceName: string, url: string) => {
    const source = await openSource(sourceName);
    const storage = await openDatabase({ url, masterKey: testMasterKey });
    const { signal } = new AbortController();
    try {
      return await runImport({ family: 'newapi', source, storage, force: false, clock: systemClock, signal, progress: () => {} });
    } finally {
      await source.close();
      await storage.close();
    }
  };

  test('a site moves from PostgreSQL to PostgreSQL, and new rows get ids above the imported ones', async () => {
    const rows: FamilyRows = {
      ...commonRows,
      logs: [{ id: 1_000, user_id: 1, created_at: 1_700_000_000, type: 2, quota: 12, is_stream: true }],
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
        { id: 90, username: 'gone', password: '', quota: 1, used_quota: 0, deleted_at: '2025-04-11 23:31:32.1+08' },
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
      expect((await storage.users.findByUsername('gone'))?.deletedAt).toBe(Date.parse('2025-04-11T15:31:32Z') / 1000);
      expect(await storage.tokens.findByKeyHash(storage.tokens.hashKey('k'.repeat(48)))).toMatchObject({
        id: 1,
        unlimitedQuota: false,
      });
      expect(await storage.tasks.find(5)).toMatchObject({ data: '{"a":[1]}' });
      expect(await verifyLedger(storage)).toMatchObject({ ok: true });
      const fields = { passwordHash: new Secret(''), role: 1, status: 1, group: 'default', createdAt: 0 };
      expect(await storage.users.insert({ username: 'newcomer', ...fields })).toBe(91);
    } finally {
      await storage.close();
    }
    const again = await importFrom(source, target);
    expect(again.tables.map(({ carried }) => carried)).toEqual(again.tables.map(() => 0));
  });

  test('a database that cannot be reached is refused by name, without its password', async () => {
    const failure = await openSource('host=127.0.0.1 port=1 user=me password=hunter2 dbname=site').catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({ code: 'import_source_unreadable', params: { source: 'postgres://me@127.0.0.1:1/site' } });
  });
});
