/** OpenAI's own billing calls (docs/rules/usage-logs.md#billing-endpoints). */
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { chatReply, startUpstream, type TestUpstream } from '../../../support/upstream.ts';

const expiry = 4_000_000_000;
let gateway: TestGateway;
let upstream: TestUpstream;
let limited: string;
let unlimited: string;

async function ask(call: string, key: string) {
  const headers = { authorization: `Bearer ${key}` };
  const replies = await Promise.all(
    ['', '/v1'].map((prefix) =>
      fetch(`${gateway.url}${prefix}/dashboard/billing/${call}`, { headers }),
    ),
  );
  const [bare, versioned] = await Promise.all(
    replies.map((reply) => reply.json() as Promise<Record<string, unknown>>),
  );
  expect(bare).toEqual(versioned);
  return bare;
}

const limits = async (key: string) => {
  const {
    soft_limit_usd: soft,
    hard_limit_usd: hard,
    system_hard_limit_usd: system,
  } = (await ask('subscription', key)) ?? {};
  expect([hard, system]).toEqual([soft, soft]);
  return soft;
};

beforeAll(async () => {
  gateway = await startTestGateway();
  upstream = await startUpstream();
  await gateway.addChannel({ type: 1, baseUrl: upstream.url, models: 'fixed' });
  await gateway.set('ModelPrice', { fixed: 0.25 });
  const token = { unlimited_quota: false, remain_quota: 1_000_000, expired_time: expiry };
  const customer = await gateway.addCustomer(3_000_000, token);
  limited = customer.key;
  unlimited = `sk-${(await gateway.client.userTokens.create({ name: 'u', unlimited_quota: true, user: customer.username })).key}`;
  upstream.answer(chatReply());
  for (const key of [limited, unlimited]) {
    const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'fixed', messages: [{ role: 'user', content: 'Hi' }] }),
    });
    expect(reply.status).toBe(200);
    await reply.text();
  }
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

it('show the token’s limit and spending, in currency', async () => {
  expect(await ask('subscription', limited)).toEqual({
    object: 'billing_subscription',
    has_payment_method: true,
    soft_limit_usd: 2,
    hard_limit_usd: 2,
    system_hard_limit_usd: 2,
    access_until: expiry,
  });
  expect(await ask('usage?start_date=2030-01-01&end_date=2030-01-02', limited)).toEqual({
    object: 'list',
    total_usage: 25,
  });
});

it('show one large limit for tokens without a limit', async () => {
  expect(await ask('subscription', unlimited)).toMatchObject({
    hard_limit_usd: 100_000_000,
    access_until: 0,
  });
  expect(await ask('usage', unlimited)).toMatchObject({ total_usage: 25 });
});

it('show the owner’s figures where the site is configured so, and quota where it shows no currency', async () => {
  await gateway.set('DisplayTokenStatEnabled', false);
  expect([await limits(limited), await limits(unlimited)]).toEqual([6, 6]);
  expect(await ask('usage', limited)).toMatchObject({ total_usage: 50 });
  await gateway.set('DisplayInCurrencyEnabled', false);
  expect(await limits(limited)).toBe(3_000_000);
  await gateway.set('DisplayTokenStatEnabled', true);
  expect([await limits(limited), await limits(unlimited)]).toEqual([1_000_000, 100_000_000]);
});

it('need a key; other calls of theirs do not exist', async () => {
  const send = (path: string, key: string) =>
    fetch(gateway.url + path, { headers: { authorization: `Bearer ${key}` } });
  expect((await send('/dashboard/billing/usage', 'sk-nobody')).status).toBe(401);
  expect((await send('/v1/dashboard/billing/credit_grants', limited)).status).toBe(404);
});

describe('asked by OpenAI’s library', () => {
  beforeAll(() => gateway.set('DisplayInCurrencyEnabled', true));
  const clientOf = (key: string, base = '/v1') =>
    new OpenAI({ apiKey: key, baseURL: gateway.url + base, maxRetries: 0 });

  it('are plain objects, below /v1 and without it', async () => {
    for (const base of ['/v1', '']) {
      const client = clientOf(limited, base);
      expect(await client.get('/dashboard/billing/subscription')).toMatchObject({
        object: 'billing_subscription',
        hard_limit_usd: 2,
        access_until: expiry,
      });
      const query = { start_date: '2026-11-01', end_date: '2026-11-30' };
      expect(await client.get('/dashboard/billing/usage', { query })).toEqual({
        object: 'list',
        total_usage: 25,
      });
    }
  });

  it('are refused in OpenAI’s words', async () => {
    const nobody = clientOf('sk-nobody').get('/dashboard/billing/usage');
    await expect(nobody).rejects.toMatchObject({
      status: 401,
      error: { message: expect.any(String), type: expect.any(String) },
    });
    await expect(nobody).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
  });

  it('heed the addresses that a token may be used from', async () => {
    const { username } = await gateway.addCustomer(1000);
    const bound = async (allow_ips: string) =>
      `sk-${(await gateway.client.userTokens.create({ name: 'b', unlimited_quota: true, user: username, allow_ips })).key}`;
    await expect(
      clientOf(await bound('203.0.113.7')).get('/dashboard/billing/usage'),
    ).rejects.toMatchObject({ status: 403 });
    expect(
      await clientOf(await bound('127.0.0.0/8')).get('/dashboard/billing/usage'),
    ).toMatchObject({ total_usage: 0 });
  });

  it('are told also to a wallet and a token without quota', async () => {
    const spent = await gateway.addCustomer(0, { unlimited_quota: false, remain_quota: 0 });
    expect(await clientOf(spent.key).get('/dashboard/billing/subscription')).toMatchObject({
      hard_limit_usd: 0,
    });
  });
});
