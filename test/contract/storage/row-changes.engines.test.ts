/**
 * What the database notes of the rows that processes keep in memory
 * (docs/rules/process.md#reconciliation).
 */

import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { emptyEntry } from '../../../src/core/catalog/model-square.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import type { Engine } from '../../../src/core/storage/dialects/engine.ts';
import { openPostgresEngine } from '../../../src/core/storage/dialects/postgres.ts';
import { openSqliteEngine } from '../../../src/core/storage/dialects/sqlite.ts';
import type { NewUser, Storage } from '../../../src/core/storage/storage.ts';
import {
  addToken,
  addUser,
  charge,
  closeLedgersAfterEach,
  grant,
  holdFor,
  logFor,
  openLedger,
} from '../../core/billing/ledger-support.ts';
import { forEachEngineInTurn } from '../../support/storage.ts';

/**
 * Columns that no process keeps in memory, or that requests and charges write. Each other column is
 * watched.
 */
const unwatched: Readonly<Record<string, readonly string[]>> = {
  options: ['key'],
  channels: [
    'id',
    'key_enc',
    'created_time',
    'test_time',
    'response_time',
    'balance',
    'balance_updated_time',
    'used_quota',
  ],
  tokens: ['id', 'key_enc', 'created_time', 'accessed_time', 'remain_quota', 'used_quota', 'held'],
  users: [
    'id',
    'username_normalized',
    'password',
    'display_name',
    'nickname',
    'portrait',
    'email',
    'email_verified',
    'phone',
    'phone_verified_at',
    'access_token_hash',
    'quota',
    'used_quota',
    'request_count',
    'held',
    'aff_code',
    'aff_count',
    'aff_quota',
    'aff_history',
    'inviter_id',
    'created_at',
    'seen_at',
  ],
  model_square: ['model', 'created_time'],
};
const kinds: Readonly<Record<string, string>> = {
  channels: 'channels',
  tokens: 'token',
  users: 'user',
  model_square: 'models',
};

const user: NewUser = {
  username: 'ann',
  passwordHash: new Secret(''),
  role: 1,
  status: 1,
  group: 'default',
  createdAt: 1,
};

async function fillTables(storage: Storage): Promise<void> {
  await storage.options.set({ key: 'SystemName', value: 'x', hidden: false });
  await storage.users.insert(user);
  await storage.tokens.insert({ userId: 1, key: new Secret('k'), name: 'n', createdTime: 5 });
  await storage.channels.insertMany([
    { type: 1, key: new Secret('k'), name: 'n', models: 'm', createdTime: 5 },
  ]);
  await storage.modelSquare.insert({
    ...emptyEntry,
    model: 'gpt-4o',
    createdTime: 1,
    updatedTime: 1,
  });
}

function openEngine(url: string): Promise<Engine> {
  if (!url.startsWith('sqlite:')) return openPostgresEngine({ url, onError: () => {} });
  return openSqliteEngine({
    file: url.slice('sqlite:'.length),
    durability: 'normal',
    onDeath: () => {},
  });
}

const named = ({ rows }: { readonly rows: readonly { kind: string; key: string }[] }) =>
  rows.map(({ kind, key }) => `${kind} ${key}`).sort();

/**
 * A horizon behind all changes so far. On PostgreSQL it is that of the oldest transaction of the
 * whole server, which other tests share: what was noted after that began is given again.
 */
async function freshHorizon({ rowChanges }: Pick<Storage, 'rowChanges'>) {
  let { horizon } = await rowChanges.since(undefined);
  await expect
    .poll(async () => {
      ({ horizon } = await rowChanges.since(undefined));
      return named(await rowChanges.since(horizon));
    })
    .toEqual([]);
  return horizon;
}

forEachEngineInTurn('row changes', (engine) => {
  closeLedgersAfterEach();

  test('name each row that was inserted, changed or deleted since', async () => {
    const storage = await engine.open();
    const { rowChanges } = storage;
    let horizon = await freshHorizon(storage);
    const noted = async () => {
      const changes = await rowChanges.since(horizon);
      horizon = await freshHorizon(storage);
      return named(changes);
    };
    expect(await noted()).toEqual([]);
    await fillTables(storage);
    expect(await noted()).toEqual([
      'channels 1',
      'models gpt-4o',
      'options SystemName',
      'token 1',
      'user 1',
    ]);
    expect(await noted()).toEqual([]);
    await storage.options.setMany([{ key: 'Notice', value: 'y', hidden: false }], ['SystemName']);
    await storage.users.setStatus(1, 1, 2);
    await storage.tokens.softDelete(1, 9);
    await storage.channels.delete([1]);
    await storage.modelSquare.delete('gpt-4o');
    expect(await noted()).toEqual([
      'channels 1',
      'models gpt-4o',
      'options Notice',
      'options SystemName',
      'token 1',
      'user 1',
    ]);
  });

  test('are rolled back with their transaction', async () => {
    const storage = await engine.open();
    const horizon = await freshHorizon(storage);
    const failed = storage.transaction(async (inside) => {
      await fillTables(inside);
      throw new Error('changed my mind');
    });
    await expect(failed).rejects.toThrow('changed my mind');
    expect(named(await storage.rowChanges.since(horizon))).toEqual([]);
  });

  test('are not made by charges, uses, tests and balances; an allowance that becomes unlimited is one', async () => {
    const storage = await engine.open();
    const ledger = openLedger(storage);
    const userId = await addUser(storage);
    const tokenId = await addToken(storage, userId, 1000);
    await fillTables(storage);
    await storage.channels.updateTestResult(1, 50, 4, '');
    await storage.channels.updateBalance(1, { amount: 2, currency: '' }, 4);
    const horizon = await freshHorizon(storage);
    await grant(ledger, userId, 1000);
    const hold = await ledger.hold(holdFor(userId, tokenId, 100));
    await ledger.settle(hold, {
      ...charge(50),
      channelId: 1,
      log: logFor(userId, hold.requestId, 50),
    });
    await ledger.drain();
    await storage.tokens.touch([tokenId], 77);
    await storage.channels.updateTestResult(1, 100, 5, '');
    await storage.channels.updateBalance(1, { amount: 1, currency: '' }, 5);
    await storage.users.adjustInvite(userId, { affCount: 1 });
    await storage.users.update(userId, {
      username: (await storage.users.find(userId))?.username ?? '',
    });
    expect(named(await storage.rowChanges.since(horizon))).toEqual([]);
    await ledger.setTokenAllowance(tokenId, null, true);
    await ledger.drain();
    expect(named(await storage.rowChanges.since(horizon))).toEqual([`token ${tokenId}`]);
  });

  test.skipIf(engine.name === 'sqlite in memory')(
    'are noted for every column that is not excepted here',
    async () => {
      const url = await engine.freshUrl();
      const storage = await engine.open({ url });
      await fillTables(storage);
      const raw = await openEngine(url);
      onTestFinished(() => raw.close());
      const tables = (await raw.read.introspection.getTables()).filter(({ name }) =>
        Object.hasOwn(unwatched, name),
      );
      expect(tables.map(({ name }) => name).sort()).toEqual(Object.keys(unwatched).sort());
      const wrong: string[] = [];
      for (const { name: table, columns } of tables) {
        for (const { name: column, dataType } of columns) {
          if (table === 'options' && column === 'key') continue; // its primary key
          if (['id', 'model'].includes(column)) continue;
          const horizon = await freshHorizon(storage);
          const value = /int|double|float|real/i.test(dataType) ? sql`77` : sql`'changed'`;
          await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${value}`.execute(
            raw.write,
          );
          const isNoted = named(await storage.rowChanges.since(horizon)).some((row) =>
            row.startsWith(`${kinds[table] ?? table} `),
          );
          if (isNoted === (unwatched[table] ?? []).includes(column))
            wrong.push(`${table}.${column}`);
        }
      }
      expect(wrong).toEqual([]);
    },
  );

  test.skipIf(engine.name !== 'postgres')(
    'of a transaction that ends after a later one are not missed',
    async () => {
      const storage = await engine.open();
      const [first, second] = [
        await storage.users.insert(user),
        await storage.users.insert({ ...user, username: 'bob' }),
      ];
      let horizon = await freshHorizon(storage);
      const gate = Promise.withResolvers<void>();
      const begun = Promise.withResolvers<void>();
      const slow = storage.transaction(async (inside) => {
        await inside.users.setStatus(first, 1, 2);
        begun.resolve();
        await gate.promise;
      });
      await begun.promise;
      await storage.users.setStatus(second, 1, 2);
      const before = await storage.rowChanges.since(horizon);
      expect(named(before)).toEqual([`user ${second}`]);
      ({ horizon } = before);
      gate.resolve();
      await slow;
      expect(named(await storage.rowChanges.since(horizon))).toContain(`user ${first}`);
    },
  );

  test('are forgotten after a while, and counted on from the newest', async () => {
    const storage = await engine.open();
    await fillTables(storage);
    const horizon = await freshHorizon(storage);
    expect(await storage.rowChanges.prune(60)).toBe(0);
    expect(await storage.rowChanges.prune(-60)).toBeGreaterThanOrEqual(4);
    await storage.users.setStatus(1, 1, 2);
    expect(named(await storage.rowChanges.since(horizon))).toEqual(['user 1']);
  });

  test('beyond a thousand are cut', async () => {
    const storage = await engine.open();
    const horizon = await freshHorizon(storage);
    const keys = Array.from({ length: 1001 }, (_, index) => ({
      key: `k${index}`,
      value: '',
      hidden: false,
    }));
    await storage.options.setMany(keys.slice(1));
    expect(await storage.rowChanges.since(horizon)).toMatchObject({ isCut: false });
    await storage.options.setMany(keys.slice(0, 1));
    expect(await storage.rowChanges.since(horizon)).toMatchObject({ isCut: true, rows: [] });
  });
});
