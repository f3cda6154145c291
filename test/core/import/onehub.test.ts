// Covers src/core/import/onehub, src/core/import/rows-of.ts
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../../src/core/billing/verify.ts';
import { loadConfig } from '../../../src/core/config/load.ts';
import { silentLogger } from '../../../src/core/kernel/logger.ts';
import { startGateway } from '../../../src/server/start.ts';
import { runCli } from '../../cli/run-cli.ts';
import { commonRows, writeFamilyFile } from '../../support/family-database.ts';
import { type ImportReportJson, notesOf, withImportedSite } from '../../support/imported-site.ts';
import {
  oneHubQuota,
  writeOneHubDatabase,
  writeOneHubFile,
} from '../../support/onehub-database.ts';
import { oneHubKey, oneHubRows } from '../../support/onehub-rows.ts';
import { postgresIsInstalled, startPostgres } from '../../support/postgres.ts';
import { chatReply, startUpstream, type TestUpstream } from '../../support/upstream.ts';

const json = (value: unknown) => JSON.stringify(value);

describe('a site of one-hub', () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-onehub-'));
  const dataDir = join(folder, 'data');
  const file = join(folder, 'one-api.db');
  let upstream: TestUpstream;
  beforeAll(async () => {
    upstream = await startUpstream();
    writeOneHubFile(file, oneHubRows(upstream.url));
  });
  afterAll(async () => {
    await upstream.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const run = (program: string, source: string, ...argv: readonly string[]) =>
    runCli(['import', program, source, '--data-dir', dataDir, '--json', ...argv]);

  test.each(['newapi', 'oneapi'])(
    'is no site of %s, and theirs are none of it',
    async (program) => {
      const wrong = await run(program, file, '--dry-run');
      expect(wrong.failure()).toMatchObject({
        code: 'import_family_wrong',
        message: expect.stringContaining('one-hub: use `turnpike import onehub`'),
      });
      const theirs = join(folder, `${program}.db`);
      writeFamilyFile(theirs, program === 'newapi' ? 'newapi-1.0' : 'oneapi-0.6', commonRows);
      expect((await run('onehub', theirs, '--dry-run')).failure()).toMatchObject({
        code: 'import_family_wrong',
        message: expect.stringContaining(`turnpike import ${program}`),
      });
    },
  );

  test('of a release without groups is not read', async () => {
    const early = join(folder, 'early.db');
    writeOneHubFile(early, oneHubRows(upstream.url));
    const database = new BetterSqlite3(early);
    database.exec('DROP TABLE user_groups');
    database.close();
    expect((await run('newapi', early, '--dry-run')).failure().code).toBe('import_family_wrong');
    expect((await run('onehub', early, '--dry-run')).failure()).toMatchObject({
      code: 'import_source_incomplete',
      message: expect.stringContaining('user_groups'),
    });
  });

  test('moves with its channels, prices and groups; what is otherwise here is named', async () => {
    const planned = (await run('onehub', file, '--dry-run')).json<ImportReportJson>();
    const result = await run('onehub', file);
    expect(result).toMatchObject({ stderr: '', exitCode: 0 });
    const report = result.json<ImportReportJson>();
    expect(report.tables).toEqual(planned.tables);
    for (const { expected, found } of report.proof) expect(found).toBe(expected);
    const proofOf = (table: string, figure: string) =>
      report.proof.find((line) => line.table === table && line.figure === figure)?.found;
    expect(proofOf('users', 'quota')).toBe('6000000');
    expect(proofOf('orders', 'quota')).toBe('5500000');
    expect(proofOf('logs', 'quota')).toBe('70');
    expect(report.left_out_tables.filter(({ rows }) => rows > 0)).toEqual([
      { table: 'payments', rows: 1 },
      { table: 'webauthn_credentials', rows: 1, loss: 'passkeys' },
    ]);
    expect(report.logs_elsewhere).toBe(false);
    expect(notesOf(report, 'users')).toEqual({ identity_dropped: ['2 alice lark_id'] });
    expect(notesOf(report, 'tokens')).toEqual({
      token_setting_left_out: [
        '2 limited: heartbeat',
        '2 limited: billing_tag team a',
        '3 earlier: backup_group default',
      ],
      group_closed: ['3 earlier: inner'],
    });
    expect(notesOf(report, 'channels')).toEqual({
      model_pattern_left_out: ['1 plain: house-*'],
      type_unsupported: ['5 bedrock session: Bedrock, session token', '9 stability: Stability AI'],
      type_unknown: ['11 nowhere: 0'],
      parameters_unused: ['7 vertex: top_k'],
      deleted_there: ['16 dropped'],
      column_left_out: ['only_chat (1)'],
    });
    expect(notesOf(report, 'user_groups')).toEqual({
      group_disabled: ['inner'],
      group_promotion: ['vip'],
    });
    expect(notesOf(report, 'prices')).toMatchObject({
      price_assumed: expect.arrayContaining(['model-2']),
    });
    expect(notesOf(report, 'options')).toEqual({
      option_not_used: ['GroupRatio', 'ModelRatio'],
      option_unknown_kept: ['RetryTimeOut'],
    });
    expect(notesOf(report, 'logs')).toEqual({});
    expect(notesOf(report, 'tasks')).toEqual({ task_ended: ['2 t2'] });
    expect(notesOf(report, 'orders')).toMatchObject({ method_unknown: ['2 T2'] });

    await withImportedSite(dataDir, async (storage) => {
      expect(await verifyLedger(storage)).toMatchObject({ ok: true });
      expect(await storage.users.find(2)).toMatchObject({
        quota: 1_000_000,
        usedQuota: 70,
        group: 'vip',
        createdAt: 1_700_000_002,
        email: 'alice@example.com',
      });
      expect((await storage.users.find(3))?.role).toBe(1);
      expect(await storage.userIdentities.findUserId('telegram', '4711')).toBe(2);
      expect(await storage.userIdentities.findUserId('telegram', '0')).toBeNull();
      expect(await storage.userIdentities.findUserId('github', '99')).toBe(2);
      expect(await storage.userIdentities.findUserId('github', 'staff-gh')).toBe(3);
      expect(await storage.tokens.find(2)).toMatchObject({
        group: 'default',
        modelLimitsEnabled: true,
        modelLimits: 'sold,other',
        allowIps: '10.0.0.0/8\n192.0.2.7',
      });
      expect(await storage.tokens.find(3)).toMatchObject({
        group: 'inner',
        modelLimits: 'sold',
        unlimitedQuota: true,
      });
      const found = (id: number) => storage.channels.find(id);
      expect(await found(1)).toMatchObject({
        type: 1,
        models: 'sold,alias',
        group: 'default,vip',
        usedQuota: 70,
        modelMapping: '{"sold":"upstream-model","alias":"upstream-model"}',
        setting: '{"header_override":{"X-Team":"blue"}}',
        paramOverride: '{"top_k":5}',
      });
      expect(await found(2)).toMatchObject({
        type: 24,
        other: 'v1',
        setting: '{"proxy":"socks5://proxy.example:1080"}',
      });
      expect(await found(3)).toMatchObject({ type: 33, status: 1 });
      const keyOf = async (id: number) => (await found(id))?.key.reveal() ?? '';
      expect(await keyOf(3)).toBe('access|secret|us-east-1');
      expect(await keyOf(4)).toBe('bearer|us-east-1');
      expect(await found(6)).toMatchObject({ type: 39, other: 'account' });
      expect(await keyOf(6)).toBe('secret');
      expect(await found(7)).toMatchObject({ type: 41, other: 'global', paramOverride: '' });
      expect(JSON.parse(await keyOf(7))).toEqual({ project_id: 'sold', client_email: 'a@b' });
      expect(await found(8)).toMatchObject({
        type: 1,
        baseUrl: 'https://api.groq.com/openai',
        paramOverride: json({
          operations: [{ mode: 'set', path: 'a\\.b', value: 1, keep_origin: true }],
        }),
      });
      for (const id of [5, 9, 11]) expect(await found(id)).toMatchObject({ type: 8, status: 2 });
      expect(await found(10)).toMatchObject({ type: 1, baseUrl: 'https://llama.example' });
      expect(await found(12)).toMatchObject({
        type: 8,
        status: 1,
        baseUrl: 'https://own.example/api/v3/chat/completions',
      });
      expect(await found(13)).toMatchObject({ type: 1, baseUrl: 'https://own.example' });
      expect(await found(14)).toMatchObject({
        type: 3,
        baseUrl: 'https://res.openai.azure.com/openai/v1',
        other: 'preview',
      });
      expect(await found(15)).toMatchObject({
        type: 8,
        baseUrl: 'https://models.inference.ai.azure.com/chat/completions',
      });
      expect(await found(16)).toBeNull();
      expect(await found(17)).toMatchObject({
        type: 26,
        paramOverride: json({
          operations: [
            {
              mode: 'set',
              path: 'temperature',
              value: 1,
              keep_origin: true,
              conditions: [{ path: 'original_model', mode: 'full', value: 'sold' }],
            },
          ],
        }),
      });
      expect(await found(18)).toMatchObject({
        type: 2,
        models: 'mj_imagine,swap_face',
        setting: '{"mj_mode":"filter"}',
      });
      expect(await found(19)).toMatchObject({
        type: 36,
        models: 'chirp-v3-5,suno_lyrics,suno_music',
      });
      const row = await storage.logs.find(1);
      expect(row).toMatchObject({ group: 'vip', useTime: 2, isStream: true, quota: 70 });
      expect(JSON.parse(row?.other ?? '')).toEqual({
        model_price: -1,
        model_ratio: 1.5,
        completion_ratio: 3,
        group_ratio: 0.8,
        frt: 321,
        cache_tokens: 10,
        cache_ratio: 0.5,
        use_ms: 2345,
        ip: '192.0.2.9',
      });
      expect(await storage.topUps.findByTradeNo('T1')).toMatchObject({
        status: 'success',
        quota: 5_000_000,
        moneyCents: 7_250,
        paymentMethod: 'epay',
        finishTime: 9,
      });
      expect(await storage.topUps.findByTradeNo('T2')).toMatchObject({ status: 'failed' });
      const option = async (name: string) =>
        JSON.parse((await storage.options.find(name))?.value ?? 'null');
      expect(await option('GroupRatio')).toEqual({ default: 1, vip: 0.8, inner: 0.5 });
      expect(await option('UserUsableGroups')).toEqual({ default: '默认分组' });
      expect(await option('ModelPrice')).toMatchObject({
        'by-call': 0.05,
        swap_face: 0.04,
        suno_music: 0.12,
      });
      expect(await option('ModelRatio')).toMatchObject({ sold: 1.5, alias: 30 });
      expect(await storage.options.find('oidc.well_known')).toMatchObject({
        value: 'https://id.example/.well-known/openid-configuration',
      });
      expect(
        (await storage.budgets.list()).map(
          ({ owner, ownerId, each, period, requestsPerMinute }) => [
            owner,
            ownerId,
            each,
            period,
            requestsPerMinute,
          ],
        ),
      ).toEqual([
        ['group', 'default', 'user', 'none', 600],
        ['group', 'vip', 'user', 'none', 30],
      ]);
    });
  });

  test.skipIf(!postgresIsInstalled())('moves from PostgreSQL as from SQLite', async () => {
    const server = await startPostgres();
    try {
      const source = await server.createDatabase();
      await writeOneHubDatabase(source, oneHubRows(upstream.url));
      const plans = [
        await run('onehub', source, '--dry-run'),
        await run('onehub', file, '--dry-run'),
      ];
      const [there, here] = plans.map((plan) => plan.json<ImportReportJson>());
      expect(there?.tables).toEqual(here?.tables);
      const folderOfIt = mkdtempSync(join(tmpdir(), 'turnpike-onehub-pg-'));
      try {
        await runCli(['import', 'onehub', source, '--data-dir', folderOfIt, '--json']);
        const storedIn = (dir: string) =>
          withImportedSite(dir, async (storage) => ({
            options: await storage.options.list(),
            addresses: (await storage.tokens.find(2))?.allowIps,
            channels: await Promise.all([1, 8, 17].map((id) => storage.channels.find(id))),
            log: await storage.logs.find(1),
          }));
        expect(await storedIn(folderOfIt)).toEqual(await storedIn(dataDir));
      } finally {
        rmSync(folderOfIt, { recursive: true, force: true });
      }
    } finally {
      await server.stop();
    }
  });

  test('a second run changes nothing', async () => {
    const again = (await run('onehub', file)).json<ImportReportJson>();
    expect(again.tables.map(({ table, carried }) => [table, carried])).toEqual(
      again.tables.map(({ table }) => [table, 0]),
    );
    await withImportedSite(dataDir, async (storage) => {
      expect(await storage.budgets.list()).toHaveLength(2);
      expect(await verifyLedger(storage)).toMatchObject({ ok: true });
    });
  });

  test('its keys go on working, and a request costs what it cost there', async () => {
    upstream.answer(chatReply('hello'));
    const { config } = loadConfig({
      flags: { 'data-dir': dataDir, port: 0, durability: 'normal' },
      environment: {},
      cwd: dataDir,
    });
    const gateway = await startGateway(config, { logger: silentLogger, version: 'test' });
    try {
      const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer sk-${oneHubKey}`, 'content-type': 'application/json' },
        body: json({ model: 'sold', messages: [{ role: 'user', content: 'Hi' }] }),
      });
      expect(reply.status).toBe(200);
    } finally {
      await gateway.close();
    }
    const sent = upstream.requests.at(-1);
    expect(sent?.json).toMatchObject({ model: 'upstream-model', top_k: 5 });
    expect(sent?.headers).toMatchObject({ authorization: 'Bearer key-1', 'x-team': 'blue' });
    await withImportedSite(dataDir, async (storage) => {
      const price = { input: 1.5, output: 4.5, extra_ratios: { cached_tokens: 0.5 } };
      const usage = { prompt: 1000, completion: 500, extra: { cached_tokens: 400 } };
      const cost = oneHubQuota(price, usage, 0.8);
      expect((await storage.users.find(2))?.quota).toBe(1_000_000 - cost);
      expect((await storage.tokens.find(1))?.remainQuota).toBe(100_000 - cost);
    });
  });
});
