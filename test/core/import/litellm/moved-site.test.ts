// Covers src/core/import/litellm, src/cli/commands/import-litellm.ts, src/core/vocabulary/key-digests.ts
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../../../src/core/billing/verify.ts';
import { loadConfig } from '../../../../src/core/config/load.ts';
import { silentLogger } from '../../../../src/core/kernel/logger.ts';
import { openDatabase } from '../../../../src/core/open-database.ts';
import { presentToken } from '../../../../src/core/tokens/present-token.ts';
import { startGateway } from '../../../../src/server/start.ts';
import { runCli } from '../../../cli/run-cli.ts';
import {
  type ImportReportJson,
  notesOf,
  withImportedSite,
} from '../../../support/imported-site.ts';
import { addLitellmRows, writeLitellmDatabase } from '../../../support/litellm-database.ts';
import {
  at,
  day,
  digestOf,
  litellmConfig,
  litellmRows,
  monthEnd,
  now,
  saltKey,
} from '../../../support/litellm-site.ts';
import {
  postgresIsInstalled,
  startPostgres,
  type TestPostgres,
} from '../../../support/postgres.ts';
import { testMasterKey } from '../../../support/storage.ts';
import { chatReply, startUpstream, type TestUpstream } from '../../../support/upstream.ts';

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
    writeFileSync(config, litellmConfig);
    [server, upstream] = await Promise.all([startPostgres(), startUpstream()]);
    source = await server.createDatabase();
    await writeLitellmDatabase(source, litellmRows(upstream.url));
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
      member_limit_left_out: ['Research_Team, Bob_B: 0'],
    });
    expect(notesOf(report, 'settings')).toEqual({
      option_not_used: ['router_settings.num_retries', 'litellm_settings.drop_params'],
    });

    await withImportedSite(dataDir, async (storage) => {
      expect(await verifyLedger(storage)).toMatchObject({ ok: true });
      expect(await storage.users.find(1)).toMatchObject({ role: 100, usedQuota: 125_000 });
      expect(await storage.users.find(2)).toMatchObject({
        username: 'Alice',
        email: 'alice@example.com',
        quota: 50_000_000_000,
        role: 1,
      });
      expect(await storage.users.find(5)).toMatchObject({ status: 2 });
      expect(await storage.channels.find(1)).toMatchObject({
        type: 1,
        baseUrl: 'http://10.0.0.5:8000',
        models: 'local',
        modelMapping: '{"local":"qwen"}',
      });
      const azure = await storage.channels.find(2);
      expect(azure).toMatchObject({ type: 3, other: '2025-04-01-preview', status: 1 });
      expect(azure?.key.reveal()).toBe('azure-key');
      expect((await storage.channels.find(3))?.key.reveal()).toBe('id|secret|eu-central-1');
      expect(await storage.channels.find(4)).toMatchObject({ status: 2 });
      const openai = await storage.channels.find(6);
      expect(openai).toMatchObject({
        type: 1,
        baseUrl: upstream.url,
        models: 'alias-of-a,model-a,model-b',
        status: 1,
        modelMapping: '{"alias-of-a":"model-a","model-b":"model-a"}',
      });
      expect(openai?.key.reveal()).toBe('sk-upstream-key-of-openai');
      const claude = await storage.channels.find(7);
      expect(claude).toMatchObject({ type: 14, models: 'claude' });
      expect(claude?.key.reveal()).toBe('claude-key');
      expect(await storage.tokens.find(3)).toMatchObject({
        userId: 4,
        modelLimitsEnabled: true,
        modelLimits: 'model-a',
        unlimitedQuota: true,
      });
      const laptop = await storage.tokens.find(2);
      expect(laptop && presentToken(laptop, 'whole')).toMatchObject({ key: '', unreadable: true });
      expect(await storage.tokens.find(4)).toMatchObject({ userId: 3, modelLimits: '' });
      expect(await storage.tokens.find(7)).toMatchObject({ userId: 1 });
      const budgets = await storage.budgets.list();
      const shown = budgets.map(({ owner, ownerId, amount, period, window, ...more }) => [
        owner,
        ownerId,
        amount,
        period,
        window,
        more.thresholds,
        more.models,
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
        ['token', '3', 1_500_000, 'week', 'rolling', '80,100', '', '0 0 0'],
        ['token', '3', 0, 'none', 'calendar', '80,100', '', '20 0 0'],
      ]);
      const windows = await storage.budgets.openWindows(Math.floor(now / 1000) + 60);
      expect(windows.map(({ budgetId, spent, endsAt }) => [budgetId, spent, endsAt])).toEqual([
        [1, 2_000_000, 0],
        [4, 6_250_000, monthEnd],
        [5, 750_000, Math.floor((now + day / 4) / 1000)],
        [9, 500_000, Math.floor((now + 2 * day) / 1000)],
      ]);
      const logs = await storage.logs.page({}, { offset: 0, limit: 10 });
      const byId = new Map(logs.items.map((row) => [row.requestId, row]));
      expect(byId.get('r-1')).toMatchObject({
        userId: 2,
        tokenId: 2,
        tokenName: 'laptop',
        channelId: 6,
        modelName: 'model-a',
        quota: 250_000,
        isStream: true,
        useTime: 3,
        tags: 'job',
        type: 2,
        createdAt: Math.floor((now - 2 * day) / 1000),
      });
      expect(JSON.parse(byId.get('r-1')?.other ?? '')).toEqual({
        use_ms: 3000,
        frt: 1000,
        cache_tokens: 4,
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
      expect(await storage.budgets.list()).toHaveLength(10),
    );

    // Who came later is added, with a key and its limit.
    const client = new Client({ connectionString: source });
    await client.connect();
    try {
      await addLitellmRows(client, {
        LiteLLM_UserTable: [{ user_id: 'u-new', spend: 0, created_at: at(0) }],
        LiteLLM_VerificationToken: [
          {
            token: digestOf('sk-new'),
            user_id: 'u-new',
            spend: 0,
            created_at: at(0),
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

  test('moves into PostgreSQL as well, with the same figures', async () => {
    const target = await server.createDatabase();
    const dataDir = join(folder, 'keys-of-postgres');
    const result = await run(dataDir, ['--database-url', target]);
    expect(result).toMatchObject({ stderr: '', exitCode: 0 });
    const storage = await openDatabase({ url: target, masterKey: testMasterKey });
    try {
      expect(await verifyLedger(storage)).toMatchObject({ ok: true });
      const windows = await storage.budgets.openWindows(Math.floor(now / 1000) + 60);
      expect(windows.map(({ spent }) => spent)).toEqual([2_000_000, 6_250_000, 750_000, 500_000]);
    } finally {
      await storage.close();
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
      'import',
      'litellm',
      source,
      '--dry-run',
      '--config',
      join(folder, 'bad.yaml'),
    ]);
    expect(bad).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('is no YAML') });
    const other = await runCli(['import', 'newapi', source, '--dry-run', '--json']);
    expect(other.failure()).toMatchObject({ code: 'import_family_wrong' });
    expect(other.stderr).toContain('turnpike import litellm');
  });
});
