/**
 * A small wallet cannot order many images whose tokens cost more than it holds
 * (docs/rules/ledger.md#loss-bound).
 */
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { sendJson } from '../../../support/upstream.ts';
import { startRelay, upstream } from '../select/relay-support.ts';

test('images of a model with a ratio are ordered one at a time where their tokens exceed the wallet', async () => {
  const relay = await startRelay({ ModelRatio: '{"painter":1}', CompletionRatio: '{"painter":8}' });
  const { operator } = relay;
  const customer = (await operator.user.search({ keyword: 'customer' })).items[0];
  if (customer === undefined) throw new Error('the relay has a customer');
  await operator.user.update({ id: customer.id, quota: 30_000 });
  const vendor = await upstream();
  await relay.addChannel(vendor, { type: 1, models: 'painter' });
  const began = Promise.withResolvers<ServerResponse>();
  const drawn = (response: ServerResponse) =>
    sendJson(response, 200, {
      created: 1,
      data: [{ url: 'u' }],
      usage: { input_tokens: 10, output_tokens: 4160, total_tokens: 4170 },
    });
  vendor.answer(began.resolve, drawn);
  const order = () =>
    relay.post('/v1/images/generations', {
      model: 'painter',
      prompt: 'a lake',
      size: '1024x1024',
    });
  const first = order();
  const response = await began.promise;
  expect(await order()).toMatchObject({
    status: 429,
    json: { error: { code: 'small_hold_busy' } },
  });
  drawn(response);
  expect((await first).status).toBe(200);
  const [row] = (await operator.log.list({ type: 2 })).items;
  expect(row?.quota).toBe(10 + 4160 * 8);
  // In debt by a part of one request.
  expect((await operator.user.get({ id: customer.id })).quota).toBe(30_000 - 33_290);
});
