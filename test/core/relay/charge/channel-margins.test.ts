/** From a channel's cost to its margin: a request through the gateway. */
import { afterAll, beforeAll, expect, it } from 'vitest';
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
