/**
 * A channel that is set to it stops when another model replies than the one that was requested
 * (docs/rules/channel-rules.md#stop-on-other-model).
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CallBench, startCallBench } from '../../../support/calls.ts';
import { callersBothWays, question } from '../../../support/five-callers.ts';
import {
  chatReply,
  sendJson,
  startUpstream,
  type TestUpstream,
} from '../../../support/upstream.ts';
import { vendorReply } from '../../../support/vendor-replies.ts';

const stops = JSON.stringify({ stop_on_other_model: true });
const usage = { prompt: 100, output: 10 };

let bench: CallBench;
let receiver: TestUpstream;
let customer: Awaited<ReturnType<CallBench['gateway']['addCustomer']>>;
beforeAll(async () => {
  bench = await startCallBench('none', { FETCH_ALLOW_HOSTS: '127.0.0.1' });
  receiver = await startUpstream();
  receiver.answer((response) => sendJson(response, 200, { success: true }));
  await bench.gateway.client.self.updateSetting({
    notify_type: 'webhook',
    webhook_url: receiver.url,
    webhook_secret: 'secret',
  });
  customer = await bench.gateway.addCustomer(1e12);
});
afterAll(() => Promise.all([bench.close(), receiver.close()]));
beforeEach(() => {
  receiver.requests.length = 0;
});

async function addChannel(type: number, models: string, setting: string): Promise<number> {
  return bench.gateway.addChannel({ type, baseUrl: bench.upstream.url, models, setting });
}

const statusOf = async (id: number) => (await bench.gateway.client.channel.get({ id })).status;
const remove = (id: number) => bench.gateway.client.channel.remove({ id });

/** The gateway has done what follows a reply once its row is there. */
async function ask(
  ...[caller, stream, model]: readonly [...(typeof callersBothWays)[number], string]
) {
  const { path, body } = question(caller, model, stream);
  const reply = await bench.post(path, customer.key, JSON.stringify(body));
  return [reply.status, await reply.text()] as const;
}

describe.each([
  ['gpt-5.5', 1, 'gpt-5.4-mini'],
  ['claude-opus-5-5', 14, 'claude-haiku-5-5'],
])('%s', (model, type, other) => {
  it.each(callersBothWays)('of another model stops for %s callers, streamed %s', async (...how) => {
    const id = await addChannel(type, model, stops);
    bench.upstream.answer((response, request) => {
      // The vendor serves something cheaper.
      const named = { ...request, json: { ...request.json, model: other } };
      return vendorReply(usage)(response, named);
    });
    expect(await ask(...how, model)).toEqual([200, expect.stringContaining('ok')]);
    await expect.poll(() => statusOf(id)).toBe(3);
    const { other_info } = await bench.gateway.client.channel.get({ id });
    expect(JSON.parse(other_info)).toMatchObject({
      status_reason: `请求的是 ${model}，回复的却是 ${other}`,
    });
    await expect
      .poll(() => receiver.requests.map(({ json }) => json['type']))
      .toEqual([`channel_update_${id}_3`]);
    // What was delivered is charged.
    const { row, other: logged } = await bench.newestLog(customer.username);
    expect(Number(row['quota'])).toBeGreaterThan(0);
    expect(JSON.stringify(logged)).toContain(`"replied_model":"${other}","other_model":true`);
    expect((await ask(...how, model))[0]).toBe(503);
    await remove(id);
  });
});

describe('nothing stops', () => {
  const model = 'gpt-5.5';

  it.each([
    ['a channel that is not set to it', '', 'gpt-5.4-mini'],
    ['a reply of the model itself', stops, model],
    ['a dated name of the model', stops, 'gpt-5.5-2026-04-23'],
    ['a name that nobody knows', stops, 'house-special'],
  ])('%s', async (_what, setting, replied) => {
    const id = await addChannel(1, model, setting);
    bench.upstream.answer((response, request) => {
      const named = { ...request, json: { ...request.json, model: replied } };
      return vendorReply(usage)(response, named);
    });
    expect((await ask('chat', false, model))[0]).toBe(200);
    expect((await ask('messages', true, model))[0]).toBe(200);
    expect(await statusOf(id)).toBe(1);
    expect(receiver.requests).toEqual([]);
    await remove(id);
  });
});

it('a test of such a channel fails, and does not enable it again', async () => {
  await bench.gateway.set('AutomaticEnableChannelEnabled', true);
  const id = await addChannel(1, 'gpt-4o', stops);
  bench.upstream.answer((response, request) =>
    chatReply()(response, { ...request, json: { ...request.json, model: 'gpt-4o-mini' } }),
  );
  expect((await ask('chat', false, 'gpt-4o'))[0]).toBe(200);
  await expect.poll(() => statusOf(id)).toBe(3);
  const test = await bench.gateway.client.channel.test({ id });
  expect(test).toMatchObject({ success: false, message: expect.stringContaining('gpt-4o-mini') });
  expect(await statusOf(id)).toBe(3);
});
