/**
 * However a request ends, it is no longer one under way (docs/rules/budgets.md#rates); the ends of
 * plain chats are in rates.test.ts.
 */
import { once } from 'node:events';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  bearer,
  created,
  createRealtimeBench,
  done,
  model as realtimeModel,
} from '../../../support/realtime-bench.ts';
import { responsesReply } from '../../../support/responses-upstream.ts';
import { openSocket, refusedSocket } from '../../../support/socket-client.ts';
import {
  chatReply,
  errorReply,
  startUpstream,
  type TestUpstream,
} from '../../../support/upstream.ts';

const bench = createRealtimeBench();
const model = 'gpt-test';
const chat = { model, messages: [{ role: 'user', content: 'hello' }] };
const soon = { timeout: 20_000 };
let upstream: TestUpstream;
beforeAll(async () => {
  const { gateway } = bench;
  upstream = await startUpstream();
  await gateway.set('ModelRatio', {
    [model]: 1,
    [realtimeModel]: 2.5,
    'refusing-realtime': 1,
  });
  await gateway.set('ModelPrice', { suno_music: 0.01, 'dall-e-3': 0.01 });
  for (let channel = 0; channel < 2; channel += 1)
    await gateway.addChannel({
      type: 1,
      baseUrl: upstream.url,
      models: `${model},suno_music,dall-e-3,refusing-realtime`,
    });
});
afterAll(() => upstream.close());
beforeEach(async () => {
  upstream.requests.length = 0;
  await bench.gateway.set('RetryTimes', 0);
});

interface Rated {
  readonly key: string;
  readonly userId: number;
  readonly username: string;
  used(): Promise<{ readonly parallel: number; readonly requests: number } | null | undefined>;
}

async function addRated(): Promise<Rated> {
  const customer = await bench.gateway.addCustomer(100_000_000);
  const { id } = await bench.gateway.client.budgets.create({
    owner: 'user',
    owner_id: String(customer.userId),
    period: 'none',
    parallel_requests: 1,
  });
  const used = async () =>
    (await bench.gateway.client.budgets.status({ page_size: 100 })).items.find(
      (budget) => budget.id === id,
    )?.rates_used;
  return { ...customer, used };
}

const exhaust = ({ userId }: Rated) =>
  bench.gateway.client.budgets.create({ owner: 'user', owner_id: String(userId), amount: 0 });
const url = (path: string) => bench.gateway.url + path;
const sockets = (path: string) => url(path).replace('http', 'ws');
const send = (path: string, headers: Record<string, string>, body: unknown, signal?: AbortSignal) =>
  fetch(url(path), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal && { signal }),
  });
const post = ({ key }: Rated, path: string, body: unknown) => send(path, bearer(key).headers, body);

async function logIn({ username, userId }: Rated): Promise<Record<string, string>> {
  const account = { username, password: 'customer-password' };
  const reply = await send('/api/user/login', {}, account);
  const cookie = reply.headers.get('set-cookie')?.split(';')[0] ?? '';
  return { cookie, 'new-api-user': String(userId) };
}

/** The upstream never answers. */
function hang(): void {
  upstream.answer((response) => once(response, 'close').then(() => undefined));
}
const forwarded = () => vi.waitFor(() => expect(upstream.requests).toHaveLength(1), soon);

const ends: readonly (readonly [string, (rated: Rated) => Promise<unknown>])[] = [
  [
    'a realtime session whose client leaves',
    async ({ key, used }) => {
      const { client } = await bench.start(key);
      expect(await used()).toMatchObject({ parallel: 1 });
      client.socket.terminate();
    },
  ],
  [
    'a realtime session whose upstream leaves during an answer',
    async ({ key }) => {
      const { client, server } = await bench.start(key);
      server.send(created('r1'));
      await client.next();
      server.socket.terminate();
      await client.closed;
    },
  ],
  [
    'a realtime session whose next answer is refused',
    async (rated) => {
      const { client, server } = await bench.start(rated.key);
      server.send(created('r1'));
      server.send(done('r1'));
      await client.next();
      await client.next();
      await exhaust(rated);
      client.send({ type: 'response.create' });
      expect(await client.next()).toMatchObject({ error: { code: 'budget_exceeded' } });
      await client.closed;
    },
  ],
  [
    'a realtime session that no upstream takes',
    async ({ key }) => {
      upstream.answer(errorReply(500, { message: 'broken' }));
      const address = sockets('/v1/realtime?model=refusing-realtime');
      expect((await refusedSocket(address, bearer(key))).status).toBeGreaterThanOrEqual(500);
    },
  ],
  [
    'a frame that is refused',
    async (rated) => {
      await exhaust(rated);
      const socket = await openSocket(sockets('/v1/responses'), bearer(rated.key));
      socket.send({ type: 'response.create', model, input: 'hello' });
      expect(JSON.stringify(await socket.next())).toContain('budget_exceeded');
      socket.socket.close();
      await socket.closed;
    },
  ],
  [
    'a background response',
    async (rated) => {
      upstream.answer(responsesReply());
      const asked = { model, input: 'hello', background: true };
      expect((await post(rated, '/v1/responses', asked)).status).toBe(200);
    },
  ],
  [
    'a background response that is cancelled',
    async (rated) => {
      hang();
      const asked = { model, input: 'hello', background: true };
      const { id } = (await (await post(rated, '/v1/responses', asked)).json()) as { id: string };
      await forwarded();
      expect((await post(rated, `/v1/responses/${id}/cancel`, {})).status).toBe(200);
    },
  ],
  [
    'a background response that the site does not store',
    async (rated) => {
      await bench.gateway.set('global.background_responses', 0);
      try {
        const asked = { model, input: 'hello', background: true };
        expect((await post(rated, '/v1/responses', asked)).ok).toBe(false);
      } finally {
        await bench.gateway.set('global.background_responses', 10);
      }
    },
  ],
  [
    'a second channel that serves what the first did not',
    async (rated) => {
      await bench.gateway.set('RetryTimes', 1);
      upstream.answer((response, request) =>
        upstream.requests.length > 1
          ? chatReply()(response, request)
          : errorReply(500, { message: 'broken' })(response, request),
      );
      expect((await post(rated, '/v1/chat/completions', chat)).status).toBe(200);
      expect(upstream.requests).toHaveLength(2);
      expect(await rated.used()).toMatchObject({ requests: 1 });
    },
  ],
  [
    'a task that its vendor refuses',
    async (rated) => {
      upstream.answer(errorReply(500, { message: 'broken' }));
      const reply = await post(rated, '/suno/submit/music', { prompt: 'a song' });
      expect(reply.ok).toBe(false);
    },
  ],
  [
    'a task that a budget refuses',
    async (rated) => {
      await exhaust(rated);
      const reply = await post(rated, '/suno/submit/music', { prompt: 'a song' });
      expect(await reply.text()).toContain('budget_exceeded');
    },
  ],
  [
    'a chat of a playground that is left',
    async (rated) => {
      const login = await logIn(rated);
      hang();
      const leaving = new AbortController();
      const body = { ...chat, group: 'default' };
      const reply = send('/pg/chat/completions', login, body, leaving.signal).catch(
        () => undefined,
      );
      await forwarded();
      leaving.abort();
      await reply;
    },
  ],
  [
    'images of a playground that fail after their page was left',
    async (rated) => {
      const login = await logIn(rated);
      const failing = Promise.withResolvers<void>();
      upstream.answer(async (response, request) => {
        await failing.promise;
        return errorReply(500, { message: 'broken' })(response, request);
      });
      const leaving = new AbortController();
      const body = { model: 'dall-e-3', prompt: 'a cat', group: 'default' };
      const reply = send('/pg/images/generations', login, body, leaving.signal).catch(
        () => undefined,
      );
      await forwarded();
      leaving.abort();
      await reply;
      failing.resolve();
    },
  ],
  [
    'tags that are none',
    async ({ key }) => {
      const headers = { ...bearer(key).headers, 'x-turnpike-tags': 'x'.repeat(1000) };
      expect((await send('/v1/chat/completions', headers, chat)).status).toBe(400);
    },
  ],
  [
    'a body that is no JSON',
    async (rated) => {
      expect((await post(rated, '/v1/chat/completions', '{"model":')).status).toBe(400);
    },
  ],
];

describe('requests at once end with', () => {
  it.each(ends)('%s', async (_, end) => {
    const rated = await addRated();
    await end(rated);
    await vi.waitFor(async () => expect(await rated.used()).toMatchObject({ parallel: 0 }), soon);
  });
});
