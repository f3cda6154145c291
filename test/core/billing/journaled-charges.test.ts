import { cpSync, existsSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { expect, test } from 'vitest';
import { maxQuota } from '../../../src/core/kernel/quota.ts';
import { close, closeSitesAfterEach, newFile, open, type Site } from './journaled-site.ts';
import { addToken, addUser, charge, codeOf, grant, holdFor, logFor } from './ledger-support.ts';

closeSitesAfterEach();

/** The files as a killed process leaves them. */
function copyFiles(file: string): string {
  const copy = newFile();
  for (const suffix of ['', '-wal', '-charges-0', '-charges-1']) {
    if (existsSync(file + suffix)) cpSync(file + suffix, copy + suffix);
  }
  return copy;
}

/** What is in the tables, without anything that waits for them. */
function quotaInTables(file: string, userId: number): unknown {
  const rows = new BetterSqlite3(file, { readonly: true });
  try {
    return rows.prepare('SELECT quota FROM users WHERE id = ?').pluck().get(userId);
  } finally {
    rows.close();
  }
}

async function settle(
  { ledger }: Pick<Site, 'ledger'>,
  userId: number,
  amount: number,
  tokenId = 0,
): Promise<number> {
  const hold = await ledger.hold(holdFor(userId, tokenId, amount));
  return ledger.settle(hold, { ...charge(amount), log: logFor(userId, hold.requestId, amount) });
}

test('a charge is committed before it is in the tables, and whoever reads them finds it there', async () => {
  const site = await open();
  const { file, storage, ledger } = site;
  const userId = await addUser(storage);
  const tokenId = await addToken(storage, userId, 500);
  await grant(ledger, userId, 1000);
  expect(await settle(site, userId, 10, tokenId)).toBe(990);
  expect(await settle(site, userId, 20, tokenId)).toBe(970);
  expect(quotaInTables(file, userId)).toBe(1000);
  expect(await ledger.balance(userId)).toEqual({ quota: 970, held: 0 });
  expect(ledger.queue()).toEqual({ waiting: 0, stalled: false });
  expect((await storage.tokens.find(tokenId))?.remainQuota).toBe(470);
  expect(quotaInTables(file, userId)).toBe(970);
  await settle(site, userId, 5, tokenId);
  expect(await ledger.verify()).toMatchObject({ ok: true, postings: 4 });
});

test('charges reach the tables by themselves', async () => {
  const site = await open();
  const userId = await addUser(site.storage);
  await grant(site.ledger, userId, 1000);
  await settle(site, userId, 10);
  await expect.poll(() => quotaInTables(site.file, userId)).toBe(990);
});

test('postings, allowances and charges keep their order', async () => {
  const site = await open();
  const { storage, ledger } = site;
  const userId = await addUser(storage);
  const tokenId = await addToken(storage, userId, 100);
  await grant(ledger, userId, 1000);
  await settle(site, userId, 10, tokenId);
  await ledger.setTokenAllowance(tokenId, 50 as never, false);
  const granted = settle(site, userId, 20, tokenId);
  await grant(ledger, userId, 5);
  await granted;
  const { items } = await storage.ledger.page({ userId }, { offset: 0, limit: 10 });
  expect(items.map(({ kind, balanceAfter }) => `${kind} ${balanceAfter}`).reverse()).toEqual([
    'grant 1000',
    'charge 990',
    'charge 970',
    'grant 975',
  ]);
  expect((await storage.tokens.find(tokenId))?.remainQuota).toBe(30);
  expect(await ledger.verify()).toMatchObject({ ok: true });
});

test('a charge that passes the range of quota is capped as the tables have it', async () => {
  const site = await open();
  const { storage, ledger } = site;
  const userId = await addUser(storage);
  await grant(ledger, userId, 1);
  const hold = await ledger.hold(holdFor(userId, 0, 1));
  expect(await ledger.settle(hold, charge(maxQuota))).toBe(1 - maxQuota);
  await grant(ledger, userId, maxQuota);
  const holds = [await ledger.hold(holdFor(userId, 0, 1))];
  expect(await ledger.settle(holds[0] as never, charge(maxQuota))).toBe(1 - maxQuota);
  expect(await ledger.balance(userId)).toEqual({
    quota: (await storage.users.find(userId))?.quota,
    held: 0,
  });
  expect(await ledger.verify()).toMatchObject({ ok: true });
});

test('what a killed process had committed is charged by the next, once, whichever opens the files', async () => {
  const site = await open();
  const userId = await addUser(site.storage);
  await grant(site.ledger, userId, 1000);
  for (let amount = 1; amount <= 10; amount += 1) await settle(site, userId, amount);
  const crashed = copyFiles(site.file);
  expect(quotaInTables(crashed, userId)).toBe(1000);
  for (const threads of [false, true, false]) {
    const next = await open(copyFiles(crashed), threads);
    expect((await next.storage.users.find(userId))?.quota).toBe(945);
    expect(next.log).toEqual([[expect.stringContaining('left in its journal'), { charges: 10 }]]);
    await close(next);
    const again = await open(next.file, !threads);
    expect(again.log).toEqual([]);
    expect(await settle(again, userId, 5)).toBe(940);
    expect(await again.ledger.verify()).toMatchObject({ ok: true, postings: 12 });
  }
});

test('charges that are missing among those that a killed process left are reported', async () => {
  const site = await open();
  const userId = await addUser(site.storage);
  await grant(site.ledger, userId, 1000);
  for (let amount = 1; amount <= 3; amount += 1) await settle(site, userId, amount);
  const crashed = copyFiles(site.file);
  const database = new BetterSqlite3(crashed);
  // As after a power cut that took the newest transactions of the tables, and a turn of the journal
  // with them.
  database.exec('UPDATE charge_journal SET applied = -2');
  database.close();
  const next = await open(crashed);
  expect((await next.storage.users.find(userId))?.quota).toBe(994);
  expect(next.log.at(-1)).toEqual([
    expect.stringContaining('the journal lacks charges'),
    { missing: 2 },
  ]);
});

test('a charge that the database refuses although it was committed is taken back and reported; the others are written', async () => {
  const site = await open();
  const { storage, ledger, log } = site;
  const userId = await addUser(storage);
  await grant(ledger, userId, 1000);
  const database = new BetterSqlite3(site.file);
  database.exec(
    "CREATE TRIGGER refuse BEFORE INSERT ON ledger WHEN NEW.amount = -2 BEGIN SELECT raise(ABORT, 'no'); END",
  );
  for (let amount = 1; amount <= 3; amount += 1) await settle(site, userId, amount);
  expect(await ledger.verify()).toMatchObject({ ok: true, postings: 3 });
  expect(await ledger.balance(userId)).toEqual({ quota: 996, held: 0 });
  expect(log).toEqual([
    [
      expect.stringContaining('refused'),
      expect.objectContaining({ settlement: expect.objectContaining({ amount: 2 }) }),
    ],
  ]);
  database.close();
});

test.each([true, false])(
  'a charge that has no JSON is refused and stops nobody (threads: %s)',
  async (threads) => {
    const site = await open(newFile(), threads);
    const { storage, ledger, log } = site;
    const userId = await addUser(storage);
    await grant(ledger, userId, 1000);
    const hold = await ledger.hold(holdFor(userId, 0, 1));
    const broken = { ...logFor(userId, hold.requestId, 1), content: 1n as unknown as string };
    const codes = [
      codeOf(ledger.settle(hold, { ...charge(1), log: broken })),
      codeOf(settle(site, userId, 2)),
    ];
    expect(await Promise.all(codes)).toEqual(['ledger_refused', 'ok']);
    expect(log.at(-1)).toEqual([
      expect.stringContaining('refused'),
      expect.objectContaining({ reason: expect.stringContaining('BigInt') }),
    ]);
    expect(await ledger.verify()).toMatchObject({ ok: true, postings: 2 });
    expect(await ledger.balance(userId)).toEqual({ quota: 998, held: 0 });
  },
);

test('while the tables cannot be written charges are committed, no request is admitted, and reads do not wait for ever', async () => {
  const site = await open();
  const { storage, ledger } = site;
  const userId = await addUser(storage);
  await grant(ledger, userId, 1000);
  const holds = [
    await ledger.hold(holdFor(userId, 0, 1)),
    await ledger.hold(holdFor(userId, 0, 2)),
  ];
  const database = new BetterSqlite3(site.file);
  database.exec('ALTER TABLE charge_journal RENAME TO hidden');
  await settle(site, userId, 10);
  const stalled = ledger.verify();
  await expect.poll(() => ledger.queue().stalled).toBe(true);
  expect(await codeOf(ledger.hold(holdFor(userId, 0, 1)))).toBe('ledger_unavailable');
  for (const [index, hold] of holds.entries())
    expect(await ledger.settle(hold, charge(index + 1))).toBe(990 - 1 - index * 2);
  expect((await storage.users.find(userId))?.quota).toBe(1000);
  const crashed = copyFiles(site.file);
  database.exec('ALTER TABLE hidden RENAME TO charge_journal');
  database.close();
  expect(await stalled).toMatchObject({ ok: true });
  expect((await storage.users.find(userId))?.quota).toBe(987);
  const copy = new BetterSqlite3(crashed);
  copy.exec('ALTER TABLE hidden RENAME TO charge_journal');
  copy.close();
  expect((await (await open(crashed)).storage.users.find(userId))?.quota).toBe(987);
});
