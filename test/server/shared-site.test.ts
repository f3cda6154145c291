/**
 * Two gateways over one PostgreSQL and one Redis: a site that grows beyond one process
 * (docs/rules/process.md#shared-state).
 */
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../src/core/contract/client.ts';
import { postgresIsInstalled, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { hasRedis, type RedisServer, startRedis } from '../support/redis-server.ts';
import { patience } from '../support/slow.ts';
import { operatorOf, type SpawnedGateway, spawnGateway } from '../support/spawned-gateway.ts';
import { sendJson, startUpstream, type TestUpstream } from '../support/upstream.ts';

const password = 'a long password';

describe.skipIf(!postgresIsInstalled() || !hasRedis())(
  'two gateways of one site',
  { timeout: 120_000 * patience },
  () => {
    let postgres: TestPostgres;
    let redis: RedisServer;
    let upstream: TestUpstream;
    let gateways: readonly [SpawnedGateway, SpawnedGateway];
    let a: Client;
    let b: Client;

    beforeAll(async () => {
      [postgres, redis, upstream] = await Promise.all([
        startPostgres(),
        startRedis(),
        startUpstream(),
      ]);
      upstream.answer((response) =>
        sendJson(response, 200, {
          id: 'x',
          object: 'chat.completion',
          created: 1,
          model: 'gpt-4o',
          choices: [
            { index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' },
          ],
          usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
        }),
      );
      const environment = {
        SQL_DSN: await postgres.createDatabase(),
        REDIS_CONN_STRING: redis.url,
        CRYPTO_SECRET: 'the same for both',
        SESSION_SECRET: 'the same as well',
        ALLOW_PRIVATE_UPSTREAM: 'true',
      };
      const first = await spawnGateway(environment);
      const root = {
        username: 'root',
        password,
        confirmPassword: password,
        setup_token: 'TESTAB',
        SiteLanguage: 'en',
      } as const;
      await operatorOf(first).system.setup(root);
      gateways = [first, await spawnGateway(environment)];
      [a, b] = [operatorOf(gateways[0]), operatorOf(gateways[1])];
      await a.channel.create({
        type: 1,
        name: 'upstream',
        key: 'sk-upstream',
        base_url: upstream.url,
        models: 'gpt-4o',
        group: 'default',
      });
    });
    afterAll(async () => {
      await Promise.all((gateways ?? []).map((gateway) => gateway.close()));
      await Promise.all([upstream?.close(), redis?.stop(), postgres?.stop()]);
    });

    test('models that both learn at the same time are known to both', async () => {
      const learn = (client: Client, name: string) =>
        client.modelSync.run({
          source: 'given',
          list: { name: 'l', own: false, models: [{ server: 'openai', name }], rules: [] },
          adopt: true,
        });
      const names = ['gpt-7-a', 'gpt-7-b', 'gpt-7-c', 'gpt-7-d'];
      await Promise.all(names.map((name, at) => learn(at % 2 === 0 ? a : b, name)));
      for (const client of [a, b]) {
        const listed = await client.channelTypes.list();
        const models = listed.find(({ slug }) => slug === 'openai')?.models ?? [];
        expect(names.filter((name) => !models.includes(name))).toEqual([]);
      }
    });

    const chat = (gateway: SpawnedGateway, apiKey: string) =>
      new OpenAI({ apiKey, baseURL: `${gateway.url}/v1`, maxRetries: 0 }).chat.completions
        .create({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] })
        .then(
          () => 200,
          (error: InstanceType<typeof OpenAI.APIError>) => error.status,
        );

    test('a channel and a token of one serve at the other; what one takes away the other refuses at once', async () => {
      const token = await a.token.create({ name: 'agent', unlimited_quota: true });
      expect([await chat(gateways[0], token.key), await chat(gateways[1], token.key)]).toEqual([
        200, 200,
      ]);
      await a.token.remove({ id: token.id });
      expect(await chat(gateways[1], token.key)).toBe(401);
      const other = await b.token.create({ name: 'other', unlimited_quota: true });
      expect(await chat(gateways[0], other.key)).toBe(200);
      await b.option.set({ key: 'ModelPrice', value: '{"gpt-4o":1}' });
      const before = (await a.user.get({ id: 1 })).quota;
      expect(await chat(gateways[0], other.key)).toBe(200);
      expect(before - (await a.user.get({ id: 1 })).quota).toBe(500_000);
    });

    test('both say that they share limits', async () => {
      for (const client of [a, b])
        expect((await client.nodes.list()).map(({ shared }) => shared)).toEqual([true, true]);
      expect((await a.overview.get({})).separate_nodes).toEqual([]);
    });

    test('the limit of requests counts those of both', async () => {
      const { key } = await a.token.create({ name: 'limited', unlimited_quota: true });
      for (const [option, value] of Object.entries({
        ModelPrice: '{}',
        ModelRequestRateLimitDurationMinutes: '1',
        ModelRequestRateLimitCount: '6',
        ModelRequestRateLimitSuccessCount: '1000',
        ModelRequestRateLimitEnabled: 'true',
      }))
        await a.option.set({ key: option, value });
      const statuses: (number | undefined)[] = [];
      for (let index = 0; index < 10; index++)
        statuses.push(await chat(gateways[index % 2 === 0 ? 0 : 1], key));
      expect(statuses).toEqual([...Array(6).fill(200), ...Array(4).fill(429)]);
      await b.option.set({ key: 'ModelRequestRateLimitEnabled', value: 'false' });
      expect(await chat(gateways[0], key)).toBe(200);
    });

    test('without Redis both go on serving, and money stays right', async () => {
      const { key } = await a.token.create({ name: 'on', unlimited_quota: true });
      await redis.stop();
      expect([await chat(gateways[0], key), await chat(gateways[1], key)]).toEqual([200, 200]);
      await redis.start();
      expect(await a.ledger.verify()).toMatchObject({ ok: true });
    });
  },
);
