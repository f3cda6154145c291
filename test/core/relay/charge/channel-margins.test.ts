/** From a channel's cost to its margin: a request through the gateway. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readLogOther } from '../../../../src/core/contract/log-other.ts';
import { codeOf } from '../../../support/app.ts';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import { chatReply, startUpstream, type TestUpstream } from '../../../support/upstream.ts';

let gateway: TestGateway;
let upstream: TestUpstream;
beforeAll(async () => {
  gateway = await startTestGateway();
  upstream = await startUpstream();
  upstream.answer(chatReply());
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

it('a cost applies to requests from then on, and is refused with its place', async () => {
  await gateway.addChannel({ type: 1, baseUrl: upstream.url, models: 'fixed' });
  await gateway.set('ModelPrice', { fixed: 0.25 });
  const { key } = await gateway.addCustomer(3_000_000);
  const chat = async () => {
    const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'fixed', messages: [{ role: 'user', content: 'Hi' }] }),
    });
    expect(reply.status).toBe(200);
    await reply.text();
  };
  const { channel, data } = gateway.client;
  await chat();
  expect((await data.margins({})).channels).toMatchObject([
    { channel: 1, quota: 125_000, cost: null, names_cost: false },
  ]);

  expect(await codeOf(channel.update({ id: 1, cost: '{"ratio":"a third"}' }))).toBe(
    'channel_rule_invalid',
  );
  await channel.update({ id: 1, cost: '{"ratio":0.3,"rate":7.3}' });
  await chat();
  const [margins] = (await data.margins({})).channels;
  // 125,000 × 0.3 ÷ 7.3
  expect(margins).toMatchObject({
    count: 2,
    quota: 250_000,
    costed_count: 1,
    costed_quota: 125_000,
    cost: 5136.986,
  });
  expect(margins?.models).toMatchObject([{ model_name: 'fixed', margin: 119_863.014 }]);
});

it.each([false, true])(
  'a cost that xAI states counts, and marks what was sold below it (%s)',
  async (stream) => {
    // Ticks are ten billion to the dollar; the site sells the reply for 1,500 quota.
    const model = stream ? 'grok-4.7' : 'grok-4.6';
    const usage = { prompt_tokens: 1000, completion_tokens: 500, total_tokens: 1500 };
    const stating = (ticks: number) => chatReply('ok', { ...usage, cost_in_usd_ticks: ticks });
    const id = await gateway.addChannel({ type: 48, baseUrl: upstream.url, models: model });
    await gateway.set('ModelRatio', { [model]: 1 });
    await gateway.set('CompletionRatio', { [model]: 1 });
    const { key, username } = await gateway.addCustomer(3_000_000);
    const costing = async (ticks: number) => {
      upstream.answer(stating(ticks));
      const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          model,
          messages: [{ role: 'user', content: 'Hi' }],
          ...(stream ? { stream, stream_options: { include_usage: true } } : {}),
        }),
      });
      await reply.text();
      const { items } = await gateway.client.log.list({ username, type: 2 });
      return readLogOther(items[0]?.other ?? '').admin_info?.below_cost;
    };
    expect(await costing(20_000_000)).toBeUndefined();
    // $0.0040005
    expect(await costing(40_005_000)).toBe(2000.25);
    const { channels } = await gateway.client.data.margins({});
    expect(channels.find(({ channel }) => channel === id)).toMatchObject({
      names_cost: false,
      count: 2,
      costed_count: 2,
      quota: 3000,
      cost: 3000.25,
      margin: -0.25,
    });
  },
);
