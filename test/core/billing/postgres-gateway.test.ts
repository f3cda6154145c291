/** `--database-url postgres://…` with one process: the core, and the whole gateway. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/core/config/load.ts';
import { silentLogger } from '../../../src/core/kernel/logger.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import { freshHome, openApp } from '../../support/app.ts';
import { startTestGateway } from '../../support/gateway.ts';
import { postgresIsInstalled, startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { bearer, cost, created, done, greet, model } from '../../support/realtime-bench.ts';
import { openSocket } from '../../support/socket-client.ts';
import { startSocketUpstream } from '../../support/socket-upstream.ts';
import { chatReply, startUpstream } from '../../support/upstream.ts';
import { charge, grant, holdFor } from './ledger-support.ts';

describe.skipIf(!postgresIsInstalled())('a gateway on PostgreSQL', () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(async () => {
    await server?.stop();
  });

  const open = async (databaseUrl: string) => {
    const { config } = loadConfig({
      environment: { TURNPIKE_DATABASE_URL: databaseUrl },
      cwd: '/nonexistent',
      home: freshHome(),
    });
    const folder = { cryptoSecret: new Secret('a master key that guards nothing') };
    return openApp({ config, folder, logger: silentLogger, version: 'test', threads: true });
  };

  it('keeps its money in the database, from one start to the next', async () => {
    const url = await server.createDatabase();
    const app = await open(url);
    expect(app.setup.databaseType).toBe('postgres');
    const userId = await app.storage.users.insert({
      username: 'customer',
      passwordHash: new Secret(''),
      role: 1,
      status: 1,
      group: 'default',
      createdAt: 1,
    });
    await grant(app.ledger, userId, 1000);
    await app.ledger.settle(await app.ledger.hold(holdFor(userId, 0, 400)), charge(300));
    await app.close();

    const again = await open(url);
    expect(await again.ledger.balance(userId)).toEqual({ quota: 700, held: 0 });
    expect(await again.ledger.verify()).toMatchObject({
      ok: true,
      users: 1,
      postings: 2,
      sum: 700,
      staleHolds: 0,
    });
    await again.close();
  });

  it('relays a request and bills it', async () => {
    const upstream = await startUpstream();
    upstream.answer(chatReply());
    const gateway = await startTestGateway({
      TURNPIKE_DATABASE_URL: await server.createDatabase(),
    });
    try {
      await gateway.addChannel({ type: 1, baseUrl: upstream.url, models: 'gpt-4o' });
      const { key, userId, username } = await gateway.addCustomer(50_000);
      const ask = (stream: boolean) =>
        fetch(`${gateway.url}/v1/chat/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify({
            model: 'gpt-4o',
            messages: [{ role: 'user', content: 'Hello' }],
            stream,
          }),
        });
      const plain = await ask(false);
      expect(plain.status).toBe(200);
      expect(await plain.json()).toMatchObject({
        choices: [{ message: { content: 'Hello from upstream' } }],
      });
      const { quota } = await gateway.client.user.get({ id: userId });
      expect(quota).toBeLessThan(50_000);
      const { items } = await gateway.client.log.list({ username, type: 2 });
      expect(items.map((row) => row.quota)).toEqual([50_000 - quota]);
      expect(await (await ask(true)).text()).toContain('[DONE]');
      expect((await gateway.client.user.get({ id: userId })).quota).toBe(
        50_000 - 2 * (50_000 - quota),
      );
      expect(await gateway.client.ledger.verify()).toMatchObject({
        ok: true,
        drifts: [],
        stale_holds: 0,
      });
    } finally {
      await gateway.close();
      await upstream.close();
    }
  });

  it('holds and charges each answer of a realtime session by itself', async () => {
    const upstream = await startSocketUpstream();
    upstream.script({
      connect: async (connection) => {
        greet(connection);
        for (const id of ['resp_1', 'resp_2']) {
          await connection.next();
          connection.send(created(id));
          connection.send(done(id));
        }
      },
    });
    const gateway = await startTestGateway({
      TURNPIKE_DATABASE_URL: await server.createDatabase(),
    });
    try {
      await gateway.addChannel({ type: 1, baseUrl: upstream.url, models: model });
      const { key, userId } = await gateway.addCustomer(1_000_000);
      const client = await openSocket(
        `${gateway.url.replace('http', 'ws')}/v1/realtime?model=${model}`,
        bearer(key),
      );
      expect(await client.next()).toMatchObject({ type: 'session.created' });
      for (let turn = 1; turn <= 2; turn++) {
        client.send(JSON.stringify({ type: 'response.create' }));
        expect(await client.next()).toMatchObject({ type: 'response.created' });
        expect(await client.next()).toMatchObject({ type: 'response.done' });
        // On disk before its caller hears of it.
        expect((await gateway.client.user.get({ id: userId })).quota).toBe(1_000_000 - turn * cost);
      }
      client.socket.close();
      await upstream.connections[0]?.closed;
      expect(await gateway.client.ledger.verify()).toMatchObject({
        ok: true,
        drifts: [],
        stale_holds: 0,
      });
    } finally {
      await gateway.close();
      await upstream.close();
    }
  });
});
