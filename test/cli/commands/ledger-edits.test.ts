/**
 * `ledger verify` finds what was changed in a stopped site by something other than the gateway
 * (docs/rules/ledger.md#ledger-verify).
 */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linkGroup, rowText } from '../../../src/core/storage/ledger/chain.ts';
import { headOf, type LedgerSite, makeLedger, verifySite } from '../../support/ledger-site.ts';
import { postgresIsInstalled, startPostgres, type TestPostgres } from '../../support/postgres.ts';

type Row = Record<string, number | string>;

/** A stopped site that each test may change. */
interface Copy extends LedgerSite {
  /** Runs SQL on its database. */
  run(sql: string): Promise<readonly Row[]>;
}

const base = mkdtempSync(join(tmpdir(), 'turnpike-edits-'));
afterAll(() => rmSync(base, { recursive: true, force: true }));
let copies = 0;

async function expectBroken(
  copy: Copy,
  en: string | RegExp,
  zh: string | RegExp,
  ...argv: string[]
): Promise<void> {
  const found = await verifySite(copy, ...argv);
  expect([found.en.exitCode, found.zh.exitCode]).toEqual([1, 1]);
  expect(found.en.stdout).toMatch(en);
  expect(found.zh.stdout).toMatch(zh);
}

/** Token and user of a charge get back what it loses. */
const giveBack = (amount: number, userId: number, tokenId: number): readonly string[] => [
  `UPDATE users SET quota = quota + ${amount}, used_quota = used_quota - ${amount} WHERE id = ${userId}`,
  `UPDATE tokens SET remain_quota = remain_quota + ${amount}, used_quota = used_quota - ${amount} WHERE id = ${tokenId}`,
];

async function runAll({ run }: Copy, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await run(statement);
}

async function lastRows({ run }: Copy, count: number): Promise<readonly Row[]> {
  return run(`SELECT id, user_id, token_id, amount FROM ledger ORDER BY id DESC LIMIT ${count}`);
}

/**
 * Removes the last three postings; balances, tokens and the end of the chain are those of before.
 */
async function cutThree(copy: Copy): Promise<{ readonly last: number; readonly head: number }> {
  const rows = await lastRows(copy, 3);
  for (const { id, user_id, token_id, amount } of rows) {
    await runAll(copy, giveBack(-Number(amount), Number(user_id), Number(token_id)));
    await copy.run(`DELETE FROM ledger WHERE id = ${id}`);
  }
  const last = Number((await lastRows(copy, 1))[0]?.['id']);
  return { last, head: Number(rows[0]?.['id']) };
}

const moveEnd = `UPDATE ledger_chains SET last_id = newest.id, link = newest.link
  FROM (SELECT id, link FROM ledger ORDER BY id DESC LIMIT 1) newest WHERE name = 'ledger'`;

/** Gives all postings links that fit, as somebody can who knows how they are made. */
async function linkAnew({ run }: Copy): Promise<void> {
  const rows = await run(`SELECT id, ${rowText.ledger} AS text FROM ledger ORDER BY id`);
  let [{ link = '' } = {}] = await run(
    "SELECT start AS link FROM ledger_chains WHERE name = 'ledger'",
  );
  for (const { id, text } of rows) {
    [link = ''] = linkGroup(String(link), [{ id: Number(id), text: String(text) }]);
    await run(`UPDATE ledger SET link = '${link}' WHERE id = ${id}`);
  }
  await run(moveEnd);
}

function suite(makeCopy: () => Promise<Copy>): void {
  test('nothing that was not changed', async () => {
    const found = await verifySite(await makeCopy());
    expect(found.en.stdout).toMatch(
      /adds up: 3 users, 15 postings\nChain: 15 postings followed, all of them\nCompared with the newest/,
    );
    expect(found.zh.stdout).toMatch(
      /账本相符：3 个用户，15 个条目\n哈希链：已逐条校验全部 15 个条目\n已与数据文件夹/,
    );
    expect([found.en.exitCode, found.zh.exitCode]).toEqual([0, 0]);
  });

  test('a token that has used less, and may spend as much more', async () => {
    for (const id of [1, 2]) {
      const copy = await makeCopy();
      await copy.run(
        `UPDATE tokens SET used_quota = used_quota - 5, remain_quota = remain_quota + 5 WHERE id = ${id}`,
      );
      await expectBroken(
        copy,
        new RegExp(`token_used ${id} .* −5`),
        new RegExp(`token_used ${id} .* −5`),
      );
    }
  });

  test('the same with a row of allowances that explains it', async () => {
    const copy = await makeCopy();
    await copy.run(
      'UPDATE tokens SET used_quota = used_quota - 5, remain_quota = remain_quota + 5 WHERE id = 1',
    );
    await copy.run(`INSERT INTO token_allowances (id, token_id, amount, used, remain_after, created_at, link)
      SELECT max(id) + 1, 1, 0, -5, 700, 1, max(link) FROM token_allowances`);
    await expectBroken(copy, /allowance 2 is not what was written/, /令牌额度变更 2 与写入时不符/);
  });

  test('a last posting that was made smaller', async () => {
    const copy = await makeCopy();
    const [row] = await lastRows(copy, 1);
    const { id, user_id, token_id } = row ?? {};
    await runAll(copy, [
      `UPDATE ledger SET amount = amount + 5, balance_after = balance_after + 5 WHERE id = ${id}`,
      ...giveBack(5, Number(user_id), Number(token_id)),
    ]);
    await expectBroken(
      copy,
      `posting ${id} is not what was written`,
      `账本条目 ${id} 与写入时不符`,
    );
  });

  test('a charge that was moved to another user', async () => {
    const copy = await makeCopy();
    const [row] = await copy.run(
      "SELECT id, amount FROM ledger WHERE kind = 'charge' AND user_id = 2 ORDER BY id LIMIT 1",
    );
    const { id, amount } = row ?? {};
    await runAll(copy, [
      `UPDATE ledger SET user_id = 3, token_id = 3 WHERE id = ${id}`,
      ...giveBack(-Number(amount), 2, 1),
      ...giveBack(Number(amount), 3, 3),
    ]);
    await expectBroken(
      copy,
      `posting ${id} is not what was written`,
      `账本条目 ${id} 与写入时不符`,
    );
  });

  test('a charge that was moved to another token', async () => {
    const copy = await makeCopy();
    const [row] = await copy.run(
      'SELECT id, amount FROM ledger WHERE token_id = 1 ORDER BY id LIMIT 1',
    );
    const { id, amount } = row ?? {};
    await runAll(copy, [
      `UPDATE ledger SET token_id = 2 WHERE id = ${id}`,
      `UPDATE tokens SET remain_quota = remain_quota - ${amount}, used_quota = used_quota + ${amount} WHERE id = 1`,
      `UPDATE tokens SET remain_quota = remain_quota + ${amount}, used_quota = used_quota - ${amount} WHERE id = 2`,
    ]);
    await expectBroken(
      copy,
      `posting ${id} is not what was written`,
      `账本条目 ${id} 与写入时不符`,
    );
  });

  test('two charges with each other’s references, times or ids', async () => {
    for (const column of ['reference', 'created_at', 'id']) {
      const copy = await makeCopy();
      const rows = await copy.run(
        `SELECT id, reference FROM ledger WHERE kind = 'charge' ORDER BY id LIMIT 2`,
      );
      const [first, second] = rows;
      if (column === 'reference') {
        await copy.run(
          `UPDATE ledger SET reference = '${second?.['reference']}' WHERE id = ${first?.['id']}`,
        );
        await copy.run(
          `UPDATE ledger SET reference = '${first?.['reference']}' WHERE id = ${second?.['id']}`,
        );
      } else if (column === 'created_at') {
        await copy.run(`UPDATE ledger SET created_at = created_at - 1 WHERE id = ${first?.['id']}`);
      } else {
        await copy.run(`UPDATE ledger SET id = 1000000 WHERE id = ${first?.['id']}`);
        await copy.run(`UPDATE ledger SET id = ${first?.['id']} WHERE id = ${second?.['id']}`);
        await copy.run(`UPDATE ledger SET id = ${second?.['id']} WHERE id = 1000000`);
      }
      await expectBroken(
        copy,
        `posting ${first?.['id']} is not what was written`,
        `账本条目 ${first?.['id']} 与写入时不符`,
      );
    }
  });

  test('the last three postings cut off', async () => {
    const copy = await makeCopy();
    const { last, head } = await cutThree(copy);
    await expectBroken(
      copy,
      `the end is missing: posting ${last + 1} to ${head}`,
      `末尾缺失：账本条目 ${last + 1} 至 ${head}`,
    );
  });

  test('the same with an end of the chain that fits: by the link noted in the data folder, also after the next start', async () => {
    const copy = await makeCopy();
    const { head } = await cutThree(copy);
    await copy.run(moveEnd);
    for (let time = 0; time < 2; time += 1) {
      await expectBroken(copy, `posting ${head} is missing, or it`, `账本条目 ${head} 缺失`);
    }
  });

  test('a ledger with links that were all made anew: by the noted link, and without that by a seal that was kept elsewhere', async () => {
    const copy = await makeCopy();
    const sealed = join(copy.folder, 'seals.txt');
    const head = await headOf(copy);
    writeFileSync(sealed, `${head}\n{"type":"ledger_seal",${head.slice(1)}\n`);
    const [row] = await lastRows(copy, 1);
    const { id, user_id, token_id } = row ?? {};
    const whole = await verifySite(copy, '--sealed', sealed);
    expect(whole.en.stdout).toContain('Seals: 2 compared, all fit');
    expect(whole.zh.stdout).toContain('封存记录：已比对 2 条，全部相符');
    await runAll(copy, [
      `UPDATE ledger SET amount = amount + 5, balance_after = balance_after + 5 WHERE id = ${id}`,
      ...giveBack(5, Number(user_id), Number(token_id)),
    ]);
    await linkAnew(copy);
    await expectBroken(copy, `posting ${id} is missing, or it`, `账本条目 ${id} 缺失`);
    rmSync(join(copy.folder, 'ledger-head.json'));
    expect((await verifySite(copy)).en.exitCode).toBe(0);
    await expectBroken(
      copy,
      /Seals: 2 of 2 do not fit[\s\S]*posting \d+ is missing/,
      /2 条中有 2 条不符/,
      '--sealed',
      sealed,
    );
  });

  test('a posting that something else wrote', async () => {
    const copy = await makeCopy();
    const [row] = await lastRows(copy, 1);
    const id = Number(row?.['id']) + 1;
    await runAll(copy, [
      `INSERT INTO ledger (id, user_id, kind, amount, balance_after, created_at)
         SELECT ${id}, 2, 'grant', 500, quota + 500, 1 FROM users WHERE id = 2`,
      'UPDATE users SET quota = quota + 500 WHERE id = 2',
    ]);
    await expectBroken(
      copy,
      `posting ${id} was not written by the ledger`,
      `账本条目 ${id} 不是由账本写入的`,
    );
  });
}

describe('on SQLite', () => {
  const original = join(base, 'sqlite');
  beforeAll(() => makeLedger({ folder: original, environment: {} }));
  suite(async () => {
    copies += 1;
    const folder = join(base, `sqlite-${copies}`);
    cpSync(original, folder, { recursive: true });
    const run = async (text: string): Promise<readonly Row[]> => {
      const database = new Database(join(folder, 'turnpike.db'));
      try {
        const statement = database.prepare<[], Row>(text);
        if (statement.reader) return statement.all();
        statement.run();
        return [];
      } finally {
        database.close();
      }
    };
    return { folder, environment: {}, run };
  });
});

describe.skipIf(!postgresIsInstalled())('on PostgreSQL', () => {
  const original = join(base, 'postgres');
  let server: TestPostgres;
  let url: string;
  beforeAll(async () => {
    server = await startPostgres();
    url = await server.createDatabase();
    await makeLedger({ folder: original, environment: { SQL_DSN: url } });
  });
  afterAll(() => server?.stop());
  suite(async () => {
    copies += 1;
    const folder = join(base, `postgres-${copies}`);
    cpSync(original, folder, { recursive: true });
    const copy = await server.createDatabase(url);
    const run = async (text: string): Promise<readonly Row[]> => {
      const client = new Client({ connectionString: copy });
      await client.connect();
      try {
        return (await client.query<Row>(text)).rows;
      } finally {
        await client.end();
      }
    };
    return { folder, environment: { SQL_DSN: copy }, run };
  });
});
