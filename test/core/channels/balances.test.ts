/**
 * Balances at real upstreams: each vendor's own call, at the channel's own address and through its
 * proxy.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createTestApp } from '../../support/app.ts';
import { errorReply, sendJson, startUpstream, type TestUpstream } from '../../support/upstream.ts';
import { startSocksProxy } from '../upstream/support/proxies.ts';

let upstream: TestUpstream;
let replies: Record<string, unknown> = {};
beforeAll(async () => {
  upstream = await startUpstream();
});
afterAll(() => upstream.close());
beforeEach(() => {
  upstream.requests.length = 0;
  upstream.answer((response, request) => {
    const body = replies[request.path.split('?')[0] ?? ''];
    sendJson(
      response,
      body === undefined ? 404 : 200,
      body ?? { error: { message: 'nothing here' } },
    );
  });
});

const dashboard = (limit: number, cents: number) => ({
  '/v1/dashboard/billing/subscription': { hard_limit_usd: limit, has_payment_method: true },
  '/v1/dashboard/billing/usage': { total_usage: cents },
});

async function setUp(fields: Record<string, unknown> = {}, options: Record<string, boolean> = {}) {
  const { app, operator, clock } = await createTestApp();
  for (const [key, value] of Object.entries(options)) await operator.option.set({ key, value });
  const add = async (more: Record<string, unknown> = {}) => {
    const { ids } = await operator.channel.create({
      name: 'c',
      type: 1,
      key: 'k',
      models: 'm',
      base_url: upstream.url,
      ...fields,
      ...more,
    });
    return ids[0] ?? 0;
  };
  const readAll = async () => {
    await operator.channel.updateAllBalances({});
    await app.channels.accounts.finished();
  };
  return { app, operator, clock, add, readAll, id: await add() };
}

describe('one', () => {
  it.each<[string, number, Record<string, unknown>, number, string]>([
    ['OpenAI', 1, dashboard(100, 2550), 74.5, 'USD'],
    ['Custom', 8, dashboard(5, 0), 5, 'USD'],
    [
      'OpenRouter',
      20,
      { '/v1/credits': { data: { total_credits: 10, total_usage: 2.5 } } },
      7.5,
      'USD',
    ],
    [
      'SiliconCloud',
      40,
      { '/v1/user/info': { code: 20000, data: { totalBalance: '8.25' } } },
      8.25,
      'CNY',
    ],
    [
      'DeepSeek',
      43,
      {
        '/user/balance': {
          balance_infos: [
            { currency: 'USD', total_balance: '1.00' },
            { currency: 'CNY', total_balance: '110.50' },
          ],
        },
      },
      110.5,
      'CNY',
    ],
    [
      'DeepSeek abroad',
      43,
      { '/user/balance': { balance_infos: [{ currency: 'USD', total_balance: '4.00' }] } },
      4,
      'USD',
    ],
  ])('%s, with its currency', async (_, type, bodies, balance, currency) => {
    replies = bodies;
    const baseUrl = type === 8 ? `${upstream.url}/v1/chat/completions` : upstream.url;
    const { operator, clock, id } = await setUp({ type, base_url: baseUrl });
    expect(await operator.channel.updateBalance({ id })).toEqual({
      success: true,
      message: '',
      balance,
      currency,
    });
    expect(await operator.channel.get({ id })).toMatchObject({
      balance,
      balance_currency: currency,
      balance_updated_time: clock.now() / 1000,
    });
    expect(upstream.requests.every(({ headers }) => headers['authorization'] === 'Bearer k')).toBe(
      true,
    );
  });

  it('sends the request through the channel’s proxy, with its headers', async () => {
    replies = dashboard(1, 0);
    const proxy = await startSocksProxy();
    const setting = JSON.stringify({
      proxy: `socks5://user:secret@127.0.0.1:${proxy.port}`,
      header_override: { 'X-Tenant': 't', Authorization: 'Token {api_key}' },
    });
    const { operator, id } = await setUp({ setting });
    await operator.channel.updateBalance({ id });
    expect(proxy.targets).toContain(new URL(upstream.url).host);
    expect(upstream.requests[0]?.headers).toMatchObject({
      'x-tenant': 't',
      authorization: 'Token k',
    });
  });

  it('repeats the words of an upstream that says no, without the key in them', async () => {
    const refusing = await startUpstream();
    onTestFinished(() => refusing.close());
    refusing.answer(errorReply(401, { message: 'Wrong key sk-long-key, see our site', code: 'x' }));
    const { operator } = await createTestApp();
    const asked = operator.channel.previewModels({
      type: 1,
      base_url: refusing.url,
      key: 'sk-long-key',
    });
    const message = await asked.catch((error: Error) => error.message);
    expect(message).toMatch(/401[:：] ?Wrong key \S+, see our site$/);
    expect(message).not.toContain('sk-long-key');
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['an upstream that says no', {}, 'bad_response_status_code'],
    [
      'an answer without a figure',
      { '/v1/dashboard/billing/subscription': {}, '/v1/dashboard/billing/usage': {} },
      'bad_response_body',
    ],
  ])('%s is an error and keeps the stored balance', async (_, bodies, code) => {
    replies = dashboard(3, 0);
    const { operator, id } = await setUp();
    await operator.channel.updateBalance({ id });
    replies = bodies;
    await expect(operator.channel.updateBalance({ id })).rejects.toMatchObject({ code });
    expect(await operator.channel.get({ id })).toMatchObject({ balance: 3, status: 1 });
  });

  it('is an error if the vendor reports none', async () => {
    const { operator, id } = await setUp({ type: 14 });
    await expect(operator.channel.updateBalance({ id })).rejects.toMatchObject({
      code: 'channel_balance_unsupported',
    });
  });
});

describe('all', () => {
  it('all enabled channels are read, also after one fails', async () => {
    replies = dashboard(10, 100);
    const { operator, add, readAll, id } = await setUp(
      {},
      { AutomaticDisableChannelEnabled: true },
    );
    const off = await add();
    await operator.channel.update({ id: off, status: 2 });
    await operator.channel.update({ id, base_url: 'http://127.0.0.1:1' });
    const last = await add();
    await readAll();
    const balanceOf = async (which: number) =>
      (await operator.channel.get({ id: which })).balance_updated_time > 0;
    expect([await balanceOf(id), await balanceOf(off), await balanceOf(last)]).toEqual([
      false,
      false,
      true,
    ]);
    expect((await operator.channel.get({ id })).status).toBe(1);
  });

  it.each([
    ['both switches allow it', true, 1, 3],
    ['the site does not', false, 1, 1],
    ['the channel does not', true, 0, 1],
  ])('an empty account disables its channel: %s', async (_, site, auto_ban, status) => {
    replies = dashboard(1, 100);
    const { operator, readAll, id } = await setUp(
      { auto_ban },
      { AutomaticDisableChannelEnabled: site },
    );
    await readAll();
    const channel = await operator.channel.get({ id });
    expect(channel).toMatchObject({ status, balance: 0, balance_currency: 'USD' });
    if (status === 3)
      expect(JSON.parse(channel.other_info)).toMatchObject({
        status_reason: '余额不足',
        balance_currency: 'USD',
      });
  });

  it('an administrator ends the run, and the reading under way counts for nothing', async () => {
    const { operator, add, id } = await setUp();
    await add();
    const asked = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    upstream.answer((response) => {
      response.on('close', left.resolve);
      asked.resolve();
    });
    await operator.channel.updateAllBalances({});
    await asked.promise;
    const report = await operator.channelRuns.stopBalances({});
    expect(report).toMatchObject({ running: false, total: 2, done: 0, failed: 0 });
    await left.promise;
    expect(upstream.requests).toHaveLength(1);
    expect(await operator.channel.get({ id })).toMatchObject({ balance_updated_time: 0 });
    // The next run is not cancelled.
    upstream.answer((response) => sendJson(response, 404, {}));
    await operator.channel.updateAllBalances({});
    await vi.waitFor(async () =>
      expect((await operator.channelRuns.get({})).balances).toMatchObject({
        running: false,
        failed: 2,
      }),
    );
  });

  it('concurrent calls read them once', async () => {
    replies = dashboard(1, 0);
    const { app, clock, operator, readAll } = await setUp();
    await operator.channel.updateAllBalances({});
    await readAll();
    expect(upstream.requests).toHaveLength(2);
    const now = clock.now() / 1000;
    await app.storage.locks.acquire('channel-balance', 'another node', now, now + 60, now + 600);
    await readAll();
    expect(upstream.requests).toHaveLength(2);
  });
});
