/** A gateway that is drained (docs/rules/process.md#drain). */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type CallBench, startCallBench, startQuota } from '../support/calls.ts';
import { openSocket, refusedSocket } from '../support/socket-client.ts';
import { chatReply } from '../support/upstream.ts';

let bench: CallBench;
beforeAll(async () => {
  bench = await startCallBench('gpt-4o-mini');
});
afterAll(() => bench.close());

const chat = (stream: boolean) =>
  JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Hi' }], stream });
const ready = async () => {
  const reply = await fetch(`${bench.gateway.url}/readyz`);
  return { code: reply.status, ...((await reply.json()) as object) };
};
const list = async () => (await bench.gateway.client.nodes.list())[0];

it('is left by balancers, answers what reaches it, and takes work again', async () => {
  const { client, url } = bench.gateway;
  const { key, userId } = await bench.gateway.addCustomer(startQuota);
  const id = (await list())?.id ?? '';
  expect(await list()).toMatchObject({ state: 'serving', stopping: false, under_way: 0 });

  let goOn = () => {};
  const held = new Promise<void>((resolve) => (goOn = resolve));
  bench.upstream.answer(async (response, request) => {
    await held;
    return chatReply('kept')(response, request);
  }, chatReply('hello'));
  const slow = bench.post('/v1/chat/completions', key, chat(true));
  await vi.waitFor(() => expect(bench.upstream.requests).toHaveLength(1));
  const socketUrl = `${url.replace('http', 'ws')}/v1/responses`;
  const options = { headers: { authorization: `Bearer ${key}`, 'accept-language': 'en' } };
  const socket = await openSocket(socketUrl, options);

  const drained = await client.nodes.drain({ node: id });
  expect(drained).toMatchObject([{ id, state: 'draining', stopping: false }]);
  expect(await ready()).toEqual({
    code: 503,
    status: 'unavailable',
    checks: { accepting: false, database: true, ledger: true },
  });
  expect(await socket.closed).toMatchObject({ code: 1001 });
  const refused = await refusedSocket(socketUrl, options);
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
  expect(refused.body).toMatchObject({ error: { code: 'shutting_down' } });
  // It may be that a balancer has not noticed yet.
  for (const stream of [false, true]) {
    const late = await bench.post('/v1/chat/completions', key, chat(stream));
    expect([stream, late.status, late.headers.get('connection')]).toEqual([stream, 200, 'close']);
    expect(await late.text()).toMatch(/hello/);
  }
  expect((await fetch(`${url}/api/status`)).status).toBe(200);
  await vi.waitFor(async () =>
    expect(await list()).toMatchObject({ state: 'draining', under_way: 1 }),
  );
  goOn();
  const reply = await slow;
  expect(reply.status).toBe(200);
  expect(await reply.text()).toMatch(/kept[\s\S]*\[DONE\]/);
  await vi.waitFor(async () => expect((await list())?.under_way).toBe(0));

  expect(await client.nodes.resume({ node: id })).toMatchObject([{ id, state: 'serving' }]);
  expect((await ready()).code).toBe(200);
  const again = await openSocket(socketUrl, options);
  again.socket.close();
  expect((await bench.post('/v1/chat/completions', key, chat(false))).status).toBe(200);
  expect(await bench.spent(userId)).toBeGreaterThan(0);
  const { items } = await client.audit.list({});
  expect(items.slice(0, 2).map(({ action }) => action)).toEqual(['node.resume', 'node.drain']);
});

it('one that does not run is not found, and nothing is written', async () => {
  const { client } = bench.gateway;
  const before = (await client.audit.list({})).total;
  await expect(client.nodes.drain({ node: 'nobody' })).rejects.toMatchObject({
    code: 'not_found',
    message: 'Not found: nobody',
  });
  await expect(client.nodes.drain({ node: '' })).rejects.toMatchObject({
    code: 'invalid_parameter',
  });
  expect((await client.audit.list({})).total).toBe(before);
  expect((await ready()).code).toBe(200);
});
