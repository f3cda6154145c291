/**
 * Two hundred parallel requests against small balances, over HTTP (docs/rules/ledger.md#admission).
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { chatReply, startUpstream, type TestUpstream } from '../support/upstream.ts';

let gateway: TestGateway;
let upstream: TestUpstream;

beforeAll(async () => {
  gateway = await startTestGateway();
  upstream = await startUpstream();
  await gateway.addChannel({ type: 1, baseUrl: upstream.url, models: 'per-call,gpt-4o' });
  await gateway.set('ModelPrice', { 'per-call': 0.01 });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const ask = (key: string, model: string, content: string, fields: object = {}) =>
  fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content }], ...fields }),
  }).then(async (reply) => ({
    status: reply.status,
    body: (await reply.json()) as { error?: { code: string } },
  }));

describe('a small balance', () => {
  it('pays for exactly ten of two hundred parallel requests', async () => {
    upstream.answer(async (response, request) => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      return chatReply()(response, request);
    });
    // 0.01 currency units are 5,000 quota: estimate and cost are equal.
    const { key, userId, username } = await gateway.addCustomer(50_000);
    upstream.requests.length = 0;
    const replies = await Promise.all(
      Array.from({ length: 200 }, () => ask(key, 'per-call', 'hi')),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(
      new Set(
        replies
          .filter(({ status }) => status !== 200)
          .map(({ status, body }) => `${status} ${body.error?.code}`),
      ),
    ).toEqual(new Set(['403 insufficient_user_quota']));
    expect(upstream.requests).toHaveLength(10);
    expect((await gateway.client.user.get({ id: userId })).quota).toBe(0);
    const { items, total } = await gateway.client.log.list({ username, type: 2 });
    expect([total, items.reduce((sum, row) => sum + row.quota, 0)]).toEqual([10, 50_000]);
    expect(await gateway.client.ledger.verify()).toMatchObject({ ok: true, drifts: [] });
  });

  it('is charged in full beyond the estimate, shows the debt and is refused from then on', async () => {
    upstream.answer(
      chatReply('much', { prompt_tokens: 50_000, completion_tokens: 20_000, total_tokens: 70_000 }),
    );
    const { key, userId, username } = await gateway.addCustomer(60_000);
    const replies = await Promise.all(
      Array.from({ length: 200 }, () => ask(key, 'gpt-4o', 'hi', { max_tokens: 1000 })),
    );
    const served = replies.filter(({ status }) => status === 200).length;
    expect(served).toBeGreaterThan(0);
    const quota = (await gateway.client.user.get({ id: userId })).quota;
    // (50,000 + 20,000 × 4) × 1.25 each
    expect(quota).toBe(60_000 - served * 162_500);
    const { items } = await gateway.client.log.list({ username, type: 2, page_size: 100 });
    expect(
      items.reduce(
        (debt, row) => debt + ((JSON.parse(row.other) as { debt?: number }).debt ?? 0),
        0,
      ),
    ).toBe(-quota);
    expect((await ask(key, 'gpt-4o', 'hi')).body.error?.code).toBe('insufficient_user_quota');
    expect(await gateway.client.ledger.verify()).toMatchObject({ ok: true, drifts: [] });
  });
});
