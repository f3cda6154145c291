/**
 * What the writer on SQLite reports: items at fault on one side, a database that is unavailable on
 * the other.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { planBatch } from '../../../src/core/billing/index.ts';
import { Secret } from '../../../src/core/kernel/secret.ts';
import { openDatabase } from '../../../src/core/open-database.ts';
import { fromFailure, toFailure } from '../../../src/core/storage/dialects/sqlite-errors.ts';
import type { PostingSettlement } from '../../../src/core/storage/ledger/settlement.ts';
import { createSqliteCommitter } from '../../../src/core/storage/ledger/sqlite-commit.ts';
import { RefusedItemError } from '../../../src/core/storage/ledger/write-errors.ts';
import { testMasterKey } from '../../support/storage.ts';

let folder: string;
let file: string;
let db: BetterSqlite3.Database;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-commit-'));
  file = join(folder, 'test.db');
  const storage = await openDatabase({ url: `sqlite:${file}`, masterKey: testMasterKey });
  const user = {
    username: 'ann',
    passwordHash: new Secret(''),
    role: 1,
    status: 1,
    group: 'default',
    createdAt: 1,
  };
  await storage.users.insert({ ...user, id: 1 });
  await storage.close();
  db = new BetterSqlite3(file, { timeout: 0 });
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true, force: true });
});

const grant: PostingSettlement = {
  kind: 'posting',
  posting: 'grant',
  userId: 1,
  amount: 5,
  reference: null,
  at: 1,
  log: null,
  guard: null,
};

/** The error as the calling thread sees it. */
function errorOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return fromFailure(toFailure(error));
  }
  return undefined;
}

test('an item that a constraint refuses is at fault, and nothing of its batch is written', () => {
  const commit = createSqliteCommitter(db, planBatch);
  const error = errorOf(() => commit([grant, { ...grant, posting: null as unknown as 'grant' }]));
  expect(error).toBeInstanceOf(RefusedItemError);
  expect(error).toMatchObject({ message: expect.stringContaining('NOT NULL') });
  expect(commit([grant])).toEqual([{ done: true, balance: 5 }]);
});

test('an item with a value that cannot be bound is at fault', () => {
  const commit = createSqliteCommitter(db, planBatch);
  expect(errorOf(() => commit([{ ...grant, reference: {} as unknown as string }]))).toBeInstanceOf(
    RefusedItemError,
  );
});

test('a locked database is unavailable until the lock is gone', () => {
  const commit = createSqliteCommitter(db, planBatch);
  const rival = new BetterSqlite3(file);
  rival.exec('begin immediate');
  expect(errorOf(() => commit([grant]))).toMatchObject({
    code: 'database_unavailable',
    params: { reason: 'SQLITE_BUSY' },
  });
  rival.close();
  expect(commit([grant])).toEqual([{ done: true, balance: 5 }]);
});

test('a full database is unavailable until there is room', () => {
  const commit = createSqliteCommitter(db, planBatch);
  db.pragma(`max_page_count = ${db.pragma('page_count', { simple: true })}`);
  const large = { ...grant, reference: 'x'.repeat(1_000_000) };
  expect(errorOf(() => commit([large]))).toMatchObject({
    code: 'database_unavailable',
    params: { reason: 'SQLITE_FULL' },
  });
  db.pragma('max_page_count = 100000');
  expect(commit([large])).toEqual([{ done: true, balance: 5 }]);
});
