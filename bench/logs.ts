/**
 * `npm run bench:logs`: builds five million log rows and five million postings of one user on
 * SQLite and PostgreSQL, and measures the calls that read them over HTTP, an export, and requests
 * while a million old rows are deleted. `--rows N` builds fewer rows, `--only sqlite` or `--only
 * postgres` measures one engine.
 */
import { readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { cpus } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Client } from 'pg';
import { startPostgresServer } from '../test/support/postgres-server.ts';
import { argument } from './harness/arguments.ts';
import { type Gateway, setUpSite, startGateway } from './harness/gateway.ts';
import { latencyOf, quantile } from './harness/latencies.ts';
import { type LogRows, logColumns, logSelect, sqliteNumbers } from './harness/log-rows.ts';
import { peakMegabytes } from './harness/process-usage.ts';
import { cleanUp, newFolder, startScript, stop } from './harness/processes.ts';

const main = join(import.meta.dirname, '..', 'dist', 'main.js');
const rowCount = Number(argument('--rows') ?? 5_000_000);
const only = argument('--only');

const day = 86_400;
const days = 90;
const now = Math.floor(Date.now() / 1000);
const begin = now - days * day;
const turns = 15;
const shape: LogRows = { rows: rowCount, users: 2000, begin, days };

const note = (text: string) =>
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);

/** Charges of 1 to 100 quota in turn, so that the balance after each is known without adding up. */
const paid = 1_000_000_000_000;
const chargedUpTo = (n: string) =>
  `(${n} + 4950 * (${n} / 100) + (${n} % 100) * (${n} % 100 + 1) / 2)`;
const ledgerSelect = (opening: number) =>
  `SELECT 1, 1, 'charge', -(1 + n % 100), ${opening + paid} - ${chargedUpTo('n')}, 'request-' || n, ${begin} + n * ${days * day} / ${rowCount}`;
const ledgerColumns = 'user_id, token_id, kind, amount, balance_after, reference, created_at';

function fillSql(opening: number, numbers: string): readonly string[] {
  const top = `INSERT INTO ledger (${ledgerColumns}) VALUES (1, NULL, 'top_up', ${paid}, ${opening + paid}, 'bench', ${begin})`;
  return [
    `INSERT INTO logs (${logColumns}) ${logSelect(shape, numbers)}`,
    top,
    `INSERT INTO ledger (${ledgerColumns}) ${ledgerSelect(opening)} FROM ${numbers}`,
    `UPDATE users SET quota = ${opening + paid} - ${chargedUpTo(String(rowCount))} WHERE id = 1`,
  ];
}

function fillSqlite(file: string): void {
  const database = new Database(file);
  database.pragma('synchronous = OFF');
  database.pragma('cache_size = -1000000');
  const { quota } = database.prepare('SELECT quota FROM users WHERE id = 1').get() as {
    quota: number;
  };
  for (const sql of fillSql(quota, sqliteNumbers(rowCount))) {
    note(sql.slice(0, 40));
    database.exec(sql);
  }
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
}

async function fillPostgres(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ quota: string }>('SELECT quota FROM users WHERE id = 1');
  for (const sql of fillSql(
    Number(rows[0]?.quota),
    `generate_series(1::bigint, ${rowCount}::bigint) AS numbers(n)`,
  )) {
    note(sql.slice(0, 40));
    await client.query(sql);
  }
  note('VACUUM ANALYZE');
  await client.query('VACUUM ANALYZE');
  await client.end();
}

const format = (ms: number) => (ms < 10 ? ms.toFixed(1) : String(Math.round(ms)));

async function measure(work: () => Promise<unknown>): Promise<string> {
  await work();
  const times: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const begun = performance.now();
    await work();
    times.push(performance.now() - begun);
  }
  return `${format(quantile(times, 0.5))} / ${format(Math.max(...times))}`;
}

/**
 * Chat requests one after the other on four connections until `until` resolves; the milliseconds of
 * each.
 */
async function chat(url: string, key: string, until: Promise<unknown>): Promise<number[]> {
  let isOver = false;
  until.finally(() => {
    isOver = true;
  });
  const times: number[] = [];
  const body = JSON.stringify({
    model: 'gpt-4o-mini',
    messages: [{ role: 'user', content: 'Hello' }],
    max_tokens: 20,
  });
  const worker = async () => {
    while (!isOver) {
      const begun = performance.now();
      const reply = await fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body,
      });
      await reply.text();
      if (reply.status !== 200) throw new Error(`a request was answered with ${reply.status}`);
      times.push(performance.now() - begun);
    }
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
  return times;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function prune(
  gateway: Gateway,
  before: number,
): Promise<{ deleted: number; seconds: number }> {
  const begun = performance.now();
  await gateway.call('POST', '/api/turnpike/log/prune', { target_timestamp: before });
  for (;;) {
    await pause(200);
    const { state, deleted } = (await gateway.call('GET', '/api/turnpike/log/prune')) as {
      state: string;
      deleted: number;
    };
    if (state === 'failed') throw new Error('the deletion failed');
    if (state !== 'running') return { deleted, seconds: (performance.now() - begun) / 1000 };
  }
}

async function exportAll(
  gateway: Gateway,
  folder: string,
): Promise<{ rows: number; seconds: number }> {
  const { key } = JSON.parse(readFileSync(join(folder, 'gateway.json'), 'utf8')) as { key: string };
  const begun = performance.now();
  const path = `/api/turnpike/log/export?format=jsonl&start_timestamp=${now - 10 * day}`;
  const reply = await fetch(gateway.url + path, { headers: { authorization: `Bearer ${key}` } });
  let rows = 0;
  for await (const chunk of reply.body ?? [])
    for (const byte of chunk as Uint8Array) if (byte === 10) rows += 1;
  return { rows, seconds: (performance.now() - begun) / 1000 };
}

const span = (length: number) => `start_timestamp=${now - length * day}&end_timestamp=${now}`;
const calls: readonly (readonly [string, string])[] = [
  ['list, first page, all time', '/api/log/?page_size=20'],
  ['list, 3 days', `/api/log/?page_size=20&${span(3)}`],
  ['list, page 10,000 of 20 rows', '/api/log/?page_size=20&p=10000'],
  ['list, last page', `/api/log/?page_size=20&p=${Math.floor(rowCount / 20)}`],
  ['list of a user, 31 days', `/api/log/?page_size=20&username=root&${span(31)}`],
  ['list of a model, 31 days', `/api/log/?page_size=20&model_name=model-3&${span(31)}`],
  ['list of a rare model, all time', '/api/log/?page_size=20&model_name=rare'],
  ['list of a channel and type, 31 days', `/api/log/?page_size=20&channel=3&type=5&${span(31)}`],
  ['statistics, all time', '/api/log/stat'],
  ['statistics, 3 days', `/api/log/stat?${span(3)}`],
  ['statistics, 31 days', `/api/log/stat?${span(31)}`],
  ['statistics of a user, 31 days', `/api/log/stat?username=root&${span(31)}`],
  ['statistics of a model, 31 days', `/api/log/stat?model_name=model-3&${span(31)}`],
  ['statistics of a channel and group, 31 days', `/api/log/stat?channel=3&group=vip&${span(31)}`],
  ['statement of a month, user with all postings', '/api/turnpike/ledger/statement?user_id=1'],
];

/**
 * Waits until the days that are over and the postings are summed, as they are some minutes after an
 * upgrade.
 */
async function summed(gateway: Gateway, countDays: () => Promise<number>): Promise<number> {
  const begun = performance.now();
  await gateway.call('GET', '/api/turnpike/ledger/statement?user_id=1');
  while ((await countDays()) < days - 1) await pause(500);
  return (performance.now() - begun) / 1000;
}

interface Figures {
  readonly engine: string;
  readonly lines: readonly (readonly [string, string])[];
}

async function run(
  engine: string,
  folder: string,
  databaseUrl: string | undefined,
): Promise<Figures> {
  const mock = startScript([join(import.meta.dirname, 'mock-upstream.ts')]);
  const first = await startGateway({ build: main, folder, databaseUrl });
  const key = await setUpSite(first, `http://127.0.0.1:${await mock.firstLine(/^(\d+)$/)}`);
  await stop(first.started);
  const file = join(folder, 'turnpike.db');
  if (databaseUrl === undefined) fillSqlite(file);
  else await fillPostgres(databaseUrl);

  const gateway = await startGateway({ build: main, folder, databaseUrl });
  const { pid } = gateway.started;
  const countDays = async () => {
    if (databaseUrl !== undefined) {
      const client = new Client({ connectionString: databaseUrl });
      await client.connect();
      const { rows } = await client.query<{ count: string }>('SELECT count(*) FROM log_days');
      await client.end();
      return Number(rows[0]?.count);
    }
    const database = new Database(file, { readonly: true });
    const { count } = database.prepare('SELECT count(*) AS count FROM log_days').get() as {
      count: number;
    };
    database.close();
    return count;
  };
  const lines: (readonly [string, string])[] = [];
  const report = (name: string, text: string) => {
    note(`${name}: ${text}`);
    lines.push([name, text]);
  };
  report(
    'first sums after the rows were there',
    `${format((await summed(gateway, countDays)) * 1000)} ms`,
  );
  for (const [name, path] of calls)
    report(name, `${await measure(() => gateway.call('GET', path))} ms`);
  const before = peakMegabytes(pid);
  const { rows, seconds } = await exportAll(gateway, folder);
  report(
    'export, rows per second (peak memory before, after)',
    `${Math.round(rows / seconds).toLocaleString('en')} (${before} MB, ${peakMegabytes(pid)} MB)`,
  );
  const latency = (times: readonly number[]) => {
    const { p50, p99, worst } = latencyOf(times);
    return `${format(p50)} / ${format(p99)} / ${format(worst)} ms`;
  };
  report('requests alone, p50 / p99 / max', latency(await chat(gateway.url, key, pause(15_000))));
  const pruning = prune(gateway, begin + Math.round((days * day) / 5));
  const meanwhile = await chat(gateway.url, key, pruning);
  const { deleted, seconds: took } = await pruning;
  report(
    `requests while ${deleted.toLocaleString('en')} rows are deleted, p50 / p99 / max`,
    latency(meanwhile),
  );
  report('the deletion took', `${Math.round(took)} s`);
  if (databaseUrl === undefined)
    report('size of the database', `${(statSync(file).size / 1e9).toFixed(1)} GB`);
  await stop(gateway.started);
  await stop(mock);
  return { engine, lines };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        resolve(typeof address === 'object' && address !== null ? address.port : 0),
      );
    });
  });
}

const results: Figures[] = [];
try {
  if (only !== 'postgres') {
    const folder = newFolder();
    results.push(await run('SQLite', folder, undefined));
    rmSync(folder, { recursive: true, force: true });
  }
  if (only !== 'sqlite') {
    const folder = newFolder();
    const port = await freePort();
    const server = await startPostgresServer(folder, port);
    const url = `postgres://postgres:password@127.0.0.1:${port}/postgres`;
    results.push(await run('PostgreSQL', newFolder(), url));
    await server.stop();
  }
} finally {
  cleanUp();
}
const cores = cpus();
process.stdout.write(
  `\n${cores[0]?.model ?? 'unknown'}, ${cores.length} cores, Node ${process.version}\n\n`,
);
process.stdout.write(
  `| ${rowCount.toLocaleString('en')} rows | ${results.map(({ engine }) => engine).join(' | ')} |\n`,
);
process.stdout.write(`|---${'|---'.repeat(results.length)}|\n`);
for (const [index, [name]] of (results[0]?.lines ?? []).entries()) {
  process.stdout.write(
    `| ${name} | ${results.map(({ lines }) => lines[index]?.[1] ?? '').join(' | ')} |\n`,
  );
}
process.exit(0);
