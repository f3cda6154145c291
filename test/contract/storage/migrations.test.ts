/** Steps that move rows: the rows as an earlier release left them, and as they are afterwards. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { migrations } from '../../../migrations/index.ts';
import { readHead } from '../../../src/core/billing/ledger-head.ts';
import { verifyLedger } from '../../../src/core/billing/verify.ts';
import type { Engine } from '../../../src/core/storage/dialects/engine.ts';
import { openPostgresEngine } from '../../../src/core/storage/dialects/postgres.ts';
import { openSqliteEngine } from '../../../src/core/storage/dialects/sqlite.ts';
import { migrate } from '../../../src/core/storage/migrate.ts';
import { createVault } from '../../../src/core/storage/vault.ts';
import { forEachEngine, testMasterKey } from '../../support/storage.ts';

const vault = createVault(testMasterKey);

function openEngine(url: string): Promise<Engine> {
  if (!url.startsWith('sqlite:')) return openPostgresEngine({ url, onError: () => {} });
  return openSqliteEngine({
    file: url.slice('sqlite:'.length),
    durability: 'normal',
    onDeath: () => {},
  });
}

/** The steps before `name`. */
function stepsBefore(name: string) {
  const names = Object.keys(migrations);
  return Object.fromEntries(Object.entries(migrations).slice(0, names.indexOf(name)));
}

forEachEngine('migrations', (engine) => {
  test.skipIf(engine.name === 'sqlite in memory')(
    'a column of each provider becomes a row per identity',
    async () => {
      const url = await engine.freshUrl();
      const database = await openEngine(url);
      await migrate(database, vault, stepsBefore('0021-user-identities'));
      const insert = (name: string, github: string, linuxDo: string) =>
        sql`insert into users (username, username_normalized, password, github_id, linux_do_id, created_at)
        values (${name}, ${name}, '', ${github}, ${linuxDo}, 7)`.execute(database.write);
      await insert('ann', '77', '5');
      await insert('bob', '', '');
      await insert('cat', '78', '');
      expect((await migrate(database, vault)).executed).toContain('0021-user-identities');
      await database.close();

      const storage = await engine.open({ url });
      expect(await storage.userIdentities.listByUsers([1, 2, 3])).toEqual([
        { userId: 1, provider: 'github', subject: '77', createdAt: 7 },
        { userId: 1, provider: 'linux_do', subject: '5', createdAt: 7 },
        { userId: 3, provider: 'github', subject: '78', createdAt: 7 },
      ]);
      expect((await storage.users.findByUsername('cat'))?.id).toBe(3);
    },
  );

  test.skipIf(engine.name === 'sqlite in memory')(
    'redemption codes are encrypted, found and shown as before',
    async () => {
      const url = await engine.freshUrl();
      const database = await openEngine(url);
      await migrate(database, vault, stepsBefore('0025-sealed-redemption-keys'));
      await sql`insert into redemptions (key, name, quota, status) values ('code-a', 'a', 5, 1), ('code-b', 'b', 6, 3)`.execute(
        database.write,
      );
      await migrate(database, vault);
      const { rows } = await sql`select * from redemptions order by id`.execute(database.write);
      expect(JSON.stringify(rows)).not.toContain('code-');
      await database.close();

      const { redemptions } = await engine.open({ url });
      expect(await redemptions.findByKey('code-a')).toMatchObject({
        id: 1,
        name: 'a',
        quota: 5,
        status: 1,
      });
      expect((await redemptions.find(2))?.key.reveal()).toBe('code-b');
      expect(await redemptions.findByKey('code-c')).toBeNull();
    },
  );

  test.skipIf(engine.name === 'sqlite in memory')(
    'hourly sums and postings of before are found by hour',
    async () => {
      const url = await engine.freshUrl();
      const database = await openEngine(url);
      await migrate(database, vault, stepsBefore('0029-channel-usage'));
      await sql`insert into quota_data (user_id, username, model_name, created_at, count, quota, token_used) values
      (1, 'ann', 'm', 3600, 2, 10, 7), (2, 'bob', 'm', 3600, 1, 5, 3), (1, 'ann', 'n', 7200, 1, 1, 1)`.execute(
        database.write,
      );
      await sql`insert into ledger (user_id, kind, amount, balance_after, created_at) values
      (1, 'grant', 100, 100, 10), (2, 'grant', 9, 9, 20), (1, 'charge', -10, 90, 3700)`.execute(
        database.write,
      );
      expect((await migrate(database, vault)).executed).toContain('0029-channel-usage');
      await database.close();

      const { quotaData, ledger } = await engine.open({ url });
      const spans = { starts: [3600, 7200], end: 10_800 };
      const unknown = { channelId: 0, cost: 0, costedCount: 0, costedQuota: 0 };
      const rows = [...(await quotaData.listMargins(spans))].sort((a, b) => b.quota - a.quota);
      expect(rows).toEqual([
        { ...unknown, modelName: 'm', count: 3, quota: 15, tokenUsed: 10 },
        { ...unknown, modelName: 'n', count: 1, quota: 1, tokenUsed: 1 },
      ]);
      expect(await quotaData.list({ userId: 1 })).toHaveLength(2);
      expect(await ledger.balancesAt(1, [0, 3600, 7200])).toEqual([0, 100, 90]);
      // A row of before and a charge of now are one.
      await quotaData.add([
        {
          userId: 1,
          username: 'ann',
          channelId: 0,
          modelName: 'm',
          hour: 3600,
          quota: 4,
          tokens: 1,
        },
      ]);
      expect(await quotaData.listSums({ to: 3600 })).toMatchObject([
        { modelName: 'm', count: 4, quota: 19 },
      ]);
    },
  );

  test.skipIf(engine.name === 'sqlite in memory')(
    'the rolling window of all playgrounds becomes one of each, with what it counted of each',
    async () => {
      const url = await engine.freshUrl();
      const database = await openEngine(url);
      await migrate(database, vault, stepsBefore('0142-playground-windows'));
      const now = Math.floor(Date.now() / 1000);
      const [start, end] = [now - 3600, now + 3600];
      const budget = (id: number, owner: string, each: string, window: string) =>
        sql`insert into budgets (id, owner, owner_id, each, "window", period, amount)
        values (${id}, ${owner}, 'default', ${each}, ${window}, 'day', 1000)`.execute(
          database.write,
        );
      await budget(1, 'group', 'token', 'rolling');
      await budget(2, 'group', 'token', 'calendar');
      await budget(3, 'user', 'token', 'rolling');
      await budget(4, 'model', 'token', 'rolling');
      const window = (id: number, budgetId: number, subject: string, spent: number, ends = end) =>
        sql`insert into budget_windows (id, budget_id, revision, subject, starts_at, ends_at, spent)
        values (${id}, ${budgetId}, 0, ${subject}, ${ends === end ? start : 1}, ${ends}, ${spent})`.execute(
          database.write,
        );
      await window(11, 1, '0', 72);
      await window(12, 2, '0', 70);
      await window(13, 3, '0', 70);
      await window(14, 4, '0', 70);
      await window(15, 1, '5', 9);
      await window(16, 1, '0', 70, 100);
      const post = (
        user: number,
        token: number | null,
        kind: string,
        amount: number,
        text: unknown,
      ) =>
        sql`insert into ledger (user_id, token_id, kind, amount, balance_after, created_at, windows)
        values (${user}, ${token}, ${kind}, ${amount}, 0, ${now}, ${JSON.stringify(text)})`.execute(
          database.write,
        );
      await post(7, null, 'charge', -60, [11, 12, 13, 14]);
      await post(8, null, 'charge', -15, [11, 12, 13, 14]);
      await post(7, 5, 'charge', -9, [15]);
      await post(8, null, 'refund', 5, { 11: -5, 12: -5, 13: -5, 14: -5 });
      const { rows } = await sql<{ id: number }>`insert into ledger
        (user_id, kind, amount, balance_after, created_at) values (9, 'charge', -2, 0, ${now})
        returning id`.execute(database.write);
      await sql`insert into budget_charges (window_id, ledger_id, amount)
        values (11, ${rows[0]?.id}, 2)`.execute(database.write);
      expect((await migrate(database, vault)).executed).toContain('0142-playground-windows');
      await database.close();

      const { budgets } = await engine.open({ url });
      const open = await budgets.openWindows(now);
      expect(
        open
          .filter(({ id, subject }) => id < 11 || subject !== '0')
          .map((row) => [row.budgetId, row.subject, row.startsAt, row.endsAt, row.spent])
          .toSorted(),
      ).toEqual([
        [1, '-7', start, end, 60],
        [1, '-8', start, end, 10],
        [1, '-9', start, end, 2],
        [1, '5', start, end, 9],
        [4, '-7', start, end, 60],
        [4, '-8', start, end, 10],
      ]);
      expect((await budgets.verify()).filter(({ subject }) => subject.startsWith('-'))).toEqual([]);
    },
  );

  test.skipIf(engine.name === 'sqlite in memory')(
    'postings of before are covered by the chain as a whole',
    async () => {
      const url = await engine.freshUrl();
      const database = await openEngine(url);
      await migrate(database, vault, stepsBefore('0054-ledger-chain'));
      await sql`insert into users (username, username_normalized, password, quota, created_at) values ('ann', 'ann', '', 80, 7)`.execute(
        database.write,
      );
      await sql`insert into tokens (user_id, key_hash, key_enc, name, remain_quota, used_quota, created_time)
      values (1, 'a', 'a', 'charged', 80, 20, 5), (1, 'b', 'b', 'imported', 0, 7, 5), (1, 'c', 'c', 'both', 0, 7, 5)`.execute(
        database.write,
      );
      await sql`insert into token_allowances (token_id, amount, remain_after, created_at) values (1, 100, 100, 5), (2, 7, 0, 5), (3, 7, 0, 5)`.execute(
        database.write,
      );
      await sql`insert into ledger (user_id, token_id, kind, amount, balance_after, reference, created_at) values
      (1, null, 'grant', 104, 104, null, 10), (1, 1, 'charge', -20, 84, 'r', 20), (1, 3, 'charge', -4, 80, 's', 20)`.execute(
        database.write,
      );
      expect((await migrate(database, vault)).executed).toContain('0054-ledger-chain');
      await database.close();

      const storage = await engine.open({ url });
      const head = await readHead(storage.chains, 1);
      expect(await verifyLedger(storage, { noted: head })).toMatchObject({
        ok: true,
        chain: { linked: 0, earlier: 3, notedAt: 1, breaks: [] },
      });
      // What it uses besides its postings is a row of its allowances.
      const rows = (await storage.chains.rows('token_allowances', 0, 10)).map(({ id, text }) => [
        id,
        text,
      ]);
      expect(rows).toEqual([
        [1, '1 100 0 100 5'],
        [2, '2 7 0 0 5'],
        [3, '3 7 0 0 5'],
        [4, '2 0 7 0 5'],
        [5, '3 0 3 0 5'],
      ]);
      await storage.transaction((inside) =>
        inside.imports.post(
          [{ userId: 1, kind: 'import', amount: 80, balanceAfter: 80, reference: 'import:1' }],
          30,
        ),
      );
      const grown = await verifyLedger(storage, { noted: head });
      expect(grown.chain).toMatchObject({ linked: 1, earlier: 3, breaks: [] });
      await storage.close();

      const edits = [
        'update ledger set amount = amount + 1 where id = 2',
        'delete from ledger where id = 3',
      ];
      for (const edit of edits) {
        const editor = await openEngine(url);
        await sql.raw(edit).execute(editor.write);
        await editor.close();
        const again = await engine.open({ url });
        expect((await verifyLedger(again)).chain.breaks).toEqual([
          { table: 'ledger', reason: 'earlier', id: 1, until: 3 },
        ]);
        await again.close();
      }
    },
  );

  test.skipIf(engine.name === 'sqlite in memory')(
    'users were last seen when their sessions were',
    async () => {
      const url = await engine.freshUrl();
      const database = await openEngine(url);
      await migrate(database, vault, stepsBefore('0110-users-seen'));
      await sql`insert into users (username, username_normalized, password, created_at)
        values ('ann', 'ann', '', 7), ('bob', 'bob', '', 7)`.execute(database.write);
      await sql`insert into sessions (id_hash, user_id, created_at, last_seen, expires_at)
        values ('a', 1, 5, 20, 99), ('b', 1, 5, 30, 99)`.execute(database.write);
      await migrate(database, vault);
      const { rows } = await sql<{
        seen_at: number;
      }>`select seen_at from users order by id`.execute(database.write);
      expect(rows.map(({ seen_at }) => Number(seen_at))).toEqual([30, 0]);
      await database.close();
    },
  );

  test.skipIf(engine.name === 'sqlite in memory')(
    'a site keeps the prices that it has, a new one begins with the catalogue’s',
    async () => {
      const url = await engine.freshUrl();
      const database = await openEngine(url);
      await migrate(database, vault, stepsBefore('0084-kept-prices'));
      await sql`insert into users (username, username_normalized, password, created_at)
        values ('root', 'root', '', 7)`.execute(database.write);
      await sql`insert into options (key, value, sealed) values ('CacheRatio', '{"o3":0.7}', 0)`.execute(
        database.write,
      );
      await migrate(database, vault);
      const read = async (from: Engine) => {
        const { rows } = await sql<{ key: string; value: string }>`select key, value from options
          where key like '%Ratio' or key = 'ModelPrice'`.execute(from.write);
        return new Map(rows.map(({ key, value }) => [key, JSON.parse(value) as object]));
      };
      const kept = await read(database);
      expect(kept.get('CacheRatio')).toEqual({ o3: 0.7 });
      expect(kept.get('ModelRatio')).toMatchObject({ 'moonshot-v1-8k': expect.any(Number) });
      expect(kept.get('CompletionRatio')).toMatchObject({ 'gpt-4-1106-preview': 2 });
      expect(kept.get('CreateCacheRatio')).toEqual({});
      await database.close();

      const fresh = await openEngine(await engine.freshUrl());
      await migrate(fresh, vault);
      expect((await read(fresh)).size).toBe(0);
      await fresh.close();
    },
  );
});
