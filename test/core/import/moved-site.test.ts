// Covers src/core/import/mapping.
/** A New API site after the move, as its customers and its operator use it over HTTP. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromBase32, totpCode } from '../../../src/core/accounts/factors/totp.ts';
import { loadConfig } from '../../../src/core/config/load.ts';
import { importSite } from '../../../src/core/import-site.ts';
import { systemClock } from '../../../src/core/kernel/clock.ts';
import { silentLogger } from '../../../src/core/kernel/logger.ts';
import { type Gateway, startGateway } from '../../../src/server/start.ts';
import {
  addRows,
  commonRows,
  type FamilyRow,
  rootPassword,
  writeFamilyFile,
} from '../../support/family-database.ts';
import { startUpstream, type TestUpstream } from '../../support/upstream.ts';

const now = Math.floor(Date.now() / 1000);
const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const customer = 'c'.repeat(48);

const user = (id: number, username: string, more: FamilyRow = {}): FamilyRow => ({
  id,
  username,
  password: rootPassword.hash,
  display_name: username,
  role: 1,
  status: 1,
  quota: 1_000_000,
  used_quota: 70,
  request_count: 2,
  group: 'default',
  aff_code: `aff${id}`,
  ...more,
});
const code = (id: number, letter: string, more: FamilyRow = {}): FamilyRow => ({
  id,
  user_id: 1,
  key: letter.repeat(32),
  status: 1,
  name: `code ${id}`,
  quota: 250_000,
  created_time: 5,
  ...more,
});
const log = (id: number, more: FamilyRow = {}): FamilyRow => ({
  id,
  user_id: 20,
  username: 'carol',
  created_at: now - 7_200,
  type: 2,
  quota: 35,
  model_name: 'gpt-4o-mini',
  token_name: 'main',
  token_id: 20,
  channel_id: 30,
  prompt_tokens: 10,
  completion_tokens: 5,
  group: 'vip',
  other: '{"model_ratio":0.075,"group_ratio":0.5,"completion_ratio":4}',
  ...more,
});

function siteRows(upstream: string) {
  return addRows(commonRows, {
    users: [
      user(20, 'carol', {
        group: 'vip',
        email: 'Carol@Example.com',
        access_token: 'z'.repeat(32),
        aff_quota: 600_000,
        aff_history: 600_000,
      }),
      user(21, 'dave'),
      user(22, '老用户', { status: 2 }),
    ],
    tokens: [
      {
        id: 20,
        user_id: 20,
        key: customer,
        status: 1,
        name: 'main',
        expired_time: -1,
        remain_quota: 500_000,
        used_quota: 70,
        created_time: 5,
      },
    ],
    channels: [
      {
        id: 30,
        type: 1,
        key: 'sk-up',
        status: 1,
        name: 'mini',
        base_url: upstream,
        models: 'gpt-4o-mini',
        group: 'default,vip',
      },
    ],
    options: [
      { key: 'GroupRatio', value: '{"default":1,"vip":0.5}' },
      { key: 'CompletionRatio', value: '{"gpt-4o-mini":4}' },
      { key: 'UserUsableGroups', value: '{"default":"默认分组","vip":"VIP"}' },
      { key: 'QuotaForInvitee', value: '100' },
      { key: 'Notice', value: 'Welcome back' },
      { key: 'billing_setting.billing_mode', value: '{"by-length":"tiered_expr"}' },
      {
        key: 'billing_setting.billing_expr',
        value:
          '{"by-length":"len <= 1000 ? tier(\\"a\\", p * 3 + c * 15) : tier(\\"b\\", p * 6 + c * 30)"}',
      },
    ],
    redemptions: [
      code(10, 'e'),
      code(11, 'f', { expired_time: 1_600_000_000 }),
      code(12, 'a', { status: 3 }),
      code(13, 'b', { deleted_at: '2025-04-11 23:31:32+08:00' }),
    ],
    logs: [
      log(1, { ip: '192.0.2.9' }),
      log(2),
      log(3, { type: 5, quota: 0, content: 'no channel' }),
    ],
    top_ups: [
      {
        id: 1,
        user_id: 20,
        amount: 2,
        money: 14.6,
        trade_no: 'T1',
        create_time: 5,
        status: 'success',
        payment_method: 'alipay',
      },
    ],
    two_fas: [{ id: 1, user_id: 21, secret, is_enabled: true }],
  });
}

describe('a New API site after the move', () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-moved-'));
  let upstream: TestUpstream;
  let gateway: Gateway;
  beforeAll(async () => {
    upstream = await startUpstream();
    const file = join(folder, 'one-api.db');
    const rows = siteRows(upstream.url);
    const options = (rows['options'] ?? []).map((row) =>
      row['key'] === 'ModelRatio' ? { ...row, value: '{"gpt-4o":1.25,"gpt-4o-mini":0.075}' } : row,
    );
    writeFamilyFile(file, 'newapi-1.0', { ...rows, options });
    const { config } = loadConfig({
      flags: { 'data-dir': join(folder, 'data'), port: 0, durability: 'normal' },
      environment: { GLOBAL_API_RATE_LIMIT_ENABLE: 'false', CRITICAL_RATE_LIMIT_ENABLE: 'false' },
      cwd: folder,
    });
    const { signal } = new AbortController();
    await importSite(
      {
        family: 'newapi',
        sourceName: file,
        force: false,
        clock: systemClock,
        signal,
        progress: () => {},
      },
      config,
    );
    gateway = await startGateway(config, { logger: silentLogger, version: 'test' });
  });
  afterAll(async () => {
    await gateway.close();
    await upstream.close();
    rmSync(folder, { recursive: true, force: true });
  });

  interface Reply {
    readonly success: boolean;
    readonly message: string;
    readonly data: unknown;
    readonly code?: unknown;
  }
  const call = async (
    method: string,
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ) => {
    const reply = await fetch(gateway.url + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return {
      cookie: reply.headers.get('set-cookie')?.split(';')[0] ?? '',
      json: (await reply.json()) as Reply,
    };
  };
  const signIn = async (username: string, id: number) => {
    const { cookie, json } = await call('POST', '/api/user/login', {
      username,
      password: rootPassword.text,
    });
    expect(json).toMatchObject({ success: true });
    return async (method: string, path: string, body?: object) =>
      (await call(method, path, body, { cookie, 'new-api-user': String(id) })).json;
  };

  test('visitors find the site set up, with its name and notice', async () => {
    expect((await call('GET', '/api/status')).json.data).toMatchObject({
      setup: true,
      system_name: 'Old site',
    });
    expect((await call('GET', '/api/notice')).json.data).toBe('Welcome back');
  });

  test('a customer signs in by email and finds balance, whole keys, logs, orders and the invite code', async () => {
    const carol = await signIn('carol@example.com', 20);
    expect((await carol('GET', '/api/user/self')).data).toMatchObject({
      username: 'carol',
      group: 'vip',
      quota: 1_000_000,
      used_quota: 70,
      request_count: 2,
      aff_quota: 600_000,
    });
    expect(JSON.stringify((await carol('GET', '/api/token/?p=0&size=10')).data)).toContain(
      customer,
    );
    const logs = JSON.stringify((await carol('GET', '/api/log/self?p=1&page_size=10')).data);
    expect(logs).toContain('gpt-4o-mini');
    expect(logs).toContain('no channel');
    expect(
      (await carol('GET', `/api/log/self/stat?type=2&start_timestamp=0&end_timestamp=${now}`)).data,
    ).toMatchObject({
      quota: 70,
    });
    expect((await carol('GET', '/api/user/aff')).data).toBe('aff20');
    expect(JSON.stringify((await carol('GET', '/api/topup?p=1')).data)).toContain('T1');
    expect(await carol('POST', '/api/user/aff_transfer', { quota: 500_000 })).toMatchObject({
      success: true,
    });
    expect((await carol('GET', '/api/user/self')).data).toMatchObject({
      quota: 1_500_000,
      aff_quota: 100_000,
    });
    expect(await carol('POST', '/api/token/', { name: 'new', remain_quota: 5 })).toMatchObject({
      success: true,
    });
  });

  test('codes are redeemed once; expired, used and deleted ones are not', async () => {
    const carol = await signIn('carol', 20);
    const redeem = async (letter: string) =>
      (await carol('POST', '/api/user/topup', { key: letter.repeat(32) })).success;
    expect([
      await redeem('e'),
      await redeem('e'),
      await redeem('f'),
      await redeem('a'),
      await redeem('b'),
    ]).toEqual([true, false, false, false, false]);
  });

  test('a request with the old key costs what it did: the model ratio by the ratio of the group', async () => {
    const before = (
      (await (await signIn('carol', 20))('GET', '/api/user/self')).data as { quota: number }
    ).quota;
    const client = new OpenAI({
      apiKey: `sk-${customer}`,
      baseURL: `${gateway.url}/v1`,
      maxRetries: 0,
    });
    const reply = await client.chat.completions.create({
      model: 'gpt-4o-mini',
      messages: [{ role: 'user', content: 'Hi' }],
    });
    expect(reply.choices[0]?.message.content).toBe('Hello from upstream');
    expect(upstream.requests.at(-1)?.headers.authorization).toBe('Bearer sk-up');
    const after = (
      (await (await signIn('carol', 20))('GET', '/api/user/self')).data as { quota: number }
    ).quota;
    // 1,000 prompt tokens, 400 of them cached at half the price, and 500 of completion at four
    // times.
    expect(before - after).toBe(Math.round((600 + 400 * 0.5 + 500 * 4) * 0.075 * 0.5));
    expect((await client.models.list()).data.map(({ id }) => id)).toContain('gpt-4o-mini');
  });

  test('a system access token, an invite code and an authenticator app go on working', async () => {
    const byToken = await call('GET', '/api/user/self', undefined, {
      authorization: 'z'.repeat(32),
      'new-api-user': '20',
    });
    expect(byToken.json.data).toMatchObject({ id: 20 });
    const account = {
      username: 'newcomer',
      password: 'a-good-password',
      password2: 'a-good-password',
      aff_code: 'aff21',
    };
    expect((await call('POST', '/api/user/register', account)).json).toMatchObject({
      success: true,
    });
    const first = await call('POST', '/api/user/login', {
      username: 'dave',
      password: rootPassword.text,
    });
    expect(first.json.success).toBe(false);
    const { challenge } = first.json.data as { challenge: string };
    const step = { challenge, code: totpCode(fromBase32(secret), Math.floor(Date.now() / 30_000)) };
    expect((await call('POST', '/api/turnpike/sign-in/second-factor', step)).json).toMatchObject({
      success: true,
    });
  });

  test('the operator signs in with the six old characters and finds users, channels, codes and prices', async () => {
    const root = await signIn('root', 1);
    const users = JSON.stringify((await root('GET', '/api/user/?p=1&page_size=50')).data);
    for (const name of ['carol', 'alice', 'Alice_2', '老用户', 'newcomer'])
      expect(users).toContain(name);
    expect(JSON.stringify((await root('GET', '/api/channel/?p=0&page_size=10')).data)).toContain(
      'mini',
    );
    expect(JSON.stringify((await root('GET', '/api/redemption/?p=1&page_size=10')).data)).toContain(
      'f'.repeat(32),
    );
    const options = (await root('GET', '/api/option/')).data as { key: string; value: string }[];
    expect(options.find(({ key }) => key === 'GroupRatio')?.value).toContain('0.5');
    // A model that was priced by an expression.
    const details = options.find(({ key }) => key === 'ModelPriceDetails')?.value ?? '{}';
    expect(JSON.parse(details)).toEqual({
      'by-length': { steps: [{ above: 1000, input: 2, output: 2 }], peakHours: [] },
    });
    expect(await root('GET', '/api/log/?p=1&page_size=10&username=carol')).toMatchObject({
      success: true,
    });
    expect(
      (await call('POST', '/api/user/login', { username: '老用户', password: rootPassword.text }))
        .json.success,
    ).toBe(false);
  });
});
