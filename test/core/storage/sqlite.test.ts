import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Secret } from '../../../src/core/kernel/secret.ts';
import { type DatabaseOptions, openDatabase } from '../../../src/core/open-database.ts';
import { type Settlement, textOfBatch } from '../../../src/core/storage/ledger/settlement.ts';
import type { OpenStorage } from '../../../src/core/storage/open.ts';
import { mountSmallDisk } from '../../support/small-disk.ts';
import { testMasterKey } from '../../support/storage.ts';

let folder: string;
let file: string;
const opened: OpenStorage[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-sqlite-'));
  file = join(folder, 'test.db');
});
afterEach(async () => {
  for (const storage of opened.splice(0)) await storage.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(options: Partial<DatabaseOptions> = {}): Promise<OpenStorage> {
  const storage = await openDatabase({
    url: `sqlite:${file}`,
    masterKey: testMasterKey,
    threads: true,
    ...options,
  });
  opened.push(storage);
  return storage;
}

const user = (username: string) => ({
  username,
  passwordHash: new Secret(''),
  role: 1,
  status: 1,
  group: 'default',
  createdAt: 1,
});
const grant = (userId: number, amount: number, reference: string): Settlement => ({
  kind: 'posting',
  posting: 'grant',
  userId,
  amount,
  reference,
  at: 1,
  log: null,
  guard: null,
});

test('postings beyond the range of balances do not stop the sums for statements', async () => {
  const storage = await open();
  const raw = new BetterSqlite3(file);
  raw
    .prepare(
      "INSERT INTO ledger (user_id, kind, amount, balance_after, created_at) VALUES (7, 'top_up', 5, 1 << 62, 1)",
    )
    .run();
  raw.close();
  const nearest = Number.MAX_SAFE_INTEGER;
  expect(await storage.statements.postingsBetween(0, 10, 10)).toMatchObject([
    { userId: 7, amount: 5, balanceAfter: nearest },
  ]);
  expect(await storage.statements.postingsAfter(7, 0, 10)).toMatchObject([
    { userId: 7, amount: 5, balanceAfter: nearest },
  ]);
});

test('no encrypted secret is in the files in clear', async () => {
  const storage = await open();
  const secrets = [
    'tokenkeytokenkey',
    'channelkeychannelkey',
    'hiddenoptionvalue',
    'webhooksecretwebhook',
  ];
  const [tokenKey = '', channelKey = '', hidden = '', webhook = ''] = secrets;
  const id = await storage.users.insert({
    ...user('ann'),
    setting: JSON.stringify({ webhook_secret: webhook }),
  });
  await storage.users.update(id, {
    setting: JSON.stringify({ webhook_secret: webhook, again: true }),
  });
  await storage.tokens.insert({
    userId: id,
    key: new Secret(tokenKey),
    name: 'plain token name',
    createdTime: 1,
  });
  await storage.channels.insertMany([
    { type: 1, key: new Secret(channelKey), name: 'c', models: 'm', createdTime: 1 },
  ]);
  await storage.options.set({ key: 'SMTPToken', value: hidden, hidden: true });
  await storage.close();
  opened.length = 0;
  const bytes = readdirSync(folder)
    .map((name) => readFileSync(join(folder, name)).toString('latin1'))
    .join('');
  expect(bytes).toContain('plain token name');
  for (const secret of secrets) expect(bytes).not.toContain(secret);
});

test('another master key decrypts nothing', async () => {
  const storage = await open();
  await storage.options.set({ key: 'SMTPToken', value: 'x', hidden: true });
  const other = await open({ masterKey: Buffer.from('other'), threads: false });
  expect(await other.options.list()).toEqual([
    { key: 'SMTPToken', value: '', hidden: true, unreadable: true },
  ]);
});

test('only the owner can read the file, and it is a single file when closed', async () => {
  const storage = await open();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await storage.users.insert(user('ann'));
  await storage.close();
  opened.length = 0;
  expect(readdirSync(folder)).toEqual(['test.db']);
  expect(await (await open()).users.count()).toBe(1);
});

test('settlements wait for an open transaction and keep their order', async () => {
  const storage = await open();
  const id = await storage.users.insert(user('ann'));
  const order: string[] = [];
  const settling = Promise.withResolvers<void>();
  const transaction = storage.transaction(async (inside) => {
    await inside.users.update(id, { nickname: 'a' });
    await settling.promise;
    await inside.users.update(id, { nickname: 'b' });
    order.push('transaction');
  });
  const first = storage
    .settle?.(textOfBatch([grant(id, 5, 'one'), grant(id, 6, 'two')]))
    .then((results) => {
      order.push('first');
      return results;
    });
  const write = storage.users.update(id, { displayName: 'c' }).then(() => order.push('write'));
  const second = storage
    .settle?.(textOfBatch([grant(id, 7, 'three'), grant(id, 7, 'one')]))
    .then((results) => {
      order.push('second');
      return results;
    });
  settling.resolve();
  await Promise.all([transaction, write]);
  expect(await first).toEqual([
    { done: true, balance: 5 },
    { done: true, balance: 11 },
  ]);
  expect(await second).toEqual([
    { done: true, balance: 18 },
    { done: false, balance: 18 },
  ]);
  expect(order).toEqual(['transaction', 'first', 'write', 'second']);
  expect(await storage.ledger.verify()).toEqual([]);
});

test('a failed batch is rolled back and the thread keeps running', async () => {
  const storage = await open();
  const id = await storage.users.insert(user('ann'));
  const broken = { ...grant(id, 1, 'b'), posting: null as unknown as 'grant' };
  await expect(storage.settle?.(textOfBatch([grant(id, 5, 'a'), broken]))).rejects.toThrow(
    'NOT NULL',
  );
  expect((await storage.users.find(id))?.quota).toBe(0);
  expect(await storage.settle?.(textOfBatch([grant(id, 5, 'a')]))).toEqual([
    { done: true, balance: 5 },
  ]);
});

test('the write-ahead log is copied back without blocking the writer', async () => {
  const storage = await open({ durability: 'normal' });
  const content = 'x'.repeat(10_000);
  for (let round = 0; round < 30; round++) {
    await storage.transaction(async (inside) => {
      for (let index = 0; index < 50; index++)
        await inside.logs.insert({ userId: 1, createdAt: 1, type: 4, content });
    });
  }
  // 15 MB were written; the main file only grows when a checkpoint ran.
  await expect.poll(() => statSync(file).size, { timeout: 30_000 }).toBeGreaterThan(14_000_000);
});

test('a disk that is too full for a checkpoint ends no thread, and the checkpoint follows', async ({
  skip,
}) => {
  const disk = mountSmallDisk(24);
  if (disk === undefined) return skip('this process may not mount a disk (it needs root)');
  const deaths: Error[] = [];
  const full = join(disk.path, 'test.db');
  const storage = await open({ url: `sqlite:${full}`, onDeath: (error) => deaths.push(error) });
  const before = statSync(full).size;
  disk.fill(7_000_000);
  await storage.options.set({ key: 'large', value: 'x'.repeat(6_000_000), hidden: false });
  await expect.poll(() => statSync(full).size).toBeGreaterThan(before); // it has tried
  disk.fill();
  await expect(
    storage.options.set({ key: 'next', value: 'x'.repeat(100_000), hidden: false }),
  ).rejects.toMatchObject({
    code: 'database_unavailable',
    params: { problem: 'rule.file.diskFull' },
  });
  expect(await storage.users.count()).toBe(0);
  disk.free();
  await expect.poll(() => statSync(full).size).toBeGreaterThan(6_000_000);
  await storage.options.set({ key: 'next', value: 'x', hidden: false });
  expect(deaths).toEqual([]);
  await storage.close();
  opened.splice(opened.indexOf(storage), 1);
  disk.remove();
});

test('reports an unavailable database when another process has locked it', async () => {
  const storage = await open({ threads: false });
  const rival = new BetterSqlite3(file);
  rival.exec('begin exclusive');
  try {
    await expect(storage.users.insert(user('ann'))).rejects.toMatchObject({
      code: 'database_unavailable',
    });
  } finally {
    rival.exec('rollback');
    rival.close();
  }
  await storage.users.insert(user('ann'));
});

test('a file that is not a database is refused', async () => {
  writeFileSync(file, 'this is not a database at all, whatever its name says');
  await expect(open()).rejects.toMatchObject({
    code: 'database_unavailable',
    params: { reason: 'SQLITE_NOTADB' },
  });
});

test('a missing folder, and threads on a file without tables, are reported', async () => {
  const missing = open({ url: `sqlite:${join(folder, 'nowhere', 'x.db')}` });
  await expect(missing).rejects.toMatchObject({
    code: 'database_unavailable',
    params: { reason: 'ENOENT' },
  });
  await expect(open({ migrate: false })).rejects.toMatchObject({ code: 'database_unavailable' });
});

test('after closing, every call fails', async () => {
  const storage = await open();
  await storage.close();
  await storage.close();
  await expect(storage.users.find(1)).rejects.toMatchObject({ code: 'database_unavailable' });
  await expect(storage.users.insert(user('late'))).rejects.toMatchObject({
    code: 'database_unavailable',
  });
});

test('an unknown kind of URL is refused', async () => {
  await expect(open({ url: 'mysql://x' })).rejects.toThrow('sqlite: or postgres:');
});

test('a list beyond the count limit still offers the next page', async () => {
  const storage = await open({ durability: 'normal' });
  const rows = storage.logs.totalCap + 1000;
  const filler = new BetterSqlite3(file);
  // The old half is of another type than the newest rows.
  filler.exec(`insert into logs (created_at, type)
    with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${rows}) select n, iif(n <= 500, 1, 2) from numbers`);
  filler.close();
  const newest = await storage.logs.page({}, { offset: 0, limit: 10 });
  expect(newest.items[0]?.createdAt).toBe(rows);
  expect(newest.total).toBeGreaterThanOrEqual(storage.logs.totalCap);
  const rare = await storage.logs.page({ type: 1 }, { offset: 20, limit: 10 });
  expect(rare.items.map(({ createdAt }) => createdAt)).toEqual([
    480, 479, 478, 477, 476, 475, 474, 473, 472, 471,
  ]);
  expect(rare.total).toBe(31);
  expect(await storage.logs.page({ type: 1 }, { offset: 490, limit: 20 })).toMatchObject({
    total: 500,
  });
  expect((await storage.logs.page({ type: 1, to: 1000 }, { offset: 0, limit: 10 })).total).toBe(
    500,
  );
});

test('rare look-ups use their partial indexes', async () => {
  const storage = await open();
  await storage.close();
  opened.length = 0;
  const reader = new BetterSqlite3(file);
  const plan = (sql: string) => JSON.stringify(reader.prepare(`explain query plan ${sql}`).all());
  const indexes = [
    [
      `select * from users where email = 'x' and email != '' and email_verified = 1`,
      'users_email_unique',
    ],
    [
      `select * from ledger where kind = 'grant' and kind != 'charge' and reference = 'x'`,
      'ledger_reference_unique',
    ],
    [`select * from tasks where progress != '100%' order by id`, 'tasks_unfinished'],
    [
      `select id from logs where type = 2 order by created_at desc, id desc limit 9`,
      'COVERING INDEX logs_created_at',
    ],
    [`select sum(quota) from logs where user_id = 1 and type = 2`, 'COVERING INDEX logs_user_id'],
  ] as const;
  for (const [sql, index] of indexes) {
    expect(plan(sql)).toContain(index);
    expect(plan(sql)).not.toContain('TEMP B-TREE');
  }
  reader.close();
});
