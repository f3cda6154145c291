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
import {
  commonRows,
  type FamilyRow,
  type FamilyRows,
  rootPassword,
  writeFamilyFile,
} from '../../support/family-database.ts';
import { type ImportReportJson, notesOf, withImportedSite } from '../../support/imported-site.ts';
import {
  oneHubQuota,
  writeOneHubDatabase,
  writeOneHubFile,
} from '../../support/onehub-database.ts';
import { postgresIsInstalled, startPostgres } from '../../support/postgres.ts';
import { chatReply, startUpstream, type TestUpstream } from '../../support/upstream.ts';

const now = Math.floor(Date.now() / 1000);
/** Keys there: 15 characters, a line, and a signature in base64url; older ones have 48. */
const key = `AbCdEfGhIjKlMnO_${'s-_x'.repeat(10)}abc`;
const oldKey = 'o'.repeat(48);

const user = (id: number, username: string, more: FamilyRow = {}): FamilyRow => ({
  ...{ id, username, password: rootPassword.hash, display_name: username, role: 1, status: 1 },
  ...{ quota: 0, group: 'default', aff_code: `a${id}`, access_token: `${id}`.repeat(32) },
  ...{ telegram_id: 0, github_id_new: 0, created_time: 1_700_000_000 + id },
  ...more,
});
const token = (id: number, name: string, more: FamilyRow = {}): FamilyRow => ({
  ...{ id, user_id: 2, key: `${id}`.padStart(48, 'k'), status: 1, name, expired_time: -1 },
  ...{ remain_quota: 100_000, used_quota: 10, created_time: 5, setting: '{}' },
  ...more,
});
const channel = (id: number, type: number, name: string, more: FamilyRow = {}): FamilyRow => ({
  ...{ id, type, name, key: `key-${id}`, status: 1, models: `model-${id}`, created_time: id },
  ...more,
});
const json = (value: unknown) => JSON.stringify(value);

const rowsOf = (upstream: string): FamilyRows => ({
  users: [
    user(1, 'root', { role: 100, quota: 5_000_000 }),
    user(2, 'alice', {
      ...{ quota: 1_000_000, used_quota: 70, request_count: 2, group: 'vip', telegram_id: 4711 },
      ...{ github_id: 'alice-gh', github_id_new: 99, email: 'Alice@Example.com', lark_id: 'ou_1' },
    }),
    user(3, 'staff', { role: 3, github_id: 'staff-gh' }),
    user(4, 'gone_del_x1', { deleted_at: '2025-04-11 23:31:32.1+08:00' }),
  ],
  tokens: [
    token(1, 'main', { key, group: 'vip' }),
    token(2, 'limited', {
      key: oldKey,
      backup_group: 'default',
      setting: json({
        heartbeat: { enabled: true, timeout_seconds: 10 },
        limits: {
          limit_model_setting: { enabled: true, models: ['sold', 'other'] },
          limits_ip_setting: { enabled: true, whitelist: ['10.0.0.0/8', '192.0.2.7'] },
        },
        billing_tag: 'team a',
      }),
    }),
    token(3, 'earlier', {
      ...{ group: 'inner', backup_group: 'default', unlimited_quota: true },
      setting: json({ limits: { enabled: true, models: ['sold'] } }),
    }),
  ],
  channels: [
    channel(1, 1, 'plain', {
      ...{ base_url: `${upstream}/`, models: 'sold,alias,house-*', group: 'default,vip' },
      model_mapping: json({ sold: 'upstream-model', alias: '+upstream-model' }),
      model_headers: json({ 'X-Team': 'blue' }),
      custom_parameter: json({ overwrite: true, top_k: 5 }),
      used_quota: 70,
    }),
    channel(2, 25, 'gemini', { other: 'v1', proxy: 'socks5://proxy.example:1080' }),
    channel(3, 32, 'bedrock', { key: 'us-east-1|access|secret' }),
    channel(4, 32, 'bedrock key', { key: 'us-east-1|bearer' }),
    channel(5, 32, 'bedrock session', { key: 'us-east-1|access|secret|session' }),
    channel(6, 35, 'cloudflare', { key: 'account|secret' }),
    channel(7, 42, 'vertex', {
      ...{ key: json({ project_id: 'own', client_email: 'a@b' }), other: 'global|sold' },
      custom_parameter: json({ top_k: 5 }),
    }),
    channel(8, 31, 'groq', { custom_parameter: json({ 'a.b': 1, stream: true }) }),
    channel(9, 37, 'stability'),
    channel(10, 43, 'llama', { base_url: 'https://llama.example' }),
    channel(11, 44, 'nowhere'),
    channel(12, 8, 'own paths', {
      base_url: 'https://own.example/api/v3',
      plugin: json({ customize: { '1': '/chat/completions' } }),
    }),
    channel(13, 8, 'own version', {
      base_url: 'https://own.example/v1',
      plugin: json({ customize: { '1': '/chat/completions' } }),
    }),
    channel(14, 55, 'azure v1', { base_url: 'https://res.openai.azure.com', other: 'preview' }),
    channel(15, 49, 'github', { only_chat: true }),
    channel(16, 1, 'dropped', { deleted_at: '2025-04-11 23:31:32' }),
    channel(18, 34, 'drawings', {
      base_url: 'https://mj.example',
      models: 'mj_imagine,mj_swap_face',
    }),
    channel(19, 41, 'music', {
      base_url: 'https://suno.example',
      models: 'chirp-v3-5,suno_lyrics',
    }),
    channel(17, 16, 'zhipu', {
      custom_parameter: json({ per_model: true, pre_add: true, sold: { temperature: 1 } }),
    }),
  ],
  options: [
    { key: 'QuotaPerUnit', value: '500000' },
    { key: 'SystemName', value: 'Old hub' },
    { key: 'OIDCIssuer', value: 'https://id.example/' },
    { key: 'ModelRatio', value: '{"sold":99}' },
    { key: 'GroupRatio', value: '{"default":99}' },
    { key: 'RetryTimeOut', value: '10' },
  ],
  prices: [
    {
      model: 'upstream-model',
      type: 'tokens',
      channel_type: 1,
      input: 1.5,
      output: 4.5,
      extra_ratios: json({ cached_tokens: 0.5 }),
    },
    { model: 'by-call', type: 'times', input: 25, output: 25 },
    { model: 'chirp-v3-5', type: 'times', input: 60, output: 60 },
    { model: 'mj_swap_face', type: 'times', input: 20, output: 20 },
  ],
  user_groups: [
    {
      id: 1,
      symbol: 'default',
      name: '默认分组',
      ratio: 1,
      public: true,
      api_rate: 600,
      enable: true,
    },
    { id: 2, symbol: 'vip', name: 'VIP', ratio: 0.8, api_rate: 30, promotion: true, enable: true },
    { id: 3, symbol: 'inner', name: 'inner', ratio: 0.5, public: true, enable: false },
  ],
  redemptions: [
    {
      id: 1,
      user_id: 1,
      key: 'r'.repeat(32),
      status: 1,
      name: 'gift',
      quota: 250_000,
      created_time: 5,
      redeemed_time: 0,
    },
  ],
  payments: [{ id: 7, type: 'epay', uuid: 'u', name: 'Pay', currency: 'CNY', config: '{}' }],
  orders: [
    {
      id: 1,
      user_id: 2,
      gateway_id: 7,
      trade_no: 'T1',
      gateway_no: 'G1',
      amount: 10,
      order_amount: 72.5,
      order_currency: 'CNY',
      quota: 5_000_000,
      status: 'success',
      created_at: 5,
      updated_at: 9,
    },
    {
      id: 2,
      user_id: 2,
      gateway_id: 8,
      trade_no: 'T2',
      amount: 1,
      order_amount: 7.3,
      quota: 500_000,
      status: 'closed',
      created_at: 6,
      updated_at: 8,
    },
  ],
  logs: [
    {
      ...{ id: 1, user_id: 2, username: 'alice', created_at: now - 60, type: 2, quota: 70 },
      ...{ model_name: 'upstream-model', token_name: 'main', channel_id: 1, is_stream: true },
      ...{ prompt_tokens: 30, completion_tokens: 6, request_time: 2_345, source_ip: '192.0.2.9' },
      metadata: json({
        ...{ group_name: 'vip', price_type: 'tokens', group_ratio: 0.8, input_ratio: 1.5 },
        ...{ output_ratio: 4.5, first_response: 321, cached_tokens: 10, cached_tokens_ratio: 0.5 },
      }),
    },
    { id: 2, user_id: 2, created_at: now - 50, type: 0, content: 'odd' },
  ],
  midjourneys: [
    {
      id: 1,
      code: 1,
      user_id: 2,
      action: 'IMAGINE',
      mj_id: 'm1',
      submit_time: 5_000,
      status: 'SUCCESS',
      progress: '100%',
      quota: 50,
      mode: 'fast',
      token_id: 1,
    },
  ],
  tasks: [
    {
      id: 1,
      created_at: 5,
      task_id: 't1',
      platform: 'suno',
      user_id: 2,
      channel_id: 1,
      quota: 5,
      action: 'MUSIC',
      status: 'SUCCESS',
      submit_time: 5,
      progress: 100,
      properties: '{}',
      data: '{}',
      token_id: 1,
    },
    {
      id: 2,
      created_at: 5,
      task_id: 't2',
      platform: 'suno',
      user_id: 2,
      channel_id: 1,
      quota: 5,
      action: 'MUSIC',
      status: 'IN_PROGRESS',
      submit_time: 5,
      progress: 30,
      properties: '{}',
      data: '{}',
    },
  ],
  statistics: [{ date: '2026-02-20', user_id: 2, channel_id: 1, model_name: 'm', quota: 70 }],
  webauthn_credentials: [{ id: 1, user_id: 2, created_time: 5 }],
  migrations: [{ id: '202405152141' }],
});

describe('a site of one-hub', () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-onehub-'));
  const dataDir = join(folder, 'data');
  const file = join(folder, 'one-api.db');
  let upstream: TestUpstream;
  beforeAll(async () => {
    upstream = await startUpstream();
    writeOneHubFile(file, rowsOf(upstream.url));
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
    writeOneHubFile(early, rowsOf(upstream.url));
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
    expect(proofOf('tokens', 'rows')).toBe('3');
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
        ...{ quota: 1_000_000, usedQuota: 70, group: 'vip', createdAt: 1_700_000_002 },
        email: 'alice@example.com',
      });
      expect(await storage.users.find(3)).toMatchObject({ role: 1 });
      expect(await storage.userIdentities.findUserId('telegram', '4711')).toBe(2);
      expect(await storage.userIdentities.findUserId('telegram', '0')).toBeNull();
      expect(await storage.userIdentities.findUserId('github', '99')).toBe(2);
      expect(await storage.userIdentities.findUserId('github', 'staff-gh')).toBe(3);
      expect(await storage.tokens.find(2)).toMatchObject({
        ...{ group: 'default', modelLimitsEnabled: true, modelLimits: 'sold,other' },
        allowIps: '10.0.0.0/8\n192.0.2.7',
      });
      expect(await storage.tokens.find(3)).toMatchObject({
        ...{ group: 'inner', modelLimits: 'sold', unlimitedQuota: true },
      });
      const found = async (id: number) => await storage.channels.find(id);
      expect(await found(1)).toMatchObject({
        ...{ type: 1, models: 'sold,alias', group: 'default,vip', usedQuota: 70 },
        modelMapping: '{"sold":"upstream-model","alias":"upstream-model"}',
        setting: '{"header_override":{"X-Team":"blue"}}',
        paramOverride: '{"top_k":5}',
      });
      expect(await found(2)).toMatchObject({
        ...{ type: 24, other: 'v1', setting: '{"proxy":"socks5://proxy.example:1080"}' },
      });
      expect(await found(3)).toMatchObject({ type: 33, status: 1 });
      const keyOf = async (id: number) => (await found(id))?.key.reveal() ?? '';
      expect(await keyOf(3)).toBe('access|secret|us-east-1');
      expect(await keyOf(4)).toBe('bearer|us-east-1');
      expect(await found(5)).toMatchObject({ type: 8, status: 2 });
      expect(await found(6)).toMatchObject({ type: 39, other: 'account' });
      expect(await keyOf(6)).toBe('secret');
      expect(await found(7)).toMatchObject({ type: 41, other: 'global', paramOverride: '' });
      expect(JSON.parse(await keyOf(7))).toEqual({ project_id: 'sold', client_email: 'a@b' });
      expect(await found(8)).toMatchObject({
        ...{ type: 1, baseUrl: 'https://api.groq.com/openai' },
        paramOverride: json({
          operations: [{ mode: 'set', path: 'a\\.b', value: 1, keep_origin: true }],
        }),
      });
      expect(await found(9)).toMatchObject({ type: 8, status: 2 });
      expect(await found(10)).toMatchObject({ type: 1, baseUrl: 'https://llama.example' });
      expect(await found(11)).toMatchObject({ type: 8, status: 2 });
      expect(await found(12)).toMatchObject({
        ...{ type: 8, status: 1, baseUrl: 'https://own.example/api/v3/chat/completions' },
      });
      expect(await found(13)).toMatchObject({ type: 1, baseUrl: 'https://own.example' });
      expect(await found(14)).toMatchObject({
        ...{ type: 3, baseUrl: 'https://res.openai.azure.com/openai/v1', other: 'preview' },
      });
      expect(await found(15)).toMatchObject({
        ...{ type: 8, baseUrl: 'https://models.inference.ai.azure.com/chat/completions' },
      });
      expect(await found(16)).toBeNull();
      expect(await found(17)).toMatchObject({
        type: 26,
        paramOverride: json({
          operations: [
            {
              ...{ mode: 'set', path: 'temperature', value: 1, keep_origin: true },
              conditions: [{ path: 'original_model', mode: 'full', value: 'sold' }],
            },
          ],
        }),
      });
      expect(await found(18)).toMatchObject({
        ...{ type: 2, models: 'mj_imagine,swap_face', setting: '{"mj_mode":"filter"}' },
      });
      expect(await found(19)).toMatchObject({
        ...{ type: 36, models: 'chirp-v3-5,suno_lyrics,suno_music' },
      });
      const row = await storage.logs.find(1);
      expect(row).toMatchObject({ group: 'vip', useTime: 2, isStream: true, quota: 70 });
      expect(JSON.parse(row?.other ?? '')).toEqual({
        ...{ model_price: -1, model_ratio: 1.5, completion_ratio: 3, group_ratio: 0.8 },
        ...{ frt: 321, cache_tokens: 10, cache_ratio: 0.5, use_ms: 2345, ip: '192.0.2.9' },
      });
      expect(await storage.topUps.findByTradeNo('T1')).toMatchObject({
        ...{ status: 'success', quota: 5_000_000, moneyCents: 7_250, paymentMethod: 'epay' },
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
            ...[owner, ownerId, each, period, requestsPerMinute],
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
      await writeOneHubDatabase(source, rowsOf(upstream.url));
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
        headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
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
