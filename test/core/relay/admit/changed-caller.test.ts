/**
 * A token or its owner that changes while something is under way: what runs ends and is charged, the
 * next of it is refused (docs/rules/relay.md#token-checks).
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { expireSoon } from '../../../support/expire-token.ts';
import {
  bearer,
  cost,
  created,
  createRealtimeBench,
  done,
} from '../../../support/realtime-bench.ts';

import { responsesReply } from '../../../support/responses-upstream.ts';
import { openSocket, type SocketClient } from '../../../support/socket-client.ts';
import { type Answer, startUpstream, type TestUpstream } from '../../../support/upstream.ts';

type Customer = Awaited<
  ReturnType<ReturnType<typeof createRealtimeBench>['gateway']['addCustomer']>
>;

// A token takes a second or two to expire, during which answers are under way.
const bench = createRealtimeBench({ STREAMING_TIMEOUT: '60' });
const model = 'gpt-4o';
const funds = 1_000_000;
let upstream: TestUpstream;
beforeAll(async () => {
  upstream = await startUpstream();
  await bench.gateway.addChannel({ type: 1, baseUrl: upstream.url, models: model });
});
afterAll(() => upstream.close());
beforeEach(() => {
  upstream.requests.length = 0;
  upstream.answer(responsesReply());
});

const token = (fields: Record<string, unknown>) => (customer: Customer) =>
  bench.gateway.client.userTokens.update({ id: customer.tokenId, ...fields });
const user = (action: 'disable' | 'delete') => (customer: Customer) =>
  bench.gateway.client.user.manage({ id: customer.userId, action });

/** Its last second is a moment away. */
async function expire(customer: Customer): Promise<void> {
  await expireSoon(bench.gateway.client, customer.tokenId);
  const models = async () => codeIn(await fetch(url('/v1/models'), bearer(customer.key)));
  await expect.poll(models, { timeout: 20_000 }).toBe('token_expired');
}

/** What changes, and how the next request is refused. */
const changes: readonly (readonly [string, string, (customer: Customer) => Promise<unknown>])[] = [
  ['a token that expires', 'token_expired', expire],
  ['a token that is disabled', 'token_disabled', token({ status: 2 })],
  [
    'a token that is deleted',
    'token_unknown',
    ({ tokenId }) => bench.gateway.client.userTokens.remove({ id: tokenId }),
  ],
  ['another list of addresses', 'ip_not_allowed', token({ allow_ips: '192.0.2.1' })],
  ['a user who is banned', 'user_banned', user('disable')],
  ['a user who is deactivated', 'token_disabled', user('delete')],
];
const ofModels: typeof changes = [
  [
    'other models',
    'model_not_allowed',
    token({ model_limits_enabled: true, model_limits: 'another' }),
  ],
  ['a group that has no channel', 'no_channel', token({ group: 'vip' })],
];

function hold(reply: Answer): { readonly release: () => void } {
  const gate = Promise.withResolvers<void>();
  upstream.answer(async (response, request) => {
    await gate.promise;
    return reply(response, request);
  });
  return { release: gate.resolve };
}

const url = (path: string) => bench.gateway.url + path;
const post = (key: string, body: object) =>
  fetch(url('/v1/responses'), {
    method: 'POST',
    headers: { ...bearer(key).headers, 'content-type': 'application/json' },
    body: JSON.stringify({ model, input: 'hi', ...body }),
  });
const codeIn = async (reply: Response) =>
  ((await reply.json()) as { error?: { code?: string } }).error?.code;
const spent = async ({ userId }: Customer) => funds - (await bench.quotaOf(userId));
const forward = async () => {
  await vi.waitFor(() => expect(upstream.requests).toHaveLength(1));
};

describe.each([...changes, ...ofModels])('%s', (_, code, change) => {
  it('ends a realtime session at its next answer', async () => {
    const customer = await bench.gateway.addCustomer(funds);
    const { client, server } = await bench.start(customer.key);
    server.send(created('r1'));
    await client.next();
    await change(customer);
    // The answer under way is given and charged.
    server.send(done('r1'));
    expect(await client.next()).toMatchObject({ type: 'response.done' });
    client.send({ type: 'response.create' });
    expect(await client.next()).toMatchObject({ type: 'error', error: { code } });
    expect(await client.closed).toMatchObject({ code: code === 'no_channel' ? 1011 : 1008 });
    await server.closed;
    expect(await spent(customer)).toBe(cost);
  });

  it('refuses the next frame of a Responses socket', async () => {
    const customer = await bench.gateway.addCustomer(funds);
    const socket = await openSocket(
      url('/v1/responses').replace('http', 'ws'),
      bearer(customer.key),
    );
    const held = hold(responsesReply());
    const create = { type: 'response.create', model, input: 'hi' };
    socket.send(create);
    await forward();
    await change(customer);
    held.release();
    await read(socket, 'response.completed');
    const charged = await spent(customer);
    expect(charged).toBeGreaterThan(0);
    socket.send(create);
    expect(await socket.next()).toMatchObject({ type: 'error', error: { code } });
    socket.socket.close();
    await socket.closed;
    expect(upstream.requests).toHaveLength(1);
    expect(await spent(customer)).toBe(charged);
  });

  it('lets a stream end, which is charged', async () => {
    const customer = await bench.gateway.addCustomer(funds);
    const held = hold(responsesReply());
    const running = post(customer.key, { stream: true });
    await forward();
    await change(customer);
    held.release();
    expect(await (await running).text()).toContain('response.completed');
    expect(await spent(customer)).toBeGreaterThan(0);
    expect(await codeIn(await post(customer.key, {}))).toBe(code);
    expect(upstream.requests).toHaveLength(1);
  });
});

/** The frames up to one of a type. */
async function read(socket: SocketClient, type: string): Promise<void> {
  while ((await socket.next())['type'] !== type);
}

describe.each(changes)('%s', (_, code, change) => {
  it('shows no stored response and no conversation', async () => {
    const customer = await bench.gateway.addCustomer(funds);
    const { id } = (await (await post(customer.key, {})).json()) as { id: string };
    await change(customer);
    for (const [method, path] of [
      ['GET', `/v1/responses/${id}`],
      ['GET', `/v1/responses/${id}/input_items`],
      ['DELETE', `/v1/responses/${id}`],
      ['POST', '/v1/conversations'],
    ] as const)
      expect(await codeIn(await fetch(url(path), { method, ...bearer(customer.key) }))).toBe(code);
  });

  it('lets a background response end, which is charged and not shown', async () => {
    const customer = await bench.gateway.addCustomer(funds);
    const held = hold(responsesReply());
    const { id } = (await (await post(customer.key, { background: true })).json()) as {
      id: string;
    };
    await forward();
    await change(customer);
    held.release();
    await expect.poll(() => spent(customer), { timeout: 20_000 }).toBeGreaterThan(0);
    const path = `/v1/responses/${id}`;
    expect(await codeIn(await fetch(url(path), bearer(customer.key)))).toBe(code);
    const cancelled = await fetch(url(`${path}/cancel`), {
      method: 'POST',
      ...bearer(customer.key),
    });
    expect(await codeIn(cancelled)).toBe(code);
  });
});
