// Covers src/core/relay/realtime/turns.ts, turn-holds.ts
/**
 * A session keeps a hold ready for its next answer: what changes between the two counts for the answer
 * (docs/rules/realtime.md#realtime-turns).
 */
import { describe, expect, it, vi } from 'vitest';
import {
  bearer,
  cost,
  created,
  createRealtimeBench,
  done,
} from '../../../support/realtime-bench.ts';
import { openSocket } from '../../../support/socket-client.ts';

const bench = createRealtimeBench();
const model = 'gpt-4o-realtime-preview-2024-12-17';
const funds = 1_000_000;

interface Session {
  readonly key: string;
  readonly userId: number;
  readonly tokenId: number;
  readonly channelId: number;
}

const token = (fields: Record<string, unknown>) => (session: Session) =>
  bench.gateway.client.userTokens.update({ id: session.tokenId, ...fields });
const user = (action: 'disable' | 'delete') => (session: Session) =>
  bench.gateway.client.user.manage({ id: session.userId, action });
const budget =
  (fields: Record<string, unknown>) =>
  ({ userId }: Session) =>
    bench.gateway.client.budgets.create({
      owner: 'user',
      owner_id: String(userId),
      ...fields,
    });
const channel =
  (fields: Record<string, unknown>) =>
  ({ channelId }: Session) =>
    bench.gateway.client.channel.update({ id: channelId, ...fields });

/** All that a hold depends on. */
const changes: Readonly<
  Record<string, readonly [code: string, (session: Session) => Promise<unknown>]>
> = {
  'a token that is disabled': ['token_disabled', token({ status: 2 })],
  'a token that is deleted': [
    'token_unknown',
    ({ tokenId }) => bench.gateway.client.userTokens.remove({ id: tokenId }),
  ],
  'a token with less left': [
    'pre_consume_token_quota_failed',
    token({ unlimited_quota: false, remain_quota: 10 }),
  ],
  'a token for other addresses': ['ip_not_allowed', token({ allow_ips: '192.0.2.1' })],
  'a token for other models': [
    'model_not_allowed',
    token({ model_limits_enabled: true, model_limits: 'another' }),
  ],
  'a group that has no channel': ['no_channel', token({ group: 'vip' })],
  'a user who is banned': ['user_banned', user('disable')],
  'a user who is deactivated': ['token_disabled', user('delete')],
  'a balance that is taken away': [
    'insufficient_user_quota',
    ({ userId }) => bench.gateway.client.user.update({ id: userId, quota: 0 }),
  ],
  'a budget that is too small': ['budget_exceeded', budget({ amount: 10, period: 'day' })],
  'a budget that is closed': [
    'budget_closed',
    budget({ amount: funds, period: 'day', closed_days: '1,2,3,4,5,6,7' }),
  ],
  'a channel that is disabled': ['session_channel_gone', channel({ status: 2 })],
  'a channel of other groups': ['session_channel_gone', channel({ group: 'vip' })],
  'a channel of other models': ['session_channel_gone', channel({ models: 'another' })],
  'a channel that is deleted': [
    'session_channel_gone',
    ({ channelId }) => bench.gateway.client.channel.remove({ id: channelId }),
  ],
};

async function open() {
  const customer = await bench.gateway.addCustomer(funds);
  const channelId = await bench.gateway.addChannel({
    type: 1,
    baseUrl: bench.upstream.url,
    models: model,
  });
  const client = await openSocket(bench.address(model), bearer(customer.key));
  expect(await client.next()).toMatchObject({ type: 'session.created' });
  const server = bench.upstream.connections.at(-1);
  if (server === undefined) throw new Error('no upstream connection');
  return { session: { ...customer, channelId }, client, server };
}

async function close({ client, server, session }: Awaited<ReturnType<typeof open>>) {
  client.socket.close();
  await client.closed;
  await server.closed;
  await bench.gateway.client.channel.remove({ id: session.channelId }).catch(() => undefined);
}

describe('a hold that is ready', () => {
  it.each(Object.entries(changes))('is none any more after %s', async (_, [code, change]) => {
    const opened = await open();
    await change(opened.session);
    opened.server.send(created('r1'));
    expect(await opened.client.next()).toMatchObject({ type: 'error', error: { code } });
    if (code === 'session_channel_gone') await bench.expectSettled(opened.session);
    await close(opened);
  });

  it('serves the answer where nothing changed, and is one request of a rate', async () => {
    const opened = await open();
    const { client, server, session } = opened;
    await bench.gateway.client.budgets.create({
      owner: 'user',
      owner_id: String(session.userId),
      period: 'none',
      requests_per_minute: 2,
    });
    const answer = async (id: string) => {
      server.send(created(id));
      expect(await client.next()).toMatchObject({ type: 'response.created' });
      server.send(done(id));
      expect(await client.next()).toMatchObject({ type: 'response.done' });
    };
    // The hold of the opening is exchanged for one that counts; the next one is another.
    await answer('r1');
    client.send({ type: 'response.create' });
    await server.next();
    await answer('r2');
    client.send({ type: 'response.create' });
    expect(await client.next()).toMatchObject({ type: 'error', error: { code: 'rate_requests' } });
    expect(await bench.quotaOf(session.userId)).toBe(funds - 2 * cost);
    await close(opened);
  });

  it('counts in the minute in which the answer begins', async () => {
    const opened = await open();
    const { client, server, session } = opened;
    await bench.gateway.client.budgets.create({
      owner: 'user',
      owner_id: String(session.userId),
      period: 'none',
      requests_per_minute: 1,
    });
    server.send(created('r1'));
    await client.next();
    server.send(done('r1'));
    await client.next();
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      vi.setSystemTime(Date.now() + 62_000);
      client.send({ type: 'response.create' });
      await server.next();
      // A minute later nothing counts any more but what begins now.
      vi.setSystemTime(Date.now() + 62_000);
      server.send(created('r2'));
      await client.next();
      const { status } = await fetch(`${bench.gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { ...bearer(session.key).headers, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'gpt-4', messages: [{ role: 'user', content: 'Hi' }] }),
      });
      expect(status).toBe(429);
    } finally {
      vi.useRealTimers();
    }
    await close(opened);
  });
});
