// Covers src/core/storage/ledger/postgres-transaction.ts, src/core/storage/ledger/postgres-store.ts.
import type { Socket } from 'node:net';
import type { Pool, PoolClient } from 'pg';
import { describe, expect, it } from 'vitest';
import { planBatch } from '../../../src/core/billing/index.ts';
import { type Clock, systemClock } from '../../../src/core/kernel/clock.ts';
import { createPostgresLedgerStore } from '../../../src/core/storage/ledger/postgres-store.ts';
import { forEachEngine } from '../../support/storage.ts';
import {
  addUser,
  charge,
  closeLedgersAfterEach,
  codeOf,
  dead,
  grant,
  holdFor,
  logFor,
  openLedger,
  poolOf,
} from './ledger-support.ts';

/** A pool whose connections do something else at the first statement that begins so. */
function interrupt(
  pool: Pool,
  statement: 'BEGIN' | 'COMMIT',
  instead: (client: PoolClient) => Promise<unknown>,
): Pool {
  let interrupted = false;
  const wrap = (client: PoolClient): PoolClient =>
    new Proxy(client, {
      get: (target, name) => {
        if (name === 'query') {
          return (...parameters: [string]) => {
            const isIt = typeof parameters[0] === 'string' && parameters[0].startsWith(statement);
            if (!isIt || interrupted) return target.query(...parameters);
            interrupted = true;
            return instead(target);
          };
        }
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  return new Proxy(pool, {
    get: (target, name) => {
      if (name === 'connect') return async () => wrap(await target.connect());
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

forEachEngine('ledger of several processes, in trouble', (engine) => {
  describe.skipIf(engine.name !== 'postgres')('on one database', () => {
    closeLedgersAfterEach();

    it('that does not reply is waited for 45 s at most, and new requests are refused; what hung is written once', async () => {
      const storage = await engine.open();
      const store = createPostgresLedgerStore(poolOf(storage), 'hanging', planBatch);
      const reply = Promise.withResolvers<void>();
      let replies: Promise<void> | undefined;
      let passed = 0;
      const ledger = openLedger(storage, {
        clock: { ...systemClock, now: () => systemClock.now() + passed },
        store: {
          ...store,
          settle: async (batch) => {
            await replies;
            return store.settle(batch);
          },
          placeHolds: async (requests, admit) => {
            await replies;
            return store.placeHolds(requests, admit);
          },
        },
      });
      const userId = await addUser(storage);
      await grant(ledger, userId, 1000);
      const hold = await ledger.hold(holdFor(userId, 0, 100));
      replies = reply.promise;
      const settled = codeOf(ledger.settle(hold, charge(10)));
      const held = codeOf(ledger.hold(holdFor(userId, 0, 100)));
      passed = 45_000;
      expect(await Promise.all([settled, held])).toEqual([
        'ledger_outcome_unknown',
        'ledger_unavailable',
      ]);
      expect(await codeOf(ledger.hold(holdFor(userId, 0, 100)))).toBe('ledger_unavailable');
      reply.resolve();
      await ledger.drain();
      expect(await ledger.verify()).toMatchObject({ ok: true });
      expect((await storage.ledger.page({ userId }, { offset: 0, limit: 9 })).total).toBe(2);
    });

    it.each([
      ['was carried out', (client: PoolClient) => client.query('COMMIT')],
      [
        'never arrived',
        (client: PoolClient) =>
          client.query('SELECT pg_terminate_backend(pg_backend_pid())').catch(() => undefined),
      ],
      [
        'was sent, as the last statement was, without a reply to either',
        async (client: PoolClient) => {
          const { connection } = client as unknown as { connection: { stream: Socket } };
          const committed = client.query('COMMIT');
          connection.stream.destroy();
          await committed;
        },
      ],
    ])('charges once when the connection breaks at a commit that %s', async (_, commit) => {
      const storage = await engine.open();
      const pool = interrupt(poolOf(storage), 'COMMIT', async (client) => {
        await commit(client);
        throw new Error('Connection terminated unexpectedly');
      });
      const clock: Clock = {
        now: systemClock.now,
        sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 20), signal),
      };
      const userId = await addUser(storage);
      await grant(openLedger(storage), userId, 1000);
      const { settle } = createPostgresLedgerStore(pool, 'node', planBatch);
      const ledger = openLedger(storage, { clock, node: 'node', store: { ...dead.store, settle } });
      const hold = await ledger.hold(holdFor(userId, 0, 100));
      await ledger.settle(hold, { ...charge(100), log: logFor(userId, hold.requestId, 100) });
      expect(await ledger.balance(userId)).toEqual({ quota: 900, held: 0 });
      expect(await storage.logs.listBefore({ request: hold.requestId }, undefined, 2)).toHaveLength(
        1,
      );
      expect(await ledger.verify()).toMatchObject({ ok: true, postings: 2 });
    });

    it('writes nothing outside a transaction when BEGIN is refused, and charges once', async () => {
      const storage = await engine.open();
      let refused = 0;
      const pool = interrupt(poolOf(storage), 'BEGIN', (client) => {
        refused += 1;
        const lostRace = `DO $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '40001'; END $$`;
        return client.query(lostRace);
      });
      const userId = await addUser(storage);
      await grant(openLedger(storage), userId, 1000);
      const { settle } = createPostgresLedgerStore(pool, 'node', planBatch);
      const ledger = openLedger(storage, { node: 'node', store: { ...dead.store, settle } });
      const hold = await ledger.hold(holdFor(userId, 0, 100));
      await ledger.settle(hold, charge(100));
      expect(refused).toBe(1);
      expect(await ledger.balance(userId)).toEqual({ quota: 900, held: 0 });
      expect(await ledger.verify()).toMatchObject({ ok: true, postings: 2 });
    });

    it('bills every answer once although the server ends all connections again and again', async () => {
      const storage = await engine.open();
      const admin = await engine.open({
        url: poolOf(storage).options.connectionString ?? '',
        migrate: false,
      });
      const clock: Clock = {
        now: systemClock.now,
        sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 50), signal),
      };
      const ledger = openLedger(storage, { clock });
      const userId = await addUser(storage);
      await grant(ledger, userId, 1_000_000);
      let answered = 0;
      let over = false;
      const serve = async () => {
        while (!over) {
          const hold = await ledger
            .hold(holdFor(userId, 0, 100))
            .catch(() => systemClock.sleep(10));
          if (hold === undefined) continue;
          await ledger.settle(hold, charge(10));
          answered += 1;
        }
      };
      const serving = Promise.all(Array.from({ length: 8 }, serve));
      const ended = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid != pg_backend_pid()`;
      for (let round = 0; round < 10; round += 1) {
        await systemClock.sleep(40);
        await poolOf(admin).query(ended);
      }
      await expect.poll(() => answered).toBeGreaterThan(50);
      over = true;
      await serving;
      expect((await ledger.balance(userId)).quota).toBe(1_000_000 - answered * 10);
      expect(await ledger.verify()).toMatchObject({ ok: true, postings: answered + 1 });
    });

    it.each([
      ['a\0b', 'ab'],
      ['a\ud800b', 'a\ufffdb'],
    ])(
      'writes what is owed although PostgreSQL cannot store the name %j',
      async (modelName, stored) => {
        const storage = await engine.open();
        const ledger = openLedger(storage);
        const userId = await addUser(storage);
        await grant(ledger, userId, 1000);
        const hold = await ledger.hold(holdFor(userId, 0, 100));
        await ledger.settle(hold, {
          ...charge(100),
          log: { ...logFor(userId, hold.requestId, 100), modelName },
        });
        expect(
          await storage.logs.listBefore({ request: hold.requestId }, undefined, 2),
        ).toMatchObject([{ modelName: stored }]);
      },
    );

    it('gives the hold of a refused charge back at once', async () => {
      const storage = await engine.open();
      const ledger = openLedger(storage);
      const userId = await addUser(storage);
      await grant(ledger, userId, 1000);
      const hold = await ledger.hold(holdFor(userId, 0, 400));
      const log = { ...logFor(userId, hold.requestId, 100), content: null as unknown as string };
      expect(await codeOf(ledger.settle(hold, { ...charge(100), log }))).toBe('ledger_refused');
      expect(await ledger.balance(userId)).toEqual({ quota: 1000, held: 0 });
    });
  });
});
