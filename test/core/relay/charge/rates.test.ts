/** Requests and tokens per minute, and requests at once (docs/rules/budgets.md#rates). */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { callerFormats } from '../../../../src/core/relay/formats/index.ts';
import { taskRoutes } from '../../../../src/core/relay/tasks/index.ts';
import { startTestGateway, type TestGateway } from '../../../support/gateway.ts';
import {
  paidChat as chat,
  paidModel as model,
  ofFormats,
  ofTasks,
} from '../../../support/paid-routes.ts';
import { openSocket, refusedSocket } from '../../../support/socket-client.ts';
import {
  chatReply,
  chatStream,
  errorReply,
  startUpstream,
  type TestUpstream,
} from '../../../support/upstream.ts';

let gateway: TestGateway;
let upstream: TestUpstream;

beforeAll(async () => {
  upstream = await startUpstream();
  gateway = await startTestGateway();
  await gateway.set('ModelRatio', { [model]: 1, other: 1 });
  await gateway.set('ModelPrice', { 'dall-e-3': 0.01, suno_music: 0.01, mj_imagine: 0.01 });
  await gateway.set('RetryTimes', 0);
  await gateway.set('DrawingEnabled', true);
  await gateway.addChannel({
    type: 1,
    baseUrl: upstream.url,
    models: `${model},other,dall-e-3,suno_music,mj_imagine`,
  });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});
beforeEach(() => {
  upstream.answer(chatReply());
  upstream.requests.length = 0;
});

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

function post(
  path: string,
  headers: Record<string, string>,
  body: unknown = chat,
  signal?: AbortSignal,
): Promise<Response> {
  const isForm = body instanceof FormData;
  return fetch(gateway.url + path, {
    method: 'POST',
    headers: {
      'accept-language': 'en',
      ...(isForm ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: isForm ? body : JSON.stringify(body),
    ...(signal && { signal }),
  });
}
const talk = (key: string, body: unknown = chat, signal?: AbortSignal) =>
  post('/v1/chat/completions', bearer(key), body, signal);

/** A customer whose requests have a rate. */
async function addRated(fields: Record<string, unknown>) {
  const customer = await gateway.addCustomer(10_000_000);
  const budget = await gateway.client.budgets.create({
    owner: 'user',
    owner_id: String(customer.userId),
    period: 'none',
    name: 'slow lane',
    ...fields,
  });
  const used = async () =>
    (await gateway.client.budgets.status({ page_size: 100 })).items.find(
      ({ id }) => id === budget.id,
    )?.rates_used;
  return { ...customer, budget, used };
}

/** One whose only request of this minute was made. */
async function addExhausted() {
  const rated = await addRated({ requests_per_minute: 1 });
  expect((await talk(rated.key)).status).toBe(200);
  upstream.requests.length = 0;
  return rated;
}

describe('a rate that is used up', () => {
  it.each(Object.entries(ofFormats))('refuses %s before any vendor is called', async (_, route) => {
    const { key } = await addExhausted();
    const reply = await post(route[0], bearer(key), route[1]);
    const text = await reply.text();
    expect({ status: reply.status, text }).toMatchObject({
      status: 429,
      text: expect.stringContaining('slow lane'),
    });
    const wait = Number(reply.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(50);
    expect(wait).toBeLessThanOrEqual(61);
    // Clients may repeat it when it is time.
    expect(reply.headers.get('x-should-retry')).toBeNull();
    const isMessages = route[0].startsWith('/v1/messages');
    const left = isMessages ? 'anthropic-ratelimit-requests-' : 'x-ratelimit-';
    expect(reply.headers.get(isMessages ? `${left}remaining` : `${left}remaining-requests`)).toBe(
      '0',
    );
    expect(upstream.requests).toEqual([]);
  });

  it('has a request here for every format and task platform there is', () => {
    const formats = Object.keys(callerFormats).filter((name) => name !== 'openai-realtime');
    expect(Object.keys(ofFormats).sort()).toEqual(formats.sort());
    for (const { calls } of taskRoutes) {
      const submits = calls.filter((call) => call.kind === 'submit' && call.login === undefined);
      if (submits.length === 0) continue;
      expect(calls.some(({ pattern }) => ofTasks.some(([path]) => pattern.test(path)))).toBe(true);
    }
  });

  it.each(ofTasks)('refuses the submit at %s', async (path, body) => {
    const { key } = await addExhausted();
    const reply = await post(path, bearer(key), body);
    expect(await reply.text()).toContain('slow lane');
    expect(reply.ok).toBe(false);
    expect(upstream.requests).toEqual([]);
  });

  it('refuses sockets and counts of tokens, in the format of each', async () => {
    const { key } = await addExhausted();
    const sockets = gateway.url.replace('http', 'ws');
    const realtime = await refusedSocket(`${sockets}/v1/realtime?model=${model}`, {
      headers: bearer(key),
    });
    expect(realtime).toMatchObject({ status: 429, body: { error: { code: 'rate_requests' } } });
    const socket = await openSocket(`${sockets}/v1/responses`, { headers: bearer(key) });
    socket.send({ type: 'response.create', model, input: 'hello' });
    expect(JSON.stringify(await socket.next())).toContain('slow lane');
    socket.socket.close();
    await socket.closed;
    const counted = await post('/v1/messages/count_tokens', bearer(key));
    expect(await counted.json()).toMatchObject({ error: { type: 'rate_limit_error' } });
    expect(counted.status).toBe(429);
    expect(upstream.requests).toEqual([]);
  });
});

/** Answers that the upstream gives when it is told to. */
function heldAnswers() {
  const open: ServerResponse[] = [];
  upstream.answer((response) => {
    open.push(response);
    return once(response, 'close').then(() => undefined);
  });
  return open;
}

describe('requests at once', () => {
  it('end with their answers', async () => {
    const { key, used } = await addRated({ parallel_requests: 2 });
    const open = heldAnswers();
    const first = [talk(key), talk(key)];
    await vi.waitFor(() => expect(open).toHaveLength(2));
    const third = await talk(key);
    expect(third.status).toBe(429);
    expect(await third.json()).toMatchObject({ error: { code: 'rate_parallel' } });
    expect(third.headers.get('retry-after')).toBe('1');
    expect(await used()).toMatchObject({ parallel: 2 });
    for (const response of open) void chatReply()(response, upstream.requests[0] as never);
    for (const reply of await Promise.all(first)) expect(reply.status).toBe(200);
    upstream.answer(chatReply());
    expect((await talk(key)).status).toBe(200);
  });

  it.each([
    [
      'a client that leaves',
      async (key: string) => {
        heldAnswers();
        const leaving = new AbortController();
        const reply = talk(key, chat, leaving.signal).catch(() => undefined);
        await vi.waitFor(() => expect(upstream.requests).toHaveLength(1));
        leaving.abort();
        await reply;
      },
    ],
    [
      'a vendor that fails',
      async (key: string) => {
        upstream.answer(errorReply(500, { message: 'broken' }));
        expect((await talk(key)).status).toBeGreaterThanOrEqual(500);
      },
    ],
    [
      'a stream that is cut',
      async (key: string) => {
        upstream.answer((response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          response.write('data: {"id":"x","choices":[{"index":0,"delta":{"content":"a"}}]}\n\n');
          setImmediate(() => response.destroy());
        });
        await (await talk(key, { ...chat, stream: true })).text().catch(() => undefined);
      },
    ],
    [
      'a stream',
      async (key: string) => {
        upstream.answer(chatStream(['a', 'b']));
        await (await talk(key, { ...chat, stream: true })).text();
      },
    ],
    [
      'a model that nobody has',
      async (key: string) => {
        await talk(key, { ...chat, model: 'nothing' });
      },
    ],
    [
      'a task',
      async (key: string) => {
        await (await post('/suno/submit/music', bearer(key), { prompt: 'a song' })).text();
      },
    ],
    [
      'a count of tokens',
      async (key: string) => {
        await (await post('/v1/messages/count_tokens', bearer(key))).text();
      },
    ],
  ] as const)('end with %s', async (_, request) => {
    const { key, used } = await addRated({ parallel_requests: 1 });
    await request(key);
    await vi.waitFor(async () => expect(await used()).toMatchObject({ parallel: 0 }), 20_000);
    upstream.answer(chatReply());
    expect((await talk(key)).status).toBe(200);
  });

  it('end with a refusal of the ledger, after the rate has admitted them', async () => {
    const { key, userId, used } = await addRated({ parallel_requests: 1 });
    expect((await talk(key)).status).toBe(200);
    const { id } = await gateway.client.budgets.create({
      owner: 'user',
      owner_id: String(userId),
      amount: 0,
    });
    const refused = await talk(key);
    expect(await refused.json()).toMatchObject({ error: { code: 'budget_exceeded' } });
    expect(await used()).toMatchObject({ parallel: 0 });
    await gateway.client.budgets.remove({ id });
    expect((await talk(key)).status).toBe(200);
  });

  it('end with a socket and a realtime session', async () => {
    const { key, used } = await addRated({ parallel_requests: 1 });
    const socket = await openSocket(`${gateway.url.replace('http', 'ws')}/v1/responses`, {
      headers: bearer(key),
    });
    heldAnswers();
    socket.send({ type: 'response.create', model, input: 'hello' });
    await vi.waitFor(async () => expect(await used()).toMatchObject({ parallel: 1 }), 20_000);
    socket.socket.terminate();
    await vi.waitFor(async () => expect(await used()).toMatchObject({ parallel: 0 }), 20_000);
  });
});

describe('tokens a minute', () => {
  it('are estimated before the call, and what the vendor reports counts', async () => {
    const { key, used } = await addRated({ tokens_per_minute: 5000 });
    const open = heldAnswers();
    const first = talk(key);
    await vi.waitFor(() => expect(open).toHaveLength(1));
    // The beginning of an answer whose length nobody named.
    expect((await used())?.tokens).toBeGreaterThan(1000);
    const usage = { prompt_tokens: 4000, completion_tokens: 990, total_tokens: 4990 };
    void chatReply('hello', usage)(open[0] as ServerResponse, upstream.requests[0] as never);
    const reply = await first;
    expect(reply.status).toBe(200);
    expect(reply.headers.get('x-ratelimit-limit-tokens')).toBe('5000');
    expect(Number(reply.headers.get('x-ratelimit-remaining-tokens'))).toBeLessThan(4000);
    expect(await used()).toMatchObject({ tokens: 4990 });
    const refused = await talk(key);
    expect(await refused.json()).toMatchObject({ error: { code: 'rate_tokens' } });
    expect(refused.headers.get('x-ratelimit-remaining-tokens')).toBe('0');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50);
  });

  it('that were not used count no more', async () => {
    const { key, used } = await addRated({ tokens_per_minute: 2000 });
    upstream.answer(errorReply(400, { message: 'no' }));
    for (let turn = 0; turn < 4; turn += 1) expect((await talk(key)).status).toBe(400);
    expect(await used()).toMatchObject({ tokens: 0, requests: 4 });
  });
});

describe('a rate', () => {
  it('is for the token, the user, each token, the group or all requests to a model', async () => {
    const one = await gateway.addCustomer(10_000_000);
    const other = await gateway.addCustomer(10_000_000);
    const second = await gateway.client.userTokens.create({
      name: 'second',
      unlimited_quota: true,
      user: one.username,
    });
    const rate = (fields: Record<string, unknown>) =>
      gateway.client.budgets.create({
        owner: 'user',
        owner_id: '1',
        period: 'none',
        requests_per_minute: 1,
        ...fields,
      });
    const tried = async (body?: unknown) => [
      (await talk(one.key, body)).status,
      (await talk(`sk-${second.key}`, body)).status,
      (await talk(other.key, body)).status,
    ];
    const within = async (fields: Record<string, unknown>, body?: unknown) => {
      const { id } = await rate(fields);
      const statuses = [...(await tried(body)), (await talk(one.key, body)).status];
      await gateway.client.budgets.remove({ id });
      return statuses;
    };
    expect(await within({ owner: 'token', owner_id: String(one.tokenId) })).toEqual([
      200, 200, 200, 429,
    ]);
    const user = { owner: 'user', owner_id: String(one.userId) };
    expect(await within(user)).toEqual([200, 429, 200, 429]);
    expect(await within({ ...user, each: 'token' })).toEqual([200, 200, 200, 429]);
    const group = { owner: 'group', owner_id: 'default' };
    expect(await within(group)).toEqual([200, 429, 429, 429]);
    expect(await within({ ...group, each: 'user' })).toEqual([200, 429, 200, 429]);
    const named = { owner: 'model', owner_id: model };
    expect(await within(named)).toEqual([200, 429, 429, 429]);
    expect(await within(named, { ...chat, model: 'other' })).toEqual([200, 200, 200, 200]);
    expect(await within({ ...named, each: 'user' })).toEqual([200, 429, 200, 429]);
    expect(await within({ ...user, at_end: 'warn' })).toEqual([200, 200, 200, 200]);
    expect(await within({ ...user, enabled: false })).toEqual([200, 200, 200, 200]);
  });

  it('stands beside an amount of the same budget and the site’s own limit', async () => {
    const { key, userId } = await addRated({
      period: 'day',
      amount: 5_000_000,
      requests_per_minute: 5,
    });
    await gateway.set('ModelRequestRateLimitCount', 3);
    await gateway.set('ModelRequestRateLimitEnabled', true);
    try {
      const reply = await talk(key);
      expect(reply.headers.get('x-turnpike-budget-limit')).toBe('5000000');
      // The one that is nearer to its end.
      expect(reply.headers.get('x-ratelimit-limit-requests')).toBe('3');
      expect(await gateway.client.budgets.siteRate()).toEqual({
        minutes: 1,
        requests: 3,
        successes: 1000,
      });
      const close = await gateway.client.budgets.create({
        owner: 'user',
        owner_id: String(userId),
        period: 'none',
        requests_per_minute: 1,
      });
      const nearer = await talk(key);
      expect(nearer.headers.get('x-ratelimit-limit-requests')).toBe('1');
      await gateway.client.budgets.remove({ id: close.id });
    } finally {
      await gateway.set('ModelRequestRateLimitEnabled', false);
    }
    expect(await gateway.client.budgets.siteRate()).toBeNull();
  });

  it('refuses what cannot be one', async () => {
    const create = (fields: Record<string, unknown>) =>
      gateway.client.budgets.create({ owner: 'user', owner_id: '1', ...fields }).then(
        () => 'made',
        (error: Error) => /: (\w+)$/.exec(error.message)?.[1],
      );
    expect(await create({ period: 'none' })).toBe('requests_per_minute');
    expect(await create({ period: 'day' })).toBe('amount');
    expect(await create({ period: 'none', requests_per_minute: -1 })).toBe('requests_per_minute');
    const conversations = { each: 'conversation', most_repeats: 3 };
    expect(await create({ period: 'none', requests_per_minute: 1, ...conversations })).toBe(
      'period',
    );
    const model = { owner: 'model', owner_id: 'm', each: 'conversation' };
    expect(await create({ period: 'none', requests_per_minute: 1, ...model })).toBe('each');
  });

  it('of a model is for administrators alone, money included', async () => {
    const { key } = await gateway.addCustomer(10_000_000);
    const money = await gateway.client.budgets.create({
      owner: 'model',
      owner_id: model,
      amount: 1_000_000_000,
      period: 'day',
    });
    const spent = async () =>
      (await gateway.client.budgets.status({ page_size: 100 })).items.find(
        ({ id }) => id === money.id,
      )?.windows[0]?.spent;
    const before = (await spent()) ?? 0;
    expect(before).toBeGreaterThan(0);
    await talk(key);
    expect(await spent()).toBeGreaterThan(before);
    await gateway.client.budgets.remove({ id: money.id });
  });
});
