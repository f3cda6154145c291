/**
 * Daily sums of log rows while rows of the same day are deleted. Triggers of SQLite stand for the
 * other one at the right moment.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';
import { openDatabase } from '../../../src/core/open-database.ts';
import type { Storage } from '../../../src/core/storage/storage.ts';
import { testMasterKey } from '../../support/storage.ts';

const day = 86_400;

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

interface Opened {
  readonly storage: Storage;
  /** The same database for somebody who forgets no sums, such as a settlement. */
  readonly other: BetterSqlite3.Database;
}

/** Five rows of one day. */
async function openWithRows(trigger = ''): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-sums-'));
  const file = join(folder, 'test.db');
  const storage = await openDatabase({ url: `sqlite:${file}`, masterKey: testMasterKey });
  closing.push(async () => {
    other.close();
    await storage.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const times = [1, 2, 3, 4, 5].map((hour) => 10 * day + hour * 3600);
  await storage.logs.insertMany(
    times.map((createdAt) => ({ userId: 1, createdAt, type: 2, content: '' })),
  );
  const other = new BetterSqlite3(file);
  other.exec(trigger);
  return { storage, other };
}

/** The number of rows by the sums, and the rows themselves. */
async function count({ logs }: Storage): Promise<[number, number]> {
  const { total, items } = await logs.page({}, { offset: 0, limit: 100 });
  return [total, items.length];
}

test('rows that are deleted while their day is summed are not counted', async () => {
  const { storage } = await openWithRows(
    `CREATE TRIGGER prune AFTER INSERT ON log_sums BEGIN
       DELETE FROM log_days;
       DELETE FROM logs WHERE created_at < ${10 * day + 3 * 3600};
     END`,
  );
  await storage.logs.sumDays(20 * day);
  expect(await count(storage)).toEqual([3, 3]);
  await storage.logs.sumDays(20 * day);
  expect(await count(storage)).toEqual([3, 3]);
});

test('a day that is summed while its rows are deleted is forgotten', async () => {
  const { storage } = await openWithRows(
    `CREATE TRIGGER sum BEFORE DELETE ON logs BEGIN
       INSERT OR IGNORE INTO log_days (day, row_count, quota) VALUES (${10 * day}, 5, 0);
     END`,
  );
  await storage.logs.deletePiece(10 * day + 3 * 3600);
  expect(await count(storage)).toEqual([3, 3]);
});

test('a day that was summed while the clock was ahead is counted again', async () => {
  const { storage, other } = await openWithRows();
  await storage.logs.sumDays(12 * day);
  other.exec(
    `INSERT INTO logs (user_id, created_at, type, content) VALUES (1, ${10 * day + 7 * 3600}, 2, '')`,
  );
  await storage.logs.sumDays(10 * day + 8 * 3600);
  expect(await count(storage)).toEqual([6, 6]);
});
