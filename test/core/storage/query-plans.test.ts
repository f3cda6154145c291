/**
 * How SQLite reads the tables that grow with every request: never all rows of them, and lists in
 * the order of an index.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openDatabase } from '../../../src/core/open-database.ts';
import type { OpenStorage } from '../../../src/core/storage/open.ts';
import type { LogFilter } from '../../../src/core/storage/storage.ts';
import { testMasterKey } from '../../support/storage.ts';

const day = 86_400;
const now = 40 * day + 5000;
const page = { offset: 0, limit: 20 };
const ranges: readonly LogFilter[] = [{}, { from: 10 * day + 7, to: 35 * day }];
const filters: readonly LogFilter[] = [
  {},
  { type: 2 },
  { userId: 3 },
  { user: 'user3' },
  { userId: 3, token: 'main' },
  { userId: 3, tokenId: 3 },
  { model: 'rare' },
  { model: 'gpt%' },
  { channel: 2, group: 'vip' },
  { request: '19700210012320123000000abcdefgh' },
];

let folder: string;
let url: string;
const opened: OpenStorage[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-plans-'));
  url = `sqlite:${join(folder, 'plans.db')}`;
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const storage of opened.splice(0)) await storage.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(): Promise<OpenStorage> {
  const storage = await openDatabase({ url, masterKey: testMasterKey });
  opened.push(storage);
  return storage;
}

async function fill({ logs }: OpenStorage): Promise<void> {
  const rows = Array.from({ length: 4000 }, (_, index) => ({
    userId: 1 + (index % 7),
    createdAt: index * 800,
    type: 2,
    content: 'x',
    username: `user${1 + (index % 7)}`,
    tokenName: 'main',
    modelName: index % 900 === 0 ? 'rare' : 'gpt-5.1',
  }));
  await logs.insertMany(rows);
  await logs.sumDays(now);
}

/** What SQLite does for each SELECT that `work` runs, by its text. */
async function plansOf(
  work: () => Promise<unknown>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const prepare = vi.spyOn(BetterSqlite3.prototype, 'prepare');
  await work();
  const texts = new Set(
    prepare.mock.calls.map(([text]) => text).filter((text) => /^(select|with)\b/i.test(text)),
  );
  prepare.mockRestore();
  const database = new BetterSqlite3(url.slice('sqlite:'.length), { readonly: true });
  const plans = [...texts].map((text) => {
    const values = Array.from(text.matchAll(/\?/g), () => 1);
    const steps = database.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...values) as {
      detail: string;
    }[];
    return [text, steps.map(({ detail }) => detail)] as const;
  });
  database.close();
  return new Map(plans);
}

/** The steps that read a whole table, or sort what an index has in order. */
const slow = (plans: ReadonlyMap<string, readonly string[]>) =>
  [...plans].flatMap(([text, steps]) =>
    // The newest rows by their id are the end of the table.
    /where/.test(text)
      ? steps.filter((step) => /^SCAN (logs|ledger)$/.test(step)).map((step) => `${step}: ${text}`)
      : [],
  );
const sorted = (plans: ReadonlyMap<string, readonly string[]>) =>
  [...plans].filter(
    ([text, steps]) => /from "logs"/.test(text) && steps.includes('USE TEMP B-TREE FOR ORDER BY'),
  );

test('lists, totals and statistics of the log', async () => {
  const storage = await open();
  await fill(storage);
  const plans = await plansOf(async () => {
    for (const range of ranges)
      for (const filter of filters) {
        await storage.logs.page({ ...filter, ...range }, page);
        await storage.logs.stat({ ...filter, ...range }, now);
        await storage.logs.listBefore(
          { ...filter, ...range },
          { createdAt: 30 * day, id: 3000 },
          20,
        );
      }
    await storage.logs.listSince(3000, 20);
    await storage.logs.deletePiece(day);
  });
  expect(plans.size).toBeGreaterThan(20);
  expect([...plans.keys()].join('\n')).toContain('from "logs"');
  expect(slow(plans)).toEqual([]);
  expect(sorted(plans)).toEqual([]);
});

test('postings, balances and statements', async () => {
  const storage = await open();
  const plans = await plansOf(async () => {
    await storage.ledger.page({ userId: 3 }, page);
    await storage.ledger.page({ userId: 3, kind: 'grant', from: 1, to: now }, page);
    await storage.ledger.balancesAt(3, [day, 2 * day]);
    await storage.ledger.findByReference('grant', 'one');
    await storage.ledger.findByReferences('grant', ['one', 'two']);
    await storage.ledger.sumByUser(3);
    await storage.statements.postingsAfter(3, 5, 100);
    await storage.statements.movements(3, { after: 5, upTo: 500 }, page);
    await storage.statements.movements(3, { after: 5, upTo: 500, kind: 'grant' }, page);
    await storage.statements.postingsBetween(5, 500, 100);
    await storage.statements.progressOf([3, 4], 500);
    await storage.statements.newestPosting();
  });
  expect([...plans.keys()].join('\n')).toContain('from "ledger"');
  expect(slow(plans)).toEqual([]);
});
