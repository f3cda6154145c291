import { describe, expect, it } from 'vitest';
import { startTestGateway } from '../../../support/gateway.ts';
import {
  bearer,
  cost,
  created,
  createRealtimeBench,
  done,
  model,
} from '../../../support/realtime-bench.ts';
import { openSocket, type SocketClient } from '../../../support/socket-client.ts';

const bench = createRealtimeBench();

describe('a realtime session that ends early', () => {
  const speech = {
    type: 'response.output_audio.delta',
    response_id: 'r1',
    delta: Buffer.alloc(48_000 * 3).toString('base64'),
  };
  const spoken = 42 * 16 * 2.5;

  it.each([
    ['closes the connection', (client: SocketClient) => client.socket.close()],
    ['is cut off', (client: SocketClient) => client.socket.terminate()],
  ])('charges what had come when the client %s, and hangs up on the upstream', async (_, leave) => {
    const customer = await bench.gateway.addCustomer(1_000_000);
    const { client, server } = await bench.start(customer.key);
    server.send(created('r1'));
    server.send(speech);
    await client.next();
    await client.next();
    leave(client);
    await server.closed;
    await expect.poll(() => bench.quotaOf(customer.userId)).toBe(1_000_000 - spoken);
    await bench.expectSettled(customer);
    const [log] = await bench.logsOf(customer.username);
    expect(log?.parsed).toMatchObject({
      ended: 'client_gone',
      usage_source: 'counted',
      audio_output: 42,
    });
  });

  it('charges what had come when the upstream is cut off, and passes the end on', async () => {
    const customer = await bench.gateway.addCustomer(1_000_000);
    const { client, server } = await bench.start(customer.key);
    server.send(created('r1'));
    server.send(speech);
    await client.next();
    await client.next();
    server.socket.terminate();
    expect(await client.closed).toMatchObject({ code: 1011 });
    expect(await bench.quotaOf(customer.userId)).toBe(1_000_000 - spoken);
    expect((await bench.logsOf(customer.username))[0]?.parsed).toMatchObject({
      ended: 'upstream_cut',
    });
    await bench.expectSettled(customer);
  });

  it('forwards the upstream’s close code and reason after the last charge', async () => {
    const customer = await bench.gateway.addCustomer(1_000_000);
    const { client, server } = await bench.start(customer.key);
    server.send(created('r1'));
    server.send(done('r1'));
    server.socket.close(4001, 'session expired');
    expect(await client.next()).toMatchObject({ type: 'response.created' });
    expect(await client.next()).toMatchObject({ type: 'response.done' });
    expect(await client.closed).toEqual({ code: 4001, reason: 'session expired' });
    expect(await bench.quotaOf(customer.userId)).toBe(1_000_000 - cost);
    expect((await bench.logsOf(customer.username))[0]?.parsed.ended).toBeUndefined();
  });

  it('aborts an upstream that stalls in the middle of a response', async () => {
    const customer = await bench.gateway.addCustomer(1_000_000);
    const { client, server } = await bench.start(customer.key);
    server.send(created('r1'));
    server.send(speech);
    await client.next();
    await client.next();
    expect(await client.next()).toMatchObject({
      type: 'error',
      error: { code: 'upstream_timeout' },
    });
    expect(await client.closed).toMatchObject({ code: 1011 });
    expect(await bench.quotaOf(customer.userId)).toBe(1_000_000 - spoken);
    expect((await bench.logsOf(customer.username))[0]?.parsed).toMatchObject({
      ended: 'idle_timeout',
    });
  });

  it('closes when a client sends more than the limit in one message', async () => {
    const small = await startTestGateway({ MAX_REQUEST_BODY_MB: '1' });
    try {
      await small.addChannel({ type: 1, baseUrl: bench.upstream.url, models: model });
      const customer = await small.addCustomer(1_000_000);
      const client = await openSocket(
        `${small.url.replace('http', 'ws')}/v1/realtime?model=${model}`,
        bearer(customer.key),
      );
      await client.next();
      client.send('x'.repeat(1024 * 1024 + 1));
      expect(await client.closed).toMatchObject({ code: 1009 });
      await bench.upstream.connections[0]?.closed;
    } finally {
      await small.close();
    }
  });

  it('ends when the upstream sends more than the limit in one message; one of that size is forwarded', async () => {
    const small = await startTestGateway({ MAX_STREAM_EVENT_MB: '1' });
    try {
      await small.addChannel({ type: 1, baseUrl: bench.upstream.url, models: model });
      const customer = await small.addCustomer(1_000_000);
      const client = await openSocket(
        `${small.url.replace('http', 'ws')}/v1/realtime?model=${model}`,
        bearer(customer.key),
      );
      await client.next();
      const server = bench.upstream.connections.at(-1);
      const overhead = JSON.stringify({ type: 'note', text: '' }).length;
      const ofBytes = (bytes: number) => ({ type: 'note', text: 'x'.repeat(bytes - overhead) });
      server?.send(ofBytes(1024 * 1024));
      expect(await client.next()).toMatchObject({ type: 'note' });
      server?.send(ofBytes(1024 * 1024 + 1));
      expect(await client.closed).toMatchObject({ code: 1011 });
    } finally {
      await small.close();
    }
  });
});

describe('charges of a realtime session', () => {
  it('is charged beyond the hold, then no response starts: the documented frame, and the connection closes', async () => {
    const customer = await bench.gateway.addCustomer(20_000);
    const { client, server } = await bench.start(customer.key);
    client.send({ type: 'response.create' });
    await server.next();
    server.send(created('r1'));
    server.send(
      done('r1', {
        input_tokens: 0,
        output_tokens: 1000,
        output_token_details: { audio_tokens: 1000 },
      }),
    );
    await client.next();
    expect(await client.next()).toMatchObject({ type: 'response.done' });
    expect(await bench.quotaOf(customer.userId)).toBe(20_000 - 40_000);
    client.send({ type: 'response.create' });
    const frame = await client.next();
    expect(frame).toMatchObject({
      type: 'error',
      error: { code: 'insufficient_user_quota', type: 'new_api_error' },
    });
    expect(frame['event_id']).toMatch(/^evt_\d{23}\w{8}$/);
    expect(await client.closed).toMatchObject({ code: 1008 });
    await server.closed;
    expect(await bench.quotaOf(customer.userId)).toBe(-20_000);
    expect((await bench.logsOf(customer.username))[0]?.parsed).toMatchObject({ debt: 20_000 });
  });

  it('ends where a budget is used up between two responses', async () => {
    const customer = await bench.gateway.addCustomer(1_000_000);
    const { budgets } = bench.gateway.client;
    const { id } = await budgets.create({
      owner: 'user',
      owner_id: String(customer.userId),
      amount: 20_000,
      period: 'day',
    });
    const { client, server } = await bench.start(customer.key);
    client.send({ type: 'response.create' });
    await server.next();
    server.send(created('r1'));
    server.send(
      done('r1', {
        input_tokens: 0,
        output_tokens: 1000,
        output_token_details: { audio_tokens: 1000 },
      }),
    );
    await client.next();
    expect(await client.next()).toMatchObject({ type: 'response.done' });
    client.send({ type: 'response.create' });
    expect(await client.next()).toMatchObject({
      type: 'error',
      error: { code: 'budget_exceeded' },
    });
    expect(await client.closed).toMatchObject({ code: 1008 });
    await server.closed;
    expect(await bench.quotaOf(customer.userId)).toBe(1_000_000 - 40_000);
    await budgets.remove({ id });
    await bench.expectSettled(customer);
  });

  it('is held for each of several parallel responses', async () => {
    const customer = await bench.gateway.addCustomer(1_000_000);
    const { client, server } = await bench.start(customer.key);
    expect(await bench.isHeld(customer.key)).toBe(true);
    server.send(created('r1'));
    server.send(created('r2'));
    await client.next();
    await client.next();
    server.send(done('r2'));
    await client.next();
    expect(await bench.isHeld(customer.key)).toBe(true);
    server.send(done('r1'));
    await client.next();
    // (500 + 1024 spoken × 8 × 2) × 2.5, each
    for (const log of await bench.logsOf(customer.username))
      expect(log.parsed.admin_info?.held).toBe(42_210);
    expect(await bench.quotaOf(customer.userId)).toBe(1_000_000 - 2 * cost);
    await bench.expectSettled(customer);
    client.socket.close();
    await client.closed;
  });

  it('is charged for responses that the upstream never announced', async () => {
    const customer = await bench.gateway.addCustomer(1_000_000);
    const { client, server } = await bench.start(customer.key);
    server.send(done('r1'));
    server.send(done('r2'));
    await client.next();
    await client.next();
    expect(await bench.quotaOf(customer.userId)).toBe(1_000_000 - 2 * cost);
    client.socket.close();
    await client.closed;
    await bench.expectSettled(customer);
  });

  it('is charged once for a response whose end comes twice, anew for one that begins anew', async () => {
    const customer = await bench.gateway.addCustomer(1_000_000);
    const { client, server } = await bench.start(customer.key);
    for (const event of [created('r1'), done('r1'), done('r1')]) server.send(event);
    for (let count = 0; count < 3; count++) await client.next();
    expect(await bench.quotaOf(customer.userId)).toBe(1_000_000 - cost);
    for (const event of [created('r1'), done('r1'), done('r1')]) server.send(event);
    for (let count = 0; count < 3; count++) await client.next();
    expect(await bench.quotaOf(customer.userId)).toBe(1_000_000 - 2 * cost);
    client.socket.close();
    await client.closed;
    await bench.expectSettled(customer);
  });

  it('is charged for each response of an upstream that names none', async () => {
    const customer = await bench.gateway.addCustomer(1_000_000);
    const { client, server } = await bench.start(customer.key);
    const { response } = done('r1');
    for (let count = 0; count < 2; count++)
      server.send({ type: 'response.done', response: { ...response, id: undefined } });
    for (let count = 0; count < 2; count++) await client.next();
    expect(await bench.quotaOf(customer.userId)).toBe(1_000_000 - 2 * cost);
    client.socket.close();
    await client.closed;
  });

  it('is held by the limit of the session, and without one after it was lifted', async () => {
    const customer = await bench.gateway.addCustomer(1_000_000);
    const { client, server } = await bench.start(customer.key);
    const answer = async (id: string, limit: number | 'inf') => {
      client.send({ type: 'session.update', session: { max_response_output_tokens: limit } });
      await server.next();
      server.send(created(id));
      server.send(done(id));
      await client.next();
      await client.next();
      const logs = await bench.logsOf(customer.username);
      return logs[0]?.parsed.admin_info?.held;
    };
    await answer('r1', 1);
    const [short = 0, whole = 0] = [await answer('r2', 1), await answer('r3', 'inf')];
    // 1023 tokens of speech more: × 8 × 2 × 2.5
    expect(whole - short).toBe(40_920);
    client.socket.close();
    await client.closed;
  });

  it('ends when the caller is banned between two responses', async () => {
    const customer = await bench.gateway.addCustomer(1_000_000);
    const { client, server } = await bench.start(customer.key);
    server.send(created('r1'));
    server.send(done('r1'));
    await client.next();
    await client.next();
    await bench.gateway.client.user.manage({ id: customer.userId, action: 'disable' });
    client.send({ type: 'response.create' });
    expect(await client.next()).toMatchObject({ type: 'error', error: { code: 'user_banned' } });
    expect(await client.closed).toMatchObject({ code: 1008 });
    await bench.gateway.client.user.manage({ id: customer.userId, action: 'enable' });
    await bench.expectSettled(customer);
    expect(await bench.quotaOf(customer.userId)).toBe(1_000_000 - cost);
  });
});

describe('client input and reading speed', () => {
  it('input is searched for forbidden words before it reaches an upstream', async () => {
    const customer = await bench.gateway.addCustomer(1_000_000);
    const { client, server } = await bench.start(customer.key);
    client.send({ type: 'session.update', session: { instructions: 'be kind' } });
    await server.next();
    client.send({
      type: 'conversation.item.create',
      item: { content: [{ type: 'input_text', text: 'a TEST_sensitive b' }] },
    });
    expect(await client.next()).toMatchObject({
      type: 'error',
      error: { code: 'sensitive_words_detected' },
    });
    expect(await client.closed).toMatchObject({ code: 1008 });
    await server.closed;
    await bench.expectSettled(customer);
  });

  it('a slow client slows the upstream down without loss', async () => {
    const customer = await bench.gateway.addCustomer(1_000_000);
    const { client, server } = await bench.start(customer.key);
    client.socket.pause();
    const frame = { type: 'x.noise', noise: 'x'.repeat(1024 * 1024) };
    let sent = 0;
    for (let count = 0; count < 48; count++)
      server.socket.send(JSON.stringify(frame), () => (sent += 1));
    let before = -1;
    await expect
      .poll(
        () => {
          const still = sent === before;
          before = sent;
          return still;
        },
        { interval: 200, timeout: 30_000 },
      )
      .toBe(true);
    expect(sent).toBeLessThan(48);
    client.socket.resume();
    for (let count = 0; count < 48; count++) expect((await client.next())['type']).toBe('x.noise');
    client.socket.close();
    await client.closed;
  });
});

describe('a gateway that stops', () => {
  it('finishes the running response and closes idle sessions at once', async () => {
    const own = await startTestGateway();
    await own.addChannel({ type: 1, baseUrl: bench.upstream.url, models: model });
    const customer = await own.addCustomer(1_000_000);
    const url = `${own.url.replace('http', 'ws')}/v1/realtime?model=${model}`;
    const quiet = await openSocket(url, bearer(customer.key));
    await quiet.next();
    const busy = await openSocket(url, bearer(customer.key));
    await busy.next();
    const server = bench.upstream.connections[1];
    server?.send(created('r1'));
    await busy.next();
    const stopped = own.close();
    expect(await quiet.closed).toMatchObject({ code: 1001 });
    expect(busy.socket.readyState).toBe(busy.socket.OPEN);
    server?.send(done('r1'));
    expect(await busy.next()).toMatchObject({ type: 'response.done' });
    expect(await busy.closed).toMatchObject({ code: 1001 });
    await stopped;
  });
});
