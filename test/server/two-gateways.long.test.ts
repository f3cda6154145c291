// Covers src/core/cluster/redis, src/core/relay/select, src/core/relay/carry.
/**
 * Two gateways of one site, on PostgreSQL with a real Redis: a conversation whose turns come to one
 * and the other, rates that both count, and Redis that is away in between
 * (docs/rules/process.md#shared-state).
 */
import { once } from 'node:events';
import { createServer, request as forward, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../src/core/contract/client.ts';
import { clients } from '../contract/thinking/clients.ts';
import type { Vendor } from '../contract/thinking/vendor.ts';
import { vendors } from '../contract/thinking/vendors.ts';
import { answersFor, serve, users, type Watched } from '../contract/thinking/watched.ts';
import { postgresIsInstalled, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { hasRedis, type RedisServer, startRedis } from '../support/redis-server.ts';
import { operatorOf, type SpawnedGateway, spawnGateway } from '../support/spawned-gateway.ts';
import { chatReply, startUpstream, type TestUpstream } from '../support/upstream.ts';

const usable = postgresIsInstalled() && hasRedis();

/** Both takes signatures at all accounts, and only at that which made them. */
const callers = ['Claude with a budget', 'gemini-3.1-pro-preview'] as const;
const rated = 'gpt-4o';

/** Sends requests to one gateway and the other in turn; `before` each one something may happen. */
async function startFront(urls: readonly string[]) {
  let served = 0;
  const front = { before: async (_turn: number): Promise<void> => undefined, url: '' };
  const server: Server = createServer((from, to) => {
    const turn = ++served;
    const pass = () => {
      const url = new URL(from.url ?? '', urls[(turn - 1) % urls.length]);
      const { method, headers } = from;
      const onward = forward(url, { method, headers }, (reply) => {
        to.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(to);
      });
      onward.on('error', () => to.destroy());
      from.pipe(onward);
    };
    front.before(turn).then(pass, (error: unknown) => to.writeHead(500).end(String(error)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  front.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    front,
    /** The next request is the first one, and comes to the first gateway. */
    begin: (before: typeof front.before = async () => undefined) => {
      served = 0;
      front.before = before;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe.skipIf(!usable)('two gateways of one site', () => {
  let postgres: TestPostgres;
  let redis: RedisServer;
  let gateways: readonly SpawnedGateway[] = [];
  let operators: readonly Client[] = [];
  /** Sees what is in Redis. */
  let look: Redis;
  let site: Awaited<ReturnType<typeof startFront>>;
  const upstreams: TestUpstream[] = [];
  let chats: TestUpstream;
  let serial = 0;

  const operator = (): Client => {
    const [first] = operators;
    if (first === undefined) throw new Error('no gateway runs');
    return first;
  };

  beforeAll(async () => {
    [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
    look = new Redis(redis.url, { retryStrategy: () => 50, maxRetriesPerRequest: null });
    look.on('error', () => undefined); // it is stopped in between
    const environment = {
      SQL_DSN: await postgres.createDatabase(),
      REDIS_CONN_STRING: redis.url,
      CRYPTO_SECRET: 'one secret of both gateways',
      SESSION_SECRET: 'another secret of both gateways',
      ALLOW_PRIVATE_UPSTREAM: 'true',
    };
    const first = await spawnGateway(environment);
    gateways = [first];
    gateways = [first, await spawnGateway(environment)];
    operators = gateways.map(operatorOf);
    const password = 'a long password';
    await operator().system.setup({
      username: 'root',
      password,
      confirmPassword: password,
      setup_token: 'TESTAB',
      SiteLanguage: 'en',
    });
    await operator().option.set({ key: 'SelfUseModeEnabled', value: true });
    const add = (fields: Record<string, unknown>) =>
      operator().channel.create({ name: `channel ${++serial}`, type: 1, ...fields } as never);
    for (const name of callers) {
      const vendor = vendors[name] as Vendor;
      const upstream = await startUpstream();
      upstreams.push(upstream);
      upstream.answer((response, request) => serve(vendor, response, request));
      for (const channel of ['a', 'b'])
        await add({
          base_url: upstream.url,
          models: vendor.model,
          ...vendor.channel,
          key: [1, 2, 3].map((number) => vendor.keyOf(`${channel}${number}`)).join('\n'),
        });
    }
    chats = await startUpstream();
    upstreams.push(chats);
    await add({ base_url: chats.url, models: rated, key: 'sk-upstream' });
    site = await startFront(gateways.map(({ url }) => url));
  }, 180_000);
  afterAll(async () => {
    site?.close();
    look?.disconnect();
    await Promise.all(gateways.map((gateway) => gateway.close()));
    await Promise.all([...upstreams.map((one) => one.close()), redis?.stop(), postgres?.stop()]);
  });

  /** Both are connected, for commands and for messages. */
  const bothConnected = () =>
    expect
      .poll(
        async () => {
          const all = String(await look.client('LIST')).split('\n');
          const listening = all.filter((line) => / sub=[1-9]/.test(line));
          return [listening.length, all.filter((line) => line.includes('id=')).length];
        },
        { timeout: 60_000 },
      )
      // This test's own is one more.
      .toEqual([2, 5]);
  /** How much thinking Redis has. */
  const remembered = async () => {
    const [name = ''] = await look.keys('*values:thinking');
    return look.hlen(name);
  };

  async function addToken() {
    const { key, id } = await operator().token.create({
      name: `token ${++serial}`,
      unlimited_quota: true,
    });
    return { key: `sk-${key}`, id };
  }

  async function converse(name: string, stream: boolean, before?: (turn: number) => Promise<void>) {
    const vendor = vendors[name] as Vendor;
    const { key } = await addToken();
    const tag = `user-${++serial}`;
    const watched: Watched = { seen: [], foreign: [], down: undefined };
    users.set(tag, watched);
    site.begin(before);
    const answers = await clients.chat({
      url: site.front.url,
      key,
      model: vendor.model,
      stream,
      keeps: false,
      adaptive: false,
      beforeTurn: () => undefined,
      questions: [`I am ${tag}. Look at the sky.`, 'And now?'],
    });
    expect(answers).toEqual(answersFor(tag));
    const { seen } = watched;
    expect(seen.map(({ refused }) => refused)).toEqual(Array(4).fill(undefined));
    return {
      lost: seen.map(({ lost }) => lost),
      thinks: seen.map(({ thinks }) => thinks),
      accounts: new Set(seen.map(({ account }) => account)).size,
    };
  }

  const whole = {
    lost: [[], [], [], []],
    thinks: [true, true, true, true],
    accounts: 1,
  };
  const manners = callers.flatMap((name) => [true, false].map((stream) => ({ name, stream })));

  it.each(manners)(
    'keep the thinking, channel and key of a conversation: $name, streamed: $stream',
    async ({ name, stream }) => {
      await bothConnected();
      for (let time = 0; time < 3; time += 1) expect(await converse(name, stream)).toEqual(whole);
    },
  );

  it.each(callers)(
    'go on with it while Redis is away, and are whole again afterwards: %s',
    async (name) => {
      await bothConnected();
      let before = 0;
      const result = await converse(name, true, async (turn) => {
        if (turn === 3) {
          before = await remembered();
          await redis.stop();
        }
        if (turn !== 4) return;
        await redis.start();
        // With the third turn, an answer without calls.
        await expect.poll(remembered, { timeout: 60_000 }).toBe(before + 1);
      });
      // What the other gateway wrote last is not known to this one until Redis is back.
      expect(result.lost).toEqual([[], [], [2], []]);
      expect(result.accounts).toBe(1);
    },
  );

  /** Statuses of requests that come to one gateway and the other. */
  async function ask(key: string, times: number, at?: number) {
    const statuses: number[] = [];
    for (let time = 0; time < times; time += 1) {
      const gateway = gateways[at ?? time % 2];
      const reply = await fetch(`${gateway?.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: rated, messages: [{ role: 'user', content: 'hi' }] }),
      });
      await reply.text();
      statuses.push(reply.status);
    }
    return statuses;
  }

  async function addRated(fields: Record<string, number>) {
    const { key, id } = await addToken();
    const budget = await operator().budgets.create({
      owner: 'token',
      owner_id: String(id),
      period: 'none',
      name: `rate ${id}`,
      ...fields,
    });
    const used = (each: Client) =>
      each.budgets
        .status({ page_size: 100 })
        .then(({ items }) => items.find((one) => one.id === budget.id)?.rates_used);
    return { key, used };
  }

  it('count requests together, and each for itself while Redis is away', async () => {
    await bothConnected();
    chats.answer(chatReply());
    const { key, used } = await addRated({ requests_per_minute: 4 });
    expect(await ask(key, 6)).toEqual([200, 200, 200, 200, 429, 429]);
    for (const each of operators) expect(await used(each)).toMatchObject({ requests: 4 });
    await redis.stop();
    // Each knows of the two that it served itself.
    expect(await ask(key, 3, 0)).toEqual([200, 200, 429]);
    expect(await ask(key, 3, 1)).toEqual([200, 200, 429]);
    await redis.start();
    await bothConnected();
    // It was emptied.
    expect(await ask(key, 6)).toEqual([200, 200, 200, 200, 429, 429]);
  });

  it('know of each other’s requests under way again, and of no others', async () => {
    await bothConnected();
    const { key, used } = await addRated({ parallel_requests: 2 });
    const held: (() => void)[] = [];
    chats.answer(async (response, request) => {
      await new Promise<void>((resolve) => held.push(resolve));
      return chatReply()(response, request);
    });
    const ends = [ask(key, 1, 0), ask(key, 1, 1)] as const;
    await expect.poll(() => held.length).toBe(2);
    expect(await ask(key, 2)).toEqual([429, 429]);
    await redis.stop();
    held[0]?.();
    await Promise.race(ends);
    await redis.start();
    await bothConnected();
    for (const each of operators)
      await expect.poll(async () => await used(each)).toMatchObject({ parallel: 1 });
    chats.answer(chatReply());
    expect(await ask(key, 2)).toEqual([200, 200]);
    held[1]?.();
    expect((await Promise.all(ends)).flat()).toEqual([200, 200]);
    for (const each of operators)
      await expect.poll(async () => await used(each)).toMatchObject({ parallel: 0 });
  });

  it('read what was changed while Redis is away', async () => {
    await bothConnected();
    chats.answer(chatReply());
    const { key, id } = await addToken();
    expect(await ask(key, 2)).toEqual([200, 200]);
    await redis.stop();
    await operator().token.remove({ id });
    expect(await ask(key, 1, 0)).toEqual([401]);
    await expect.poll(() => ask(key, 1, 1), { timeout: 60_000, interval: 500 }).toEqual([401]);
    await redis.start();
    await bothConnected();
    expect(await ask(key, 2)).toEqual([401, 401]);
  });
});
