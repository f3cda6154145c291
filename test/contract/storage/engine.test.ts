// Covers src/core/storage/dialects.
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { migrations } from '../../../migrations/index.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import { copyFromPostgres } from '../../../src/core/storage/backup/postgres-copy.ts';
import { readMigrations } from '../../../src/core/storage/open.ts';
import { forEachEngine } from '../../support/storage.ts';

const names = Object.keys(migrations);
const user = (username: string) => ({
  username,
  passwordHash: new Secret(''),
  role: 1,
  status: 1,
  group: 'default',
  createdAt: 1,
});

forEachEngine('the database', (engine) => {
  test.skipIf(engine.name === 'sqlite in memory')('migrates an empty database once', async () => {
    const url = await engine.freshUrl();
    expect((await engine.open({ url })).migrated.executed).toEqual(names);
    expect((await engine.open({ url })).migrated.executed).toEqual([]);
  });

  test.skipIf(engine.name !== 'postgres')('lets two nodes migrate at the same moment', async () => {
    const url = await engine.freshUrl();
    const [first, second] = await Promise.all([engine.open({ url }), engine.open({ url })]);
    expect([...first.migrated.executed, ...second.migrated.executed]).toEqual(names);
  });

  test.skipIf(engine.name !== 'postgres')('says what a server refuses', async () => {
    const own = await engine.freshUrl();
    await engine.open({ url: own });
    const changed = (change: (url: URL) => unknown) => {
      const url = new URL(own);
      change(url);
      return url.href;
    };
    const refused = [
      changed((url) => Object.assign(url, { pathname: '/nowhere' })),
      changed((url) => Object.assign(url, { username: 'nobody' })),
      // a user of the database without rights
      changed((url) => url.searchParams.set('options', '-c role=pg_monitor')),
    ];
    for (const url of refused) {
      const code = { code: 'database_unavailable' };
      await expect(readMigrations({ url })).rejects.toMatchObject(code);
      const copy = copyFromPostgres(url, join(tmpdir(), 'refused.db'), () => undefined);
      await expect(copy).rejects.toMatchObject(code);
    }
  });

  test('commits a transaction as a whole', async () => {
    const storage = await engine.open();
    const ids = await storage.transaction(async (inside) => {
      const first = await inside.users.insert(user('first'));
      const second = await inside.users.insert(user('second'));
      expect(await inside.users.find(first)).toMatchObject({ username: 'first' });
      return [first, second];
    });
    expect(await storage.users.findMany(ids)).toHaveLength(2);
  });

  test('rolls back a failing transaction', async () => {
    const storage = await engine.open();
    const failed = storage.transaction(async (inside) => {
      await inside.users.insert(user('lost'));
      await inside.options.set({ key: 'SystemName', value: 'lost', hidden: false });
      throw new Error('changed my mind');
    });
    await expect(failed).rejects.toThrow('changed my mind');
    expect(await storage.users.count()).toBe(0);
    expect(await storage.options.list()).toEqual([]);
    await storage.users.insert(user('kept'));
    expect(await storage.users.count()).toBe(1);
  });

  test('rolls back when a statement fails', async () => {
    const storage = await engine.open();
    await storage.users.insert(user('taken'));
    const failed = storage.transaction(async (inside) => {
      await inside.users.insert(user('lost'));
      await inside.users.insert(user('Taken'));
    });
    await expect(failed).rejects.toMatchObject({ code: 'conflict', params: { field: 'username' } });
    expect(await storage.users.findByUsername('lost')).toBeNull();
  });

  test.skipIf(engine.name !== 'postgres')(
    'reports a text with NUL as the mistake of a caller',
    async () => {
      const storage = await engine.open();
      const error = await storage.storedResponses
        .find(1, 'resp_\0', 0)
        .catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'invalid_parameter' });
    },
  );

  test('joins an open transaction', async () => {
    const storage = await engine.open();
    const failed = storage.transaction(async (inside) => {
      await inside.transaction((nested) => nested.users.insert(user('lost')));
      throw new Error('outer');
    });
    await expect(failed).rejects.toThrow('outer');
    expect(await storage.users.count()).toBe(0);
  });

  test('hides an unfinished transaction from others', async () => {
    const storage = await engine.open();
    const gate = Promise.withResolvers<void>();
    const transaction = storage.transaction(async (inside) => {
      await inside.users.insert(user('hidden'));
      await gate.promise;
    });
    const seen = storage.users.count();
    // one connection: the read waits for its turn
    if (engine.name === 'sqlite in memory') gate.resolve();
    expect(await seen).toBe(engine.name === 'sqlite in memory' ? 1 : 0);
    gate.resolve();
    await transaction;
    expect(await storage.users.count()).toBe(1);
  });

  test.skipIf(engine.name === 'postgres')(
    'rolls back a transaction that takes too long',
    async () => {
      const storage = await engine.open({ transactionLimit: 50 });
      const stuck = storage.transaction(async (inside) => {
        await inside.users.insert(user('lost'));
        // The write waits for the transaction and runs once that has ended.
        await storage.users.insert(user('waited'));
        await inside.users.insert(user('too late'));
      });
      await expect(stuck).rejects.toThrow('took too long');
      expect(
        (await storage.users.page({}, { offset: 0, limit: 10 })).items.map(
          ({ username }) => username,
        ),
      ).toEqual(['waited']);
    },
  );

  test('handles many writers at once', async () => {
    const storage = await engine.open();
    const id = await storage.users.insert(user('counter'));
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        index % 2 === 0
          ? storage.users.adjustInvite(id, { affCount: 1 })
          : storage.transaction((inside) =>
              inside.users.adjustInvite(id, { affCount: 1, affQuota: 10 }),
            ),
      ),
    );
    expect(await storage.users.find(id)).toMatchObject({ affCount: 40, affQuota: 200 });
  });
});
