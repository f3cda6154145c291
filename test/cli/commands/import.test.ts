import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifyPassword } from '../../../src/core/accounts/password.ts';
import { hashSecret } from '../../../src/core/accounts/sessions.ts';
import { verifyLedger } from '../../../src/core/billing/verify.ts';
import { lockDataFolder } from '../../../src/core/config/data-lock.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import type { OpenStorage } from '../../../src/core/storage/open.ts';
import { fingerprint } from '../../../src/core/upstream/channel-keys.ts';
import { readDisabledKeys } from '../../../src/core/vocabulary/disabled-keys.ts';
import {
  addRows,
  commonRows,
  rootPassword,
  writeFamilyFile,
} from '../../support/family-database.ts';
import {
  notesOf,
  type ImportReportJson as Report,
  withImportedSite,
} from '../../support/imported-site.ts';
import { runCli } from '../run-cli.ts';

let folder = '';
let dataDir = '';
let file = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-import-'));
  dataDir = join(folder, 'data');
  file = join(folder, 'one-api.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (...argv: readonly string[]) =>
  runCli(['import', ...argv, '--data-dir', dataDir, '--json']);

const withSite = <T>(look: (storage: OpenStorage) => Promise<T>) => withImportedSite(dataDir, look);

const tokenOf = (storage: OpenStorage, key: string) =>
  storage.tokens.findByKeyHash(storage.tokens.hashKey(key));

test('a New API site moves in: ids, keys, passwords and balances are kept, and everything odd is reported', async () => {
  writeFamilyFile(file, 'newapi-0.6', commonRows);
  const result = await run('newapi', file);
  expect(result.stderr).toBe('');
  const report = result.json<Report>();
  for (const { expected, found } of report.proof) expect(found).toBe(expected);
  expect(report.proof).toContainEqual({
    table: 'users',
    figure: 'rows',
    expected: '5',
    found: '5',
  });
  expect(notesOf(report, 'users')).toEqual({
    number_out_of_range: ['5 quota'],
    name_suffixed: ['3 Alice → Alice_2'],
    email_dropped: ['3 Alice alice@example.com'],
    identity_dropped: ['3 Alice github'],
    deleted_user: ['4 deleted_0a1b2c'],
  });
  expect(notesOf(report, 'tokens')).toEqual({ owner_missing: ['3 orphan'] });
  expect(notesOf(report, 'options')).toEqual({
    option_entry_dropped: ['ModelRatio openrouter/auto'],
    option_invalid: ['RetryTimes'],
    option_unknown_kept: ['SomethingOfLater'],
  });
  await withSite(async (storage) => {
    const root = await storage.users.findByUsername('root');
    expect(root).toMatchObject({
      id: 1,
      role: 100,
      quota: 100_000_000,
      usedQuota: 5_000,
      requestCount: 3,
      affCode: 'AB12',
    });
    expect(root).toMatchObject({
      email: 'root@example.com',
      emailVerified: true,
      accessTokenHash: hashSecret('a'.repeat(32)),
    });
    expect(
      await verifyPassword(rootPassword.text, root?.passwordHash.reveal() ?? ''),
    ).toMatchObject({ matches: true });
    expect(await storage.users.findByUsername('alice')).toMatchObject({
      id: 2,
      quota: -1_234,
      inviterId: 1,
      affCode: null,
    });
    expect(await storage.userIdentities.findUserId('github', 'alice-gh')).toBe(2);
    expect((await storage.users.findByUsername('deleted_0a1b2c'))?.deletedAt).toBeGreaterThan(0);
    expect((await storage.users.findByUsername('huge'))?.quota).toBe(Number.MAX_SAFE_INTEGER);
    expect(await tokenOf(storage, 'k'.repeat(48))).toMatchObject({
      id: 1,
      userId: 1,
      remainQuota: 500,
      usedQuota: 700,
    });
    expect(await tokenOf(storage, 'L'.repeat(48))).toMatchObject({
      remainQuota: -9_000,
      unlimitedQuota: true,
    });
    expect((await tokenOf(storage, 'm'.repeat(128)))?.status).toBe(4);
    expect(await storage.channels.find(3)).toMatchObject({
      name: 'openai',
      weight: 2,
      priority: 5,
      usedQuota: 12_345,
    });
    expect((await storage.channels.find(3))?.key.reveal()).toBe('sk-upstream');
    expect((await storage.channels.search({ group: 'vip' }, 'id', 10)).map(({ id }) => id)).toEqual(
      [3],
    );
    expect(await storage.options.find('ModelRatio')).toMatchObject({ value: '{"gpt-4o":1.25}' });
    expect(await storage.redemptions.findByKey('c'.repeat(32))).toMatchObject({
      id: 1,
      quota: 250_000,
      status: 1,
    });
    expect(await storage.ledger.findByReference('import', 'import:2')).toMatchObject({
      userId: 2,
      amount: -1_234,
    });
    expect(await verifyLedger(storage)).toMatchObject({ ok: true, users: 5, postings: 3 });
  });
});

test('a later New API site moves in with its several keys per channel, expiring codes and tables that are named', async () => {
  const channelInfo = {
    is_multi_key: true,
    multi_key_size: 3,
    multi_key_mode: 'polling',
    multi_key_status_list: { 1: 3 },
    multi_key_disabled_reason: { 1: 'invalid key' },
    multi_key_disabled_time: { 1: 1_700_000_000 },
  };
  const rows = addRows(commonRows, {
    channels: [
      {
        id: 9,
        type: 14,
        key: 'one\ntwo\nthree',
        status: 1,
        name: 'many',
        models: 'claude',
        group: 'default',
        channel_info: Buffer.from(JSON.stringify(channelInfo)),
      },
      {
        id: 10,
        type: 990,
        key: 'x',
        status: 1,
        name: 'of tomorrow',
        models: 'm',
        group: 'default',
      },
    ],
    tokens: [
      {
        id: 8,
        user_id: 1,
        key: 'r'.repeat(48),
        status: 1,
        name: 'range',
        remain_quota: 0,
        used_quota: 0,
        allow_ips: '10.0.0.0/8',
      },
      {
        id: 9,
        user_id: 1,
        key: 's'.repeat(48),
        status: 1,
        name: 'typo',
        remain_quota: 0,
        used_quota: 0,
        allow_ips: 'localhost',
      },
    ],
    redemptions: [
      {
        id: 7,
        user_id: 1,
        key: 'e'.repeat(32),
        status: 1,
        name: 'soon',
        quota: 5,
        expired_time: 1_800_000_000,
        deleted_at: null,
      },
    ],
    user_subscriptions: [{ id: 1, user_id: 1 }],
    casbin_rule: [{ id: 1, ptype: 'p' }],
  });
  writeFamilyFile(file, 'newapi-1.0', rows);
  const result = await run('newapi', file);
  expect(result.stderr).toBe('');
  const report = result.json<Report>();
  expect(report.left_out_tables).toEqual(
    expect.arrayContaining([
      { table: 'casbin_rule', rows: 1 },
      { table: 'user_sessions', rows: 0 },
      { table: 'user_subscriptions', rows: 1, loss: 'subscriptions' },
    ]),
  );
  expect(notesOf(report, 'tokens')).toMatchObject({
    range_now_allowed: ['8 range: 10.0.0.0/8'],
    bad_address_disabled: ['9 typo: localhost'],
  });
  expect(notesOf(report, 'channels')).toMatchObject({ type_unknown: ['10 of tomorrow: 990'] });
  await withSite(async (storage) => {
    const channel = await storage.channels.find(9);
    expect(channel?.key.reveal()).toBe('one\ntwo\nthree');
    expect(JSON.parse(channel?.setting ?? '')).toEqual({ multi_key_mode: 'polling' });
    expect([...readDisabledKeys(channel?.otherInfo ?? '')]).toEqual([
      [fingerprint('two'), { reason: 'invalid key', time: 1_700_000_000 }],
    ]);
    expect(await storage.channels.find(10)).toMatchObject({ type: 8, status: 2 });
    expect(await tokenOf(storage, 's'.repeat(48))).toMatchObject({ status: 2 });
    expect(await storage.redemptions.findByKey('e'.repeat(32))).toMatchObject({
      expiredTime: 1_800_000_000,
    });
  });
});

test('a One API site moves in: its channel types, model lists and subnets become ours', async () => {
  const rows = addRows(commonRows, {
    channels: [
      {
        id: 20,
        type: 28,
        key: 'mistral-key',
        status: 1,
        name: 'mistral',
        models: 'm',
        group: 'default',
        open_ai_organization: 'org-1',
      },
      {
        id: 21,
        type: 33,
        key: '',
        status: 1,
        name: 'aws',
        models: 'm',
        group: 'default',
        config: '{"ak":"A","sk":"S","region":"us-east-1"}',
      },
      {
        id: 22,
        type: 34,
        key: 'k',
        status: 1,
        name: 'coze',
        models: 'm',
        group: 'default',
        system_prompt: 'Be brief.',
      },
      {
        id: 23,
        type: 50,
        key: 'k',
        status: 1,
        name: 'own',
        models: 'm',
        group: 'default',
        base_url: 'https://llm.example/v1',
      },
    ],
    tokens: [
      {
        id: 8,
        user_id: 1,
        key: 'r'.repeat(48),
        status: 1,
        name: 'narrow',
        remain_quota: 0,
        used_quota: 0,
        models: 'gpt-4o',
        subnet: '10.0.0.0/8,192.168.1.1',
      },
    ],
  });
  writeFamilyFile(file, 'oneapi-0.6', rows);
  const result = await run('oneapi', file);
  expect(result.stderr).toBe('');
  expect(notesOf(result.json<Report>(), 'channels')).toMatchObject({
    type_unsupported: ['22 coze'],
    url_shortened: ['23 own'],
  });
  await withSite(async (storage) => {
    expect(await storage.channels.find(20)).toMatchObject({
      type: 42,
      openaiOrganization: 'org-1',
    });
    expect((await storage.channels.find(21))?.key.reveal()).toBe('A|S|us-east-1');
    expect(await storage.channels.find(22)).toMatchObject({
      type: 8,
      status: 2,
      setting: '{"system_prompt":"Be brief."}',
    });
    expect(await storage.channels.find(23)).toMatchObject({
      type: 1,
      baseUrl: 'https://llm.example',
    });
    expect(await tokenOf(storage, 'r'.repeat(48))).toMatchObject({
      modelLimitsEnabled: true,
      modelLimits: 'gpt-4o',
      allowIps: '10.0.0.0/8\n192.168.1.1',
    });
  });
});

test('history moves in: logs, hourly sums, top-ups, drawings and tasks', async () => {
  const now = Math.floor(Date.now() / 1000);
  const log = (id: number, more: Record<string, unknown>) => ({
    id,
    user_id: 2,
    created_at: 1_700_000_000 + id,
    type: 2,
    username: 'alice',
    ...more,
  });
  const hourly = (id: number, quota: number) => ({
    id,
    user_id: 2,
    username: 'alice',
    model_name: 'gpt-4o',
    created_at: 1_699_999_200,
    token_used: 3,
    count: 1,
    quota,
  });
  const task = (id: number, more: Record<string, unknown>) => ({
    id,
    user_id: 2,
    channel_id: 3,
    quota: 50,
    action: 'MUSIC',
    platform: 'suno',
    ...more,
  });
  const rows = addRows(commonRows, {
    logs: [
      log(1, {
        quota: 10,
        prompt_tokens: 4,
        completion_tokens: 5,
        model_name: 'gpt-4o',
        use_time: 2,
        is_stream: true,
        other: '{"model_ratio":1.25}',
        ip: '192.0.2.7',
        request_id: 'r-1',
      }),
      log(2, { type: 7, content: 'signed in' }),
      log(3, { type: 3, content: 'changed a quota', other: 'no JSON' }),
      log(4, { quota: -5, user_id: 999, token_id: 77 }),
    ],
    quota_data: [hourly(1, 7), hourly(2, 8), { ...hourly(3, 1), model_name: 'other' }],
    top_ups: [
      {
        id: 1,
        user_id: 2,
        amount: 2,
        money: 14.6,
        trade_no: 'T1',
        create_time: 5,
        status: 'success',
        payment_method: 'alipay',
        complete_time: 9,
        payment_provider: 'epay',
      },
      {
        id: 2,
        user_id: 2,
        amount: 1,
        money: 7.3,
        trade_no: 'T1',
        create_time: 6,
        status: 'expired',
      },
    ],
    midjourneys: [
      {
        id: 4,
        user_id: 2,
        mj_id: 'mj',
        action: 'IMAGINE',
        submit_time: 1_700_000_000_000,
        status: 'SUCCESS',
        progress: '100%',
        quota: 9,
        prompt: 'a cat',
      },
    ],
    tasks: [
      task(1, {
        task_id: 'new',
        submit_time: now - 60,
        progress: '30%',
        status: 'IN_PROGRESS',
        data: Buffer.from('[{"id":1}]'),
      }),
      task(2, {
        task_id: 'old',
        submit_time: 1_700_000_000,
        progress: '30%',
        status: 'IN_PROGRESS',
      }),
    ],
  });
  writeFamilyFile(file, 'newapi-1.0', rows);
  const result = await run('newapi', file);
  expect(result.stderr).toBe('');
  const report = result.json<Report>();
  expect(notesOf(report, 'logs')).toEqual({
    log_type_changed: ['2: 7'],
    invalid_json: ['3 other'],
  });
  expect(notesOf(report, 'quota_data')).toEqual({ rows_summed: ['3 → 2'] });
  expect(notesOf(report, 'top_ups')).toMatchObject({
    trade_number_suffixed: ['2 → T1_2'],
    method_unknown: ['2 T1_2'],
  });
  expect(notesOf(report, 'tasks')).toEqual({ task_ended: ['2 old'] });
  expect(report.proof).toContainEqual({
    table: 'logs',
    figure: 'quota',
    expected: '5',
    found: '5',
  });
  expect(report.proof).toContainEqual({
    table: 'quota_data',
    figure: 'quota',
    expected: '16',
    found: '16',
  });
  await withSite(async (storage) => {
    expect(await storage.logs.find(1)).toMatchObject({
      quota: 10,
      useTime: 2,
      isStream: true,
      requestId: 'r-1',
      type: 2,
    });
    expect(JSON.parse((await storage.logs.find(1))?.other ?? '')).toEqual({
      model_ratio: 1.25,
      ip: '192.0.2.7',
    });
    expect(await storage.logs.find(2)).toMatchObject({ type: 4, content: 'signed in' });
    expect(await storage.topUps.findByTradeNo('T1')).toMatchObject({
      moneyCents: 1460,
      quota: 1_000_000,
      finishTime: 9,
      status: 'success',
    });
    expect(await storage.topUps.findByTradeNo('T1_2')).toMatchObject({
      status: 'failed',
      paymentMethod: 'unknown',
      finishTime: 0,
    });
    expect(await storage.midjourneys.find(4)).toMatchObject({
      mjId: 'mj',
      prompt: 'a cat',
      quota: 9,
    });
    const unfinished = await storage.tasks.find(1);
    expect(unfinished).toMatchObject({ progress: '30%', data: '[{"id":1}]' });
    expect(JSON.parse(unfinished?.privateData ?? '')).toEqual({ upstream_task_id: 'new' });
    expect(await storage.tasks.find(2)).toMatchObject({ progress: '100%', status: 'FAILURE' });
  });
});

test('a dry run reports the same and makes nothing, not even a data folder', async () => {
  writeFamilyFile(file, 'newapi-0.6', commonRows);
  const dry = (await run('newapi', file, '--dry-run')).json<Report>();
  expect(dry).toMatchObject({ dry_run: true, proof: [] });
  expect(readdirSync(folder)).toEqual(['one-api.db']);
  const real = (await run('newapi', file)).json<Report>();
  expect(real.tables).toEqual(dry.tables);
});

test('a second run changes nothing', async () => {
  writeFamilyFile(file, 'newapi-0.6', commonRows);
  await run('newapi', file);
  // A user that was deleted here stays so.
  await withSite((storage) => storage.users.delete(2));
  const ledgerOf = (storage: OpenStorage) => storage.ledger.page({}, { offset: 0, limit: 100 });
  const before = await withSite(ledgerOf);
  const again = (await run('newapi', file)).json<Report>();
  for (const { carried } of again.tables) expect(carried).toBe(0);
  expect(again.tables.find(({ table }) => table === 'users')).toMatchObject({
    read: 5,
    already_there: 4,
    left_out: 1,
  });
  expect(notesOf(again, 'users')).toMatchObject({ deleted_here: ['2 alice'] });
  expect(await withSite(ledgerOf)).toEqual(before);
});

test('a second run on a site that has gone on touches nothing of its own, and reports what it leaves out', async () => {
  writeFamilyFile(file, 'newapi-0.6', commonRows);
  await run('newapi', file);
  const own = 'o'.repeat(48);
  await withSite((storage) =>
    storage.tokens.insertMany([
      { userId: 2, key: new Secret(own), name: 'own', createdTime: 5 },
      { userId: 2, key: new Secret('x'.repeat(48)), name: 'second', createdTime: 5 },
    ]),
  );
  rmSync(file);
  const token = (id: number, key: string) => ({
    id,
    user_id: 1,
    key,
    status: 1,
    name: `late ${id}`,
    remain_quota: 1,
    used_quota: 0,
  });
  const late = [token(4, 'l'.repeat(48)), token(9, own), token(10, 'n'.repeat(48))];
  writeFamilyFile(file, 'newapi-0.6', addRows(commonRows, { tokens: late }));
  const report = (await run('newapi', file)).json<Report>();
  expect(report.tables.find(({ table }) => table === 'tokens')).toMatchObject({
    carried: 1,
    left_out: 2,
    already_there: 3,
  });
  expect(notesOf(report, 'tokens')).toMatchObject({ id_taken: ['4'], duplicate_key: ['9'] });
  await withSite(async (storage) => {
    expect(await tokenOf(storage, own)).toMatchObject({ id: 4, userId: 2, name: 'own' });
    expect(await tokenOf(storage, 'n'.repeat(48))).toMatchObject({ id: 10, userId: 1 });
  });
  rmSync(file);
  const newcomer = {
    id: 6,
    username: 'newcomer',
    password: rootPassword.hash,
    quota: 1,
    used_quota: 0,
  };
  await withSite(async (storage) => {
    const fields = { role: 1, status: 1, group: 'default', createdAt: 0 };
    expect(
      await storage.users.insert({ username: 'somebody', passwordHash: new Secret(''), ...fields }),
    ).toBe(6);
  });
  writeFamilyFile(file, 'newapi-0.6', addRows(commonRows, { users: [newcomer] }));
  expect((await run('newapi', file)).failure()).toMatchObject({
    code: 'import_ids_taken',
    message: expect.stringContaining('6'),
  });
});

test('with --force names, addresses and keys that the site has already stay where they are', async () => {
  await withSite(async (storage) => {
    const fields = {
      role: 100,
      status: 1,
      group: 'default',
      createdAt: 0,
      email: 'alice@example.com',
      emailVerified: true,
    };
    const id = await storage.users.insert({
      username: 'ALICE',
      passwordHash: new Secret(''),
      affCode: 'AB12',
      ...fields,
    });
    expect(id).toBe(1);
    await storage.tokens.insert({
      userId: id,
      key: new Secret('L'.repeat(48)),
      name: 'own',
      createdTime: 5,
    });
  });
  const users = (commonRows['users'] ?? [])
    .filter(({ id }) => id === 2)
    .map((row) => ({ ...row, aff_code: 'AB12' }));
  writeFamilyFile(file, 'newapi-0.6', { ...commonRows, users });
  const report = (await run('newapi', file, '--force')).json<Report>();
  expect(notesOf(report, 'users')).toEqual({
    name_suffixed: ['2 alice → alice_2'],
    email_dropped: ['2 alice alice@example.com'],
    invite_code_dropped: ['2 alice'],
  });
  expect(notesOf(report, 'tokens')).toMatchObject({ id_taken: ['1'], duplicate_key: ['2'] });
  await withSite(async (storage) => {
    expect(await storage.users.findByUsername('alice')).toMatchObject({
      id: 1,
      email: 'alice@example.com',
    });
    expect(await storage.users.findByUsername('alice_2')).toMatchObject({
      id: 2,
      quota: -1_234,
      email: '',
    });
    expect(await tokenOf(storage, 'L'.repeat(48))).toMatchObject({ id: 1, userId: 1 });
  });
});

test('a site with users of its own is not touched without --force', async () => {
  writeFamilyFile(file, 'newapi-0.6', commonRows);
  await withSite(async (storage) => {
    const fields = { role: 100, status: 1, group: 'default', createdAt: 0 };
    await storage.users.insert({ username: 'owner', passwordHash: new Secret(''), ...fields });
  });
  const result = await run('newapi', file);
  expect(result.failure().code).toBe('import_target_not_empty');
  expect(result.exitCode).toBe(5);
  // The owner has id 1, as the source's root has.
  expect((await run('newapi', file, '--force')).failure()).toMatchObject({
    code: 'import_ids_taken',
  });
  rmSync(file);
  writeFamilyFile(file, 'newapi-0.6', {
    ...commonRows,
    users: (commonRows['users'] ?? []).slice(1),
  });
  expect((await run('newapi', file, '--force')).exitCode).toBe(0);
  await withSite(async (storage) => {
    expect((await storage.users.find(1))?.username).toBe('owner');
    expect((await storage.users.find(2))?.username).toBe('alice');
  });
});

test('the source file and its folder are unchanged, also with a write-ahead log', async () => {
  writeFamilyFile(file, 'newapi-0.6', commonRows);
  const writer = new BetterSqlite3(file);
  writer.pragma('journal_mode = WAL');
  writer.prepare(`UPDATE users SET quota = 7 WHERE id = 1`).run();
  const digest = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');
  const before = [digest(file), digest(`${file}-wal`)];
  expect((await run('newapi', file)).exitCode).toBe(0);
  expect([digest(file), digest(`${file}-wal`)]).toEqual(before);
  writer.close();
  expect(await withSite((storage) => storage.users.findByUsername('root'))).toMatchObject({
    quota: 7,
  });
});

test('sources that cannot be imported are refused with the reason, and nothing is made', async () => {
  const failureOf = async (family: string) => (await run(family, file)).failure();
  expect(await failureOf('newapi')).toMatchObject({
    code: 'import_source_unreadable',
    message: expect.stringContaining('no such file'),
  });
  writeFileSync(file, 'no database at all, but long enough to be looked at'.repeat(40));
  expect(await failureOf('newapi')).toMatchObject({
    code: 'import_source_unreadable',
    message: expect.stringContaining('not a database'),
  });
  rmSync(file);
  writeFamilyFile(file, 'oneapi-0.6', commonRows);
  expect(await failureOf('newapi')).toMatchObject({
    code: 'import_family_wrong',
    message: expect.stringContaining('import oneapi'),
  });
  const database = new BetterSqlite3(file);
  database.exec('CREATE TABLE prices (model TEXT)');
  expect(await failureOf('oneapi')).toMatchObject({
    code: 'import_family_wrong',
    message: expect.stringContaining('one-hub: use `turnpike import onehub`'),
  });
  database.exec('DROP TABLE prices');
  database.exec('ALTER TABLE tokens DROP COLUMN remain_quota');
  expect(await failureOf('oneapi')).toMatchObject({
    code: 'import_source_incomplete',
    message: expect.stringContaining('remain_quota'),
  });
  database.exec('DROP TABLE options; DROP TABLE channels');
  expect(await failureOf('oneapi')).toMatchObject({
    code: 'import_source_foreign',
    message: expect.stringContaining('channels, options'),
  });
  database.close();
  expect(readdirSync(folder)).toEqual(['one-api.db']);
});

test('a database of Turnpike is no source', async () => {
  await withSite(async () => {});
  const result = await run('newapi', join(dataDir, 'turnpike.db'));
  expect(result.failure()).toMatchObject({
    code: 'import_source_foreign',
    message: expect.stringContaining('turnpike.db'),
  });
});

test('a damaged file is refused before anything is read from it', async () => {
  writeFamilyFile(file, 'newapi-0.6', commonRows);
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(0xab, 8_192, bytes.length - 4_096));
  const result = await run('newapi', file);
  expect(result.failure().code).toBe('import_source_unreadable');
  expect(readdirSync(folder)).toEqual(['one-api.db']);
});

test('nothing is imported into a data folder that another process uses', async () => {
  writeFamilyFile(file, 'newapi-0.6', commonRows);
  await withSite(async () => {});
  const lock = lockDataFolder(dataDir);
  try {
    const result = await run('newapi', file);
    expect(result.failure().code).toBe('data_folder_locked');
    expect(result.exitCode).toBe(5);
  } finally {
    lock.release();
  }
});

test('an interrupted import leaves nothing behind, and the next one is complete', async () => {
  writeFamilyFile(file, 'newapi-0.6', commonRows);
  const stopped = await runCli(['import', 'newapi', file, '--data-dir', dataDir, '--json'], {
    stop: AbortSignal.abort(),
  });
  expect(stopped.failure().code).toBe('import_interrupted');
  expect(await withSite((storage) => storage.users.count())).toBe(0);
  expect((await run('newapi', file)).exitCode).toBe(0);
});
