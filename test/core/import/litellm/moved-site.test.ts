// Covers src/core/import/litellm, src/cli/commands/import-litellm.ts, src/core/vocabulary/key-digests.ts
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../../../src/core/billing/verify.ts';
import { calendarWindow } from '../../../../src/core/budgets/window.ts';
import { loadConfig } from '../../../../src/core/config/load.ts';
import { silentLogger } from '../../../../src/core/kernel/logger.ts';
import { startGateway } from '../../../../src/server/start.ts';
import { runCli } from '../../../cli/run-cli.ts';
import {
  type ImportReportJson,
  notesOf,
  withImportedSite,
} from '../../../support/imported-site.ts';
import {
  addLitellmRows,
  type LitellmRows,
  writeLitellmDatabase,
} from '../../../support/litellm-database.ts';
import {
  postgresIsInstalled,
  startPostgres,
  type TestPostgres,
} from '../../../support/postgres.ts';
import { chatReply, startUpstream, type TestUpstream } from '../../../support/upstream.ts';

const day = 86_400_000;
const now = Date.now();
/** As Prisma stores it: UTC without a zone. */
const at = (days: number) => new Date(now + days * day).toISOString().slice(0, 23);
const monthEnd = calendarWindow(
  { period: 'month', timeZone: 'UTC', weekStart: 1 },
  Math.floor(now / 1000),
).endsAt;
const digestOf = (key: string) => createHash('sha256').update(key).digest('hex');
const saltKey = 'sk-salt-of-the-old-site';
/** Encrypted by PyNaCl 1.6 with the salt key, as LiteLLM does. */
const sealed = {
  modelA: 'TvfIBpBNQoFbpO_WJHdvPb7cXNTAy0T_3MdjDPDmO23eGmI83N2whlr-_W3SPyFM2i9LJG6F',
  openaiKey:
    'oddPsm-eQd95MF3Tz255UXbwcgEUQpkzjVXbu1wHM3ygZor4MzSjc9hjpiQX4sw9lWWyCpCZIntYNwDm0RrluzE=',
  claude:
    '5wXEQoVlW1MNsv3f4Ke7rqwxozo8YP1YaHGEI7QtEG-MLVKlxYZGV04Sx5pk9Osl-9sts-Hb0sfADu3BUEfFCyAMhA==',
  claudeKey: 'anxAQCQR04zzUQwulTbeFtbGd0r4d8bWyfaok2JmoHiVnGw7-ENegXlQ_9HXr2s4jlQ=',
};

const rowsOf = (upstream: string): LitellmRows => ({
  LiteLLM_UserTable: [
    { user_id: 'default_user_id', user_role: 'proxy_admin', spend: 0.25 },
    {
      ...{ user_id: 'u-alice', user_email: 'Alice@Example.com', user_role: 'internal_user' },
      ...{ max_budget: 10, spend: 4, rpm_limit: 60, max_parallel_requests: 2, models: [] },
      ...{ sso_user_id: 'sso-1', metadata: { model_rpm_limit: { 'model-a': 5 } } },
    },
    { user_id: 'u-bob', user_alias: 'Bob B', spend: 1e-7, models: ['no-default-models'] },
  ].map((user, index) => ({ created_at: at(-30 + index), ...user })),
  LiteLLM_TeamTable: [
    {
      ...{ team_id: 't-1', team_alias: 'Research Team', created_at: at(-20), blocked: false },
      ...{ max_budget: 100, soft_budget: 60, spend: 12.5, budget_duration: '30d' },
      ...{ budget_reset_at: new Date(monthEnd * 1000).toISOString().slice(0, 23) },
      ...{ models: ['model-a', 'alias-of-a', 'fast'], model_max_budget: {} },
    },
    { team_id: 't-2', team_alias: 'Blocked', created_at: at(-19), blocked: true, spend: 0 },
  ],
  LiteLLM_BudgetTable: [
    { budget_id: 'b-1', max_budget: 14, budget_duration: '14d', created_by: 'x', tpm_limit: 9000 },
  ],
  LiteLLM_VerificationToken: [
    {
      ...{
        token: digestOf('sk-alice_key-12'),
        key_alias: 'laptop',
        user_id: 'u-alice',
        spend: 1.5,
      },
      ...{ max_budget: 2, budget_duration: '24h', budget_reset_at: at(0.25) },
      model_max_budget: { 'model-a': { budget_limit: 0.5, time_period: '1d' } },
    },
    {
      ...{ token: digestOf('sk-team'), key_alias: 'team key', team_id: 't-1', user_id: 'u-alice' },
      ...{ models: ['model-a', 'model-b'], spend: 12.5, budget_id: 'b-1' },
    },
    { token: digestOf('sk-bob'), key_name: 'sk-...-bob', user_id: 'u-bob', models: [] },
    { token: digestOf('sk-blocked'), user_id: 'u-alice', blocked: true },
    { token: digestOf('sk-old'), user_id: 'u-alice', expires: at(-1) },
    { token: digestOf('sk-lost'), user_id: 'u-gone', permissions: { get_spend_routes: true } },
    { token: digestOf('sk-odd'), user_id: 'u-alice', max_budget: 1, budget_duration: 'soon' },
  ].map((key, index) => ({ created_at: at(-10 + index), spend: 0, ...key })),
  LiteLLM_ProxyModelTable: [
    {
      ...{ model_id: 'd-1', model_name: 'model-a', model_info: { access_groups: ['fast'] } },
      litellm_params: {
        ...{ model: sealed.modelA, api_key: sealed.openaiKey, api_base: `${upstream}/v1` },
        ...{ rpm: 100, input_cost_per_token: 0.000002, output_cost_per_token: 0.000008 },
      },
    },
    {
      ...{ model_id: 'd-2', model_name: 'model-b', model_info: {} },
      litellm_params: {
        model: sealed.modelA,
        api_key: sealed.openaiKey,
        api_base: `${upstream}/v1`,
      },
    },
    {
      ...{ model_id: 'd-3', model_name: 'claude', model_info: {} },
      litellm_params: { model: sealed.claude, litellm_credential_name: 'vendor' },
    },
    {
      ...{ model_id: 'd-4', model_name: 'of a team', model_info: { team_id: 't-1' } },
      litellm_params: { model: 'openai/x', api_key: 'k' },
    },
    {
      ...{ model_id: 'd-5', model_name: 'openai/*', model_info: {} },
      litellm_params: { model: 'openai/*', api_key: 'k' },
    },
  ].map((model, index) => ({ created_at: at(-9 + index), created_by: 'x', ...model })),
  LiteLLM_CredentialsTable: [
    {
      ...{ credential_id: 'c-1', credential_name: 'vendor' },
      credential_values: { api_key: sealed.claudeKey },
    },
  ],
  LiteLLM_Config: [
    {
      param_name: 'router_settings',
      param_value: { model_group_alias: { 'alias-of-a': 'model-a' }, num_retries: 3 },
    },
  ],
  LiteLLM_SpendLogs: [
    {
      ...{ request_id: 'r-1', api_key: digestOf('sk-alice_key-12'), user: 'u-alice', spend: 0.5 },
      ...{
        model_id: 'd-1',
        model_group: 'model-a',
        startTime: at(-2),
        endTime: at(-2 + 3 / 86_400),
      },
      ...{
        completionStartTime: at(-2 + 1 / 86_400),
        request_tags: ['job', 'a,b'],
        status: 'success',
      },
      metadata: { usage_object: { prompt_tokens_details: { cached_tokens: 4 } } },
    },
    {
      ...{ request_id: 'r-2', api_key: digestOf('sk-team'), user: 'u-alice', team_id: 't-1' },
      ...{ spend: 3.3e-7, model_group: 'model-b', startTime: at(-1), endTime: at(-1) },
    },
    {
      ...{ request_id: 'r-3', api_key: 'gone', spend: 0, model: 'model-a', status: 'failure' },
      ...{ startTime: at(-3), endTime: at(-3) },
    },
  ].map((row) => ({
    ...{ call_type: 'acompletion', prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
    messages: { secret: 'what was said' },
    ...row,
  })),
  LiteLLM_OrganizationTable: [
    { organization_id: 'o-1', organization_alias: 'Org', budget_id: 'b' },
  ],
  LiteLLM_DailyUserSpend: [{ id: '1', user_id: 'u-alice', date: '2026-11-01', spend: 1 }],
});

const configFile = `
model_list:
  - model_name: local
    litellm_params: { model: hosted_vllm/qwen, api_base: "http://10.0.0.5:8000/v1" }
  - model_name: mini
    litellm_params: { model: azure/deployment-1, api_base: os.environ/AZURE_BASE, api_key: os.environ/AZURE_KEY, api_version: "2025-04-01-preview" }
  - model_name: nova
    litellm_params: { model: bedrock/eu-central-1/vendor.model-v1, aws_access_key_id: id, aws_secret_access_key: secret }
  - model_name: none
    litellm_params: { model: groq/some-model, api_key: os.environ/NOBODY_SET_IT }
  - model_name: odd
    litellm_params: { model: replicate/some-model, api_key: k }
general_settings:
  master_key: sk-master-of-old
litellm_settings:
  drop_params: true
`;

describe.skipIf(!postgresIsInstalled())('a site of LiteLLM', () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-litellm-'));
  const config = join(folder, 'config.yaml');
  const environment = {
    LITELLM_SALT_KEY: saltKey,
    AZURE_KEY: 'azure-key',
    AZURE_BASE: 'https://name.openai.azure.com/',
  };
  let server: TestPostgres;
  let upstream: TestUpstream;
  let source = '';
  beforeAll(async () => {
    writeFileSync(config, configFile);
    [server, upstream] = await Promise.all([startPostgres(), startUpstream()]);
    source = await server.createDatabase();
    await writeLitellmDatabase(source, rowsOf(upstream.url));
  });
  afterAll(async () => {
    await upstream?.close();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const run = (dataDir: string, argv: readonly string[] = [], given: object = environment) =>
    runCli(
      ['import', 'litellm', source, '--data-dir', dataDir, '--config', config, '--json', ...argv],
      { environment: { ...given } },
    );

  test('moves with its limits and what was spent of them, and its keys go on working', async () => {
    const dataDir = join(folder, 'data');
    const plan = await run(dataDir, ['--dry-run']);
    expect(plan.stderr).toBe('');
    const planned = plan.json<ImportReportJson>();
    const result = await run(dataDir);
    expect(result).toMatchObject({ stderr: '', exitCode: 0 });
    const report = result.json<ImportReportJson>();
    expect(report.tables).toEqual(planned.tables);
    for (const { expected, found } of report.proof) expect(found).toBe(expected);
    const proofOf = (table: string, figure: string) =>
      report.proof.find((line) => line.table === table && line.figure === figure)?.found;
    // 0.25 + 4 + 12.5 dollars; a ten-millionth is less than a unit.
    expect(proofOf('users', 'used_quota')).toBe('8375000');
    expect(proofOf('users', 'rows')).toBe('5');
    expect(proofOf('keys', 'used_quota')).toBe('7000000');
    expect(proofOf('LiteLLM_SpendLogs', 'quota')).toBe('250000');
    expect(proofOf('quota_data', 'count')).toBe('2');
    expect(report.left_out_tables).toMatchObject(
      [
        { table: 'LiteLLM_OrganizationTable', rows: 1, loss: 'limits' },
        { table: 'LiteLLM_EndUserTable', rows: 0 },
      ].sort((one, other) => (one.table < other.table ? -1 : 1)),
    );
    expect(notesOf(report, 'users')).toMatchObject({
      balance_given: ['100000'],
      identity_dropped: ['2 Alice SSO'],
      password_missing: ['1 default_user_id', '2 Alice', '3 Bob_B', '4 Research_Team', '5 Blocked'],
    });
    expect(notesOf(report, 'channels')).toMatchObject({
      channel_key_missing: ['none: NOBODY_SET_IT'],
      type_unsupported: ['odd: replicate'],
      parameters_left_out: ['model-a: rpm'],
      team_model_left_out: ['of a team'],
      model_pattern_left_out: ['openai/*'],
    });
    expect(notesOf(report, 'keys')).toMatchObject({
      key_of_nobody: ['7 key 7'],
      column_left_out: ['permissions (1)'],
    });
    expect(notesOf(report, 'limits')).toMatchObject({
      limit_becomes_budget: [
        '2 Alice: total (2000000 of 5000000)',
        '4 Research_Team: month (6250000 of 50000000)',
        '2 laptop: day (750000 of 1000000)',
        '2 laptop: day',
        '3 team key: week (6250000 of 7000000)',
      ],
      limit_period_changed: ['3 team key: 14d → week'],
      limit_left_out: ['8 key 8: soon'],
    });
    expect(notesOf(report, 'settings')).toEqual({
      option_not_used: ['router_settings.num_retries', 'litellm_settings.drop_params'],
    });

    await withImportedSite(dataDir, async (storage) => {
      expect(await verifyLedger(storage)).toMatchObject({ ok: true });
      expect(await storage.users.find(1)).toMatchObject({ role: 100, usedQuota: 125_000 });
      expect(await storage.users.find(2)).toMatchObject({
        ...{ username: 'Alice', email: 'alice@example.com', quota: 50_000_000_000, role: 1 },
      });
      expect(await storage.users.find(5)).toMatchObject({ status: 2 });
      expect(await storage.channels.find(1)).toMatchObject({
        ...{ type: 1, baseUrl: 'http://10.0.0.5:8000', models: 'local' },
        modelMapping: '{"local":"qwen"}',
      });
      const azure = await storage.channels.find(2);
      expect(azure).toMatchObject({ type: 3, other: '2025-04-01-preview', status: 1 });
      expect(azure?.key.reveal()).toBe('azure-key');
      expect((await storage.channels.find(3))?.key.reveal()).toBe('id|secret|eu-central-1');
      expect(await storage.channels.find(4)).toMatchObject({ status: 2 });
      const openai = await storage.channels.find(6);
      expect(openai).toMatchObject({
        ...{ type: 1, baseUrl: upstream.url, models: 'alias-of-a,model-a,model-b', status: 1 },
        modelMapping: '{"alias-of-a":"model-a","model-b":"model-a"}',
      });
      expect(openai?.key.reveal()).toBe('sk-upstream-key-of-openai');
      const claude = await storage.channels.find(7);
      expect(claude).toMatchObject({ type: 14, models: 'claude' });
      expect(claude?.key.reveal()).toBe('claude-key');
      expect(await storage.tokens.find(3)).toMatchObject({
        ...{ userId: 4, modelLimitsEnabled: true, modelLimits: 'model-a', unlimitedQuota: true },
      });
      expect(await storage.tokens.find(4)).toMatchObject({ userId: 3, modelLimits: '' });
      expect(await storage.tokens.find(7)).toMatchObject({ userId: 1 });
      const budgets = await storage.budgets.list();
      const shown = budgets.map(({ owner, ownerId, amount, period, window, ...more }) => [
        ...[owner, ownerId, amount, period, window, more.thresholds, more.models],
        [more.requestsPerMinute, more.tokensPerMinute, more.parallelRequests].join(' '),
      ]);
      expect(shown).toEqual([
        ['user', '2', 5_000_000, 'total', 'calendar', '80,100', '', '0 0 0'],
        ['user', '2', 0, 'none', 'calendar', '80,100', '', '60 0 2'],
        ['user', '2', 0, 'none', 'calendar', '80,100', 'model-a', '5 0 0'],
        ['user', '4', 50_000_000, 'month', 'calendar', '60,100', '', '0 0 0'],
        ['token', '2', 1_000_000, 'day', 'rolling', '80,100', '', '0 0 0'],
        ['token', '2', 250_000, 'day', 'calendar', '80,100', 'model-a', '0 0 0'],
        ['token', '3', 3_500_000, 'week', 'calendar', '80,100', '', '0 0 0'],
        ['token', '3', 0, 'none', 'calendar', '80,100', '', '0 9000 0'],
      ]);
      const windows = await storage.budgets.openWindows(Math.floor(now / 1000) + 60);
      expect(windows.map(({ budgetId, spent, endsAt }) => [budgetId, spent, endsAt])).toEqual([
        [1, 2_000_000, 0],
        [4, 6_250_000, monthEnd],
        [5, 750_000, Math.floor((now + day / 4) / 1000)],
      ]);
      const logs = await storage.logs.page({}, { offset: 0, limit: 10 });
      const byId = new Map(logs.items.map((row) => [row.requestId, row]));
      expect(byId.get('r-1')).toMatchObject({
        ...{ userId: 2, tokenId: 2, tokenName: 'laptop', channelId: 6, modelName: 'model-a' },
        ...{ quota: 250_000, isStream: true, useTime: 3, tags: 'job', type: 2 },
        createdAt: Math.floor((now - 2 * day) / 1000),
      });
      expect(JSON.parse(byId.get('r-1')?.other ?? '')).toEqual({
        ...{ use_ms: 3000, frt: 1000, cache_tokens: 4 },
      });
      expect(byId.get('r-2')).toMatchObject({ userId: 4, username: 'Research_Team', quota: 0 });
      expect(byId.get('r-3')).toMatchObject({ userId: 0, type: 5 });
      const ratios = JSON.parse((await storage.options.find('ModelRatio'))?.value ?? '{}');
      expect([ratios['model-a'], ratios['alias-of-a']]).toEqual([1, 1]);
      const completion = JSON.parse((await storage.options.find('CompletionRatio'))?.value ?? '{}');
      expect(completion['model-a']).toBe(4);
    });

    upstream.answer(chatReply('hello'));
    const loaded = loadConfig({
      flags: { 'data-dir': dataDir, port: 0, durability: 'normal' },
      environment: {},
      cwd: dataDir,
    });
    const gateway = await startGateway(loaded.config, { logger: silentLogger, version: 'test' });
    try {
      const ask = async (key: string, model = 'model-a') => {
        const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
          body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] }),
        });
        const body = (await reply.json()) as { error?: { code: string } };
        return body.error?.code ?? reply.status;
      };
      expect(await ask('sk-alice_key-12')).toBe(200);
      expect(await ask('sk-team', 'model-a')).toBe(200);
      expect(await ask('sk-team', 'model-b')).toBe('model_not_allowed');
      expect(await ask('sk-master-of-old')).toBe(200);
      expect(await ask('sk-bob')).toBe('model_not_allowed');
      expect(await ask('sk-blocked')).toBe('token_disabled');
      expect(await ask('sk-old')).toBe('token_expired');
      expect(await ask('sk-never')).toBe('token_unknown');
      // Who can read either database has the digest, and no key.
      expect(await ask(digestOf('sk-team'))).toBe('token_unknown');
      expect(await ask(`sk-sha256:${digestOf('sk-team')}`)).toBe('token_unknown');
      expect(await ask(`sha256:${digestOf('sk-team')}`)).toBe('token_unknown');
    } finally {
      await gateway.close();
    }

    const again = (await run(dataDir)).json<ImportReportJson>();
    for (const { table, carried } of again.tables)
      if (table !== 'settings') expect([table, carried]).toEqual([table, 0]);
    for (const { expected, found } of again.proof) expect(found).toBe(expected);
    await withImportedSite(dataDir, async (storage) =>
      expect(await storage.budgets.list()).toHaveLength(8),
    );

    // Who came later is added, with a key and its limit.
    const client = new Client({ connectionString: source });
    await client.connect();
    try {
      await addLitellmRows(client, {
        LiteLLM_UserTable: [{ user_id: 'u-new', spend: 0, created_at: at(0) }],
        LiteLLM_VerificationToken: [
          {
            ...{ token: digestOf('sk-new'), user_id: 'u-new', spend: 0, created_at: at(0) },
            max_budget: 1,
          },
        ],
      });
      const more = (await run(dataDir)).json<ImportReportJson>();
      const carried = more.tables.map((one) => [one.table, one.carried]);
      expect(carried).toEqual(
        expect.arrayContaining([
          ['users', 1],
          ['keys', 1],
          ['limits', 1],
        ]),
      );
    } finally {
      await client.end();
    }
  });

  test('a wrong salt key is refused, and without one channels come disabled', async () => {
    const dataDir = join(folder, 'wrong');
    const wrong = await run(dataDir, [], { ...environment, LITELLM_SALT_KEY: 'sk-another' });
    expect(wrong.failure()).toMatchObject({ code: 'import_salt_key_wrong' });
    // The master key of the file opens nothing either.
    const without = await run(dataDir, ['--dry-run'], {});
    expect(without.failure()).toMatchObject({ code: 'import_salt_key_wrong' });
    const bare = await runCli(['import', 'litellm', source, '--dry-run', '--json'], {
      environment: {},
    });
    expect(notesOf(bare.json<ImportReportJson>(), 'channels')).toMatchObject({
      channel_key_missing: expect.arrayContaining(['model-a', 'claude']),
    });
    writeFileSync(join(folder, 'bad.yaml'), 'a: [');
    const bad = await runCli([
      ...['import', 'litellm', source, '--dry-run', '--config', join(folder, 'bad.yaml')],
    ]);
    expect(bad).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('is no YAML') });
    const other = await runCli(['import', 'newapi', source, '--dry-run', '--json']);
    expect(other.failure()).toMatchObject({ code: 'import_family_wrong' });
    expect(other.stderr).toContain('turnpike import litellm');
  });
});
