// Covers src/core/import/sub2api, src/core/import/one-api-site.ts, src/core/import/run-context.ts
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import bcrypt from 'bcryptjs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../../src/core/billing/verify.ts';
import { loadConfig } from '../../../src/core/config/load.ts';
import { runImport } from '../../../src/core/import/run-import.ts';
import { openSource } from '../../../src/core/import/source/open-source.ts';
import type { ImportSource } from '../../../src/core/import/source/source.ts';
import type { Subscription } from '../../../src/core/import/sub2api/old-site.ts';
import { restOf } from '../../../src/core/import/sub2api/subscriptions.ts';
import { systemClock } from '../../../src/core/kernel/clock.ts';
import { silentLogger } from '../../../src/core/kernel/logger.ts';
import { openDatabase } from '../../../src/core/open-database.ts';
import { startGateway } from '../../../src/server/start.ts';
import { runCli } from '../../cli/run-cli.ts';
import { type ImportReportJson, notesOf, withImportedSite } from '../../support/imported-site.ts';
import { postgresIsInstalled, startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { testMasterKey } from '../../support/storage.ts';
import { type Sub2apiRows, writeSub2apiDatabase } from '../../support/sub2api-database.ts';
import { chatReply, startUpstream, type TestUpstream } from '../../support/upstream.ts';

const day = 86_400_000;
const now = Date.now();
const at = (days: number) => new Date(now + days * day).toISOString();
const hash = bcrypt.hashSync('the old password', 4);

const rowsOf = (upstream: string): Sub2apiRows => ({
  users: [
    { id: 1, email: 'admin@example.com', role: 'admin', status: 'active', balance: '0' },
    {
      id: 2,
      email: 'Alice@Example.com',
      username: 'alice',
      role: 'user',
      status: 'active',
      balance: '12.34567891',
      totp_enabled: true,
      concurrency: 5,
      frozen_balance: '1.5',
    },
    { id: 3, email: 'alice@other.example', role: 'user', status: 'active', balance: '-0.5' },
    { id: 4, email: 'gone@example.com', status: 'active', balance: '1', deleted_at: at(-9) },
    { id: 5, email: 'gone@example.com', role: 'admin', status: 'disabled', balance: '0.00000100' },
    { id: 6, email: 'linuxdo-77@linuxdo-connect.invalid', status: 'active', balance: '0' },
  ].map((user) => ({ password_hash: hash, username: '', created_at: at(-30), ...user })),
  groups: [
    { id: 1, name: 'default', rate_multiplier: '1.2', description: 'for all' },
    { id: 2, name: 'gold, silver', rate_multiplier: '0.5', is_exclusive: true },
    {
      id: 3,
      name: 'monthly',
      rate_multiplier: '1',
      subscription_type: 'subscription',
      daily_limit_usd: '10',
      monthly_limit_usd: '100',
    },
    { id: 4, name: 'old', rate_multiplier: '9', deleted_at: at(-3) },
  ].map((group) => ({ status: 'active', is_exclusive: false, ...group })),
  proxies: [{ id: 1, protocol: 'socks5', host: 'proxy.example', port: 1080, username: 'u@x' }],
  accounts: [
    {
      id: 1,
      name: 'claude',
      platform: 'anthropic',
      type: 'apikey',
      priority: 10,
      proxy_id: 1,
      credentials: { api_key: 'claude-key', model_mapping: { 'model-*': 'x' } },
    },
    {
      id: 2,
      name: 'gpt',
      platform: 'openai',
      type: 'apikey',
      priority: 50,
      credentials: {
        api_key: 'openai-key',
        base_url: `${upstream}/v1`,
        model_mapping: { 'model-a': 'model-a', 'model-b': 'model-a' },
      },
    },
    { id: 3, name: 'signed in', platform: 'anthropic', type: 'oauth', credentials: {} },
    {
      id: 4,
      name: 'dropped',
      platform: 'openai',
      type: 'apikey',
      deleted_at: at(-1),
      credentials: { api_key: 'dropped-key' },
    },
  ].map((account) => ({ status: 'active', schedulable: true, created_at: at(-20), ...account })),
  account_groups: [
    { account_id: 1, group_id: 1 },
    { account_id: 2, group_id: 1 },
    { account_id: 2, group_id: 2 },
    { account_id: 2, group_id: 3 },
  ],
  api_keys: [
    {
      id: 1,
      user_id: 2,
      key: 'sk-alice0',
      name: 'laptop',
      group_id: 1,
      quota: '5',
      quota_used: '1.25',
      ip_whitelist: ['127.0.0.1'],
    },
    { id: 2, user_id: 2, key: 'team-key-of-alice', name: 'own', group_id: 2, rate_limit_5h: '2' },
    { id: 3, user_id: 3, key: 'sk-bob', name: 'sub', group_id: 3 },
    { id: 4, user_id: 2, key: 'sk-blocked', name: 'no', group_id: 1, ip_blacklist: ['10.0.0.1'] },
    { id: 5, user_id: 2, key: 'sk-over', name: 'over', group_id: 3 },
    { id: 6, user_id: 6, key: 'sk-none', name: 'none', group_id: 3 },
  ].map((key) => ({ status: 'active', created_at: at(-20), ...key })),
  redeem_codes: [
    { id: 1, code: 'A'.repeat(32), type: 'balance', value: '2', status: 'unused' },
    { id: 2, code: 'B'.repeat(32), type: 'subscription', value: '0', status: 'unused' },
  ],
  payment_orders: [
    { id: 1, amount: '10.50', pay_amount: '75.60', out_trade_no: 't1', status: 'COMPLETED' },
    { id: 2, amount: '9.90', pay_amount: '9.90', out_trade_no: 't2', status: 'EXPIRED' },
  ].map((order) => ({ user_id: 2, payment_type: 'alipay', order_type: 'balance', ...order })),
  user_subscriptions: [
    {
      id: 1,
      user_id: 3,
      group_id: 3,
      status: 'active',
      expires_at: at(3.5),
      daily_window_start: at(-0.5),
      daily_usage_usd: '4',
      monthly_window_start: at(-10),
      monthly_usage_usd: '95',
    },
    { id: 2, user_id: 2, group_id: 3, status: 'active', expires_at: at(-1) },
  ],
  usage_logs: [
    { id: 1, user_id: 2, api_key_id: 1, account_id: 2, model: 'model-a', actual_cost: '0.0123456' },
    {
      id: 2,
      user_id: 2,
      api_key_id: 2,
      account_id: 1,
      model: 'model-c',
      actual_cost: '0.001',
      cache_read_tokens: 900,
      duration_ms: 2500,
      first_token_ms: 300,
    },
    {
      id: 3,
      user_id: 3,
      api_key_id: 3,
      account_id: 2,
      model: 'model-a',
      actual_cost: '0.5',
      billing_type: 1,
      subscription_id: 1,
      group_id: 3,
    },
  ].map((row) => ({ input_tokens: 10, output_tokens: 5, created_at: at(-1), ...row })),
  auth_identities: [
    { id: 1, user_id: 6, provider_type: 'linuxdo', provider_subject: '77' },
    { id: 2, user_id: 2, provider_type: 'wechat', provider_subject: 'w' },
  ],
  settings: [
    { key: 'site_name', value: 'The old site' },
    { key: 'default_concurrency', value: '5' },
  ],
  user_group_rate_multipliers: [{ user_id: 2, group_id: 1, rate_multiplier: '0.8' }],
});

describe.skipIf(!postgresIsInstalled())('a site of sub2api', () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-sub2api-'));
  const dataDir = join(folder, 'data');
  let server: TestPostgres;
  let upstream: TestUpstream;
  let source = '';
  beforeAll(async () => {
    [server, upstream] = await Promise.all([startPostgres(), startUpstream()]);
    source = await server.createDatabase();
    await writeSub2apiDatabase(source, rowsOf(upstream.url));
  });
  afterAll(async () => {
    await upstream?.close();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const run = (...argv: readonly string[]) =>
    runCli(['import', 'sub2api', source, '--data-dir', dataDir, '--json', ...argv]);

  test('moves with its money, and its people go on where they were', async () => {
    const plan = await run('--dry-run');
    expect(plan.stderr).toBe('');
    const planned = plan.json<ImportReportJson>();
    const result = await run();
    expect(result).toMatchObject({ stderr: '', exitCode: 0 });
    const report = result.json<ImportReportJson>();
    expect(report.tables).toEqual(planned.tables);
    for (const { expected, found } of report.proof) expect(found).toBe(expected);
    const proofOf = (table: string, figure: string) =>
      report.proof.find((line) => line.table === table && line.figure === figure)?.found;
    // 12.34567891 − 0.5 + 1 + 0.000001 dollars, each rounded to the nearest of 500,000.
    expect(proofOf('users', 'quota')).toBe(String(6_172_839 - 250_000 + 500_000 + 1));
    // Five dollars are left of the month; the days would allow more.
    expect(proofOf('user_subscriptions', 'granted')).toBe('2500000');
    expect(proofOf('usage_logs', 'quota')).toBe(String(6_173 + 500 + 250_000));
    expect(proofOf('quota_data', 'count')).toBe('3');
    expect(report.left_out_tables).toEqual([
      { table: 'user_group_rate_multipliers', rows: 1, loss: 'user_rates' },
    ]);
    expect(notesOf(report, 'users')).toMatchObject({
      amount_rounded: ['2 quota', '5 quota'],
      factor_unusable: ['2 alice'],
      identity_dropped: ['2 alice wechat'],
      name_suffixed: ['3 alice → alice_2', '5 gone → gone_2'],
      column_left_out: ['frozen_balance (1)', 'concurrency (1)'],
    });
    expect(notesOf(report, 'accounts')).toMatchObject({
      account_without_key: ['3 signed in: anthropic oauth'],
      deleted_there: ['4 dropped'],
      model_pattern_dropped: ['1 claude'],
      url_shortened: ['2 gpt'],
    });
    expect(notesOf(report, 'api_keys')).toMatchObject({
      blocked_addresses_disabled: ['4 no'],
      group_closed: ['5 over'],
      subscription_missing_disabled: ['6 none'],
      limit_becomes_budget: [
        '2 own: 5h',
        '3 sub: day',
        '3 sub: month',
        '5 over: day',
        '5 over: month',
      ],
    });
    expect(notesOf(report, 'user_subscriptions')).toEqual({
      subscription_granted: ['1 alice_2 monthly: 2500000'],
      subscription_ended: ['2 alice monthly'],
    });
    expect(notesOf(report, 'redeem_codes')).toEqual({ code_kind_left_out: ['2: subscription'] });
    expect(notesOf(report, 'settings')).toEqual({ option_not_used: ['default_concurrency'] });

    await withImportedSite(dataDir, async (storage) => {
      expect(await verifyLedger(storage)).toMatchObject({ ok: true });
      expect(await storage.users.find(1)).toMatchObject({ username: 'admin', role: 100 });
      expect(await storage.users.find(2)).toMatchObject({
        quota: 6_172_839,
        usedQuota: 6_673,
        requestCount: 2,
        group: 'gold_silver',
        email: 'alice@example.com',
        emailVerified: true,
      });
      expect(await storage.users.find(3)).toMatchObject({ quota: 2_250_000, group: 'monthly' });
      expect(await storage.users.find(5)).toMatchObject({ email: 'gone@example.com', status: 2 });
      expect(await storage.users.find(6)).toMatchObject({ email: '' });
      expect(await storage.tokens.find(1)).toMatchObject({
        remainQuota: 1_875_000,
        usedQuota: 625_000,
        unlimitedQuota: false,
        group: 'default',
        allowIps: '127.0.0.1',
        expiredTime: -1,
      });
      expect((await storage.tokens.find(3))?.expiredTime).toBe(
        Math.floor((now + 3.5 * day) / 1000),
      );
      expect((await storage.tokens.find(5))?.expiredTime).toBe(Math.floor((now - day) / 1000));
      expect(await storage.tokens.find(4)).toMatchObject({ status: 2 });
      expect(await storage.tokens.find(6)).toMatchObject({ status: 2 });
      expect(await storage.channels.find(1)).toMatchObject({
        type: 14,
        priority: 90,
        models: 'model-c',
        group: 'default',
        setting: JSON.stringify({ proxy: 'socks5://u%40x:@proxy.example:1080' }),
      });
      expect(await storage.channels.find(2)).toMatchObject({
        type: 1,
        baseUrl: upstream.url,
        models: 'model-a,model-b',
        group: 'default,gold_silver,monthly',
        modelMapping: '{"model-b":"model-a"}',
      });
      expect(await storage.topUps.findByTradeNo('t1')).toMatchObject({
        status: 'success',
        quota: 5_250_000,
      });
      expect(await storage.topUps.findByTradeNo('t2')).toMatchObject({ status: 'failed' });
      expect(await storage.options.find('GroupRatio')).toMatchObject({
        value: '{"default":1.2,"gold_silver":0.5,"monthly":1}',
      });
      expect(await storage.options.find('UserUsableGroups')).toMatchObject({
        value: '{"default":"for all"}',
      });
      expect(
        (await storage.budgets.list()).map(({ ownerId, period }) => [ownerId, period]),
      ).toEqual([
        ['2', '5h'],
        ['3', 'day'],
        ['3', 'month'],
        ['5', 'day'],
        ['5', 'month'],
        ['6', 'day'],
        ['6', 'month'],
      ]);
      const price = { key: 'ModelPrice', value: '{"model-a":0.001}', hidden: false };
      await storage.options.setMany([price]);
    });

    upstream.answer(chatReply('hello'));
    const { config } = loadConfig({
      flags: { 'data-dir': dataDir, port: 0, durability: 'normal' },
      environment: {},
      cwd: dataDir,
    });
    const gateway = await startGateway(config, { logger: silentLogger, version: 'test' });
    try {
      const post = (path: string, body: object, key = '') =>
        fetch(gateway.url + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
          body: JSON.stringify(body),
        });
      const login = await post('/api/user/login', {
        username: 'alice@example.com',
        password: 'the old password',
      });
      expect(await login.json()).toMatchObject({ success: true });
      const ask = async (key: string) => {
        const messages = [{ role: 'user', content: 'hi' }];
        const reply = await post('/v1/chat/completions', { model: 'model-a', messages }, key);
        const body = (await reply.json()) as { error?: { code: string } };
        return body.error?.code ?? reply.status;
      };
      expect(await ask('sk-alice0')).toBe(200);
      expect(await ask('team-key-of-alice')).toBe(200);
      expect(await ask('sk-bob')).toBe(200);
      expect(await ask('sk-blocked')).toBe('token_disabled');
      expect(await ask('team-key-of-bob')).toBe('token_unknown');
    } finally {
      await gateway.close();
    }

    const again = (await run()).json<ImportReportJson>();
    for (const { table, carried } of again.tables) expect([table, carried]).toEqual([table, 0]);
    for (const { expected, found } of again.proof) expect(found).toBe(expected);
  });

  test('a sum that differs leaves nothing behind, and other databases are named', async () => {
    const request = {
      family: 'sub2api',
      force: false,
      clock: systemClock,
      progress: () => {},
      signal: new AbortController().signal,
    } as const;
    const storage = await openDatabase({ url: 'sqlite::memory:', masterKey: testMasterKey });
    const opened = await openSource(source);
    try {
      for (const wrongly of ['users', 'usage_logs']) {
        const sumScaled: ImportSource['sumScaled'] = async (table, column, factor) =>
          ((await opened.sumScaled?.(table, column, factor)) ?? 0n) + (table === wrongly ? 1n : 0n);
        await expect(
          runImport({ ...request, storage, source: { ...opened, sumScaled } }),
        ).rejects.toMatchObject({ code: 'import_proof_failed' });
        expect(await storage.users.count()).toBe(0);
        expect(await storage.budgets.list()).toEqual([]);
      }
    } finally {
      await opened.close();
      await storage.close();
    }
    const other = join(folder, 'other');
    const wrong = await runCli(['import', 'newapi', source, '--data-dir', other, '--json']);
    expect(wrong.failure()).toMatchObject({ code: 'import_family_wrong' });
    expect(wrong.stderr).toContain('turnpike import sub2api');
  });
});

test('a subscription is worth what the narrowest of its limits allows until it ends', () => {
  const seconds = 1_700_000_000;
  const never = { startsAt: 0, used: 0n };
  const group = { id: 1, name: 'g', description: '', ratio: 1, isDeleted: false, isOpen: false };
  const subscription = (more: Partial<Subscription>, limits: object): Subscription => ({
    id: 1,
    userId: 1,
    isActive: true,
    endsAt: seconds + 2.5 * 86_400,
    windows: { day: never, week: never, month: never },
    group: { ...group, isActive: true, isSubscription: true, limits },
    ...more,
  });
  // Three windows of a day can begin in two and a half.
  expect(restOf(subscription({}, { day: 10n }), seconds)).toBe(30n);
  expect(restOf(subscription({}, { day: 10n, month: 25n }), seconds)).toBe(25n);
  const open = { startsAt: seconds - 43_200, used: 4n };
  const windows = { day: open, week: never, month: never };
  // Six are left of the open day, and two more days begin.
  expect(restOf(subscription({ windows }, { day: 10n }), seconds)).toBe(26n);
  const spent = { ...windows, day: { ...open, used: 11n } };
  expect(restOf(subscription({ windows: spent }, { day: 10n }), seconds)).toBe(20n);
  expect(restOf(subscription({}, {}), seconds)).toBeUndefined();
});
