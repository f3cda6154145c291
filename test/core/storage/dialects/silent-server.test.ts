/** A PostgreSQL that stays connected and never replies (docs/rules/process.md#silent-database). */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openPostgresEngine } from '../../../../src/core/storage/dialects/postgres.ts';
import { forEachEngine } from '../../../support/storage.ts';

const patience = { silence: 300, reply: 300, look: 50 };

/** In front of a server; frozen, it takes everything and passes nothing on. */
async function startProxy(url: string) {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const server = createServer((client) => {
    const upstream = connect(Number(port || 5432), hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => void (isFrozen || to.write(bytes)));
      from.on('error', () => undefined);
      from.once('close', () => to.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = new URL(url);
  address.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: address.href,
    freeze: (frozen: boolean) => {
      isFrozen = frozen;
    },
  };
}

forEachEngine('a server that stays connected', (engine) => {
  describe.skipIf(engine.name !== 'postgres')('and never replies', () => {
    const open = async () => {
      const proxy = await startProxy(await engine.freshUrl());
      const database = await openPostgresEngine({ url: proxy.url, onError: () => {}, patience });
      onTestFinished(() => database.close());
      return { proxy, database };
    };

    it('ends reads, writes, transactions and statements of the pool with a clear error', async () => {
      const { proxy, database } = await open();
      await sql`create table kept (id int)`.execute(database.write);
      // All connections that are needed are there.
      await Promise.all([1, 2, 3, 4].map(() => sql`select pg_sleep(0.2)`.execute(database.read)));
      let inside = Promise.resolve();
      const begun = Promise.withResolvers<void>();
      const transaction = database.write.transaction().execute(async (part) => {
        await sql`insert into kept values (1)`.execute(part);
        begun.resolve();
        await inside;
        await sql`insert into kept values (2)`.execute(part);
      });
      const frozen = Promise.withResolvers<void>();
      inside = frozen.promise;
      await begun.promise;
      proxy.freeze(true);
      frozen.resolve();
      const waiting = [
        sql`select 1`.execute(database.read),
        sql`insert into kept values (3)`.execute(database.write),
        transaction,
        database.postgres?.query('select 1'),
      ];
      const ended = await Promise.allSettled(waiting);
      // The pool's own users read its errors themselves.
      expect(ended.map((one) => one.status === 'rejected' && one.reason.code)).toEqual([
        ...Array(3).fill('database_unavailable'),
        undefined,
      ]);
      proxy.freeze(false);
      // What was held up is dropped: new connections serve.
      const { rows } = await sql<{ id: number }>`select id from kept`.execute(database.read);
      expect(rows).toEqual([]);
    });

    it('is told from one that works for long: that is waited for', async () => {
      const { database } = await open();
      const { rows } = await sql`select 7 as found, pg_sleep(1.5)`.execute(database.read);
      expect(rows).toMatchObject([{ found: 7 }]);
    });
  });
});
