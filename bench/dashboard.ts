/**
 * `node bench/dashboard.ts [--engine sqlite|postgres] [--users N] [--used N]`: how long the
 * dashboard's calls take over 31 days of a busy site, on SQLite and PostgreSQL. Every user has used
 * N of 30 models (all of them) in every hour. Measured from the handler to the text of the reply,
 * on a database of the same process.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { Client } from 'pg';
import type { App } from '../src/core/app.ts';
import { systemClock } from '../src/core/kernel/clock.ts';
import { createUsageSummary } from '../src/core/logs/usage-summary.ts';
import { openDatabase } from '../src/core/open-database.ts';
import { migrateStorage } from '../src/core/storage/open.ts';
import type { CallContext } from '../src/server/handlers/context.ts';
import { dataHandlers } from '../src/server/handlers/data.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { argument } from './harness/arguments.ts';

const users = Number(argument('--users') ?? 200);
/** How many of a user's models are used in an hour, of all. */
const used = Number(argument('--used') ?? 30);
const only = argument('--engine');
const models = 30;
const channels = 20;
const hours = 744;
const postings = 200_000;
const hour = 3600;
const end = Math.floor(Date.now() / 1000 / hour) * hour;
const begin = end - (hours - 1) * hour;
const masterKey = Buffer.from('a master key that guards nothing');

/** Each model is served by three channels. The statements work on both engines. */
const fill = [
  `WITH RECURSIVE users_of(u) AS (SELECT 1 UNION ALL SELECT u + 1 FROM users_of WHERE u < ${users}),
     models_of(m) AS (SELECT 1 UNION ALL SELECT m + 1 FROM models_of WHERE m < ${models}),
     hours_of(h) AS (SELECT ${begin} UNION ALL SELECT h + ${hour} FROM hours_of WHERE h < ${end})
   INSERT INTO quota_data (user_id, username, model_name, created_at, count, quota, token_used)
   SELECT u, 'user' || u, 'model-' || m, h, 3, 1000 + m * 37 + u, 4000 FROM hours_of, users_of, models_of WHERE (m + u + h / ${hour}) % ${models} < ${used}`,
  `WITH RECURSIVE channels_of(c) AS (SELECT 0 UNION ALL SELECT c + 1 FROM channels_of WHERE c < 2),
     models_of(m) AS (SELECT 1 UNION ALL SELECT m + 1 FROM models_of WHERE m < ${models}),
     hours_of(h) AS (SELECT ${begin} UNION ALL SELECT h + ${hour} FROM hours_of WHERE h < ${end})
   INSERT INTO channel_usage (created_at, channel_id, model_name, count, quota, token_used, cost, costed_count, costed_quota)
   SELECT h, 1 + (m + c * 7) % ${channels}, 'model-' || m, ${users}, 400000 + m, 4000, 90000000, ${users}, 400000 + m
   FROM hours_of, models_of, channels_of`,
  `WITH RECURSIVE postings_of(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM postings_of WHERE n < ${postings})
   INSERT INTO ledger (user_id, kind, amount, balance_after, created_at)
   SELECT 1 + n % ${users}, 'charge', -5, 1000000 - n, ${begin} + CAST(n AS bigint) * ${hours * hour} / ${postings} FROM postings_of`,
  'INSERT INTO ledger_hours (hour, first_id) SELECT created_at - created_at % 3600, min(id) FROM ledger GROUP BY 1',
];

async function fillSqlite(file: string): Promise<void> {
  const db = new BetterSqlite3(file);
  db.pragma('synchronous = off');
  for (const statement of fill) db.exec(statement);
  db.exec('ANALYZE');
  db.close();
}

async function fillPostgres(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  for (const statement of fill) await client.query(statement);
  await client.query('VACUUM ANALYZE');
  await client.end();
}

/** What the background job does day by day. */
async function gather(url: string): Promise<void> {
  const storage = await openDatabase({
    url,
    masterKey,
    threads: false,
    onDeath: (error) => console.error(error),
  });
  const start = performance.now();
  await storage.quotaData.gather(end);
  console.error(`gathered in ${Math.round(performance.now() - start)} ms`);
  await storage.close();
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('VACUUM ANALYZE');
  await client.end();
}

/** Middle and largest of several runs, ms; the first one is not counted. */
async function measure(
  call: () => Promise<unknown>,
): Promise<{ median: number; worst: number; bytes: number }> {
  let bytes = 0;
  const times: number[] = [];
  for (let run = 0; run < 12; run += 1) {
    const start = performance.now();
    bytes = JSON.stringify(await call()).length;
    if (run > 0) times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  return { median: times[Math.floor(times.length / 2)] ?? 0, worst: times.at(-1) ?? 0, bytes };
}

async function run(engine: string, url: string): Promise<void> {
  const storage = await openDatabase({
    url,
    masterKey,
    threads: engine === 'sqlite',
    onDeath: (error) => console.error(error),
  });
  const options = { get: () => 'hour' } as unknown as Parameters<
    typeof createUsageSummary
  >[0]['options'];
  const logs = createUsageSummary({ storage, options, clock: systemClock });
  const handlers = dataHandlers({ logs } as unknown as App);
  const context = { actor: { id: 1, username: 'user1', role: 100 } } as unknown as CallContext;
  const range = { start_timestamp: begin, end_timestamp: end, zone: 'Asia/Shanghai' };
  const site = { ...range, scope: 'site' as const, username: '' };
  const own = { ...range, scope: 'self' as const, username: '' };
  const calls: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['all users, by hour', async () => handlers.usage({ ...site, by: 'hour' }, context)],
    ['all users, by day', async () => handlers.usage({ ...site, by: 'day' }, context)],
    ['all users, by week', async () => handlers.usage({ ...site, by: 'week' }, context)],
    [
      'one user, by hour, with balances',
      async () => handlers.usage({ ...own, by: 'hour' }, context),
    ],
    ['one user, by day, with balances', async () => handlers.usage({ ...own, by: 'day' }, context)],
    ['margins, by day', async () => handlers.margins({ ...range, by: 'day' }, context)],
    ['margins, by hour', async () => handlers.margins({ ...range, by: 'hour' }, context)],
    ['`/api/data/`', async () => handlers.all({ ...range, username: '' }, context)],
    ['`/api/data/self`', async () => handlers.self(range, context)],
  ];
  for (const [name, call] of calls) {
    const { median, worst, bytes } = await measure(call);
    console.log(
      `| ${engine} | ${name} | ${median.toFixed(0)} | ${worst.toFixed(0)} | ${Math.round(bytes / 1024)} |`,
    );
  }
  await storage.close();
}

console.log(
  `${users} users × ${models} models (${used} used in an hour) × ${hours} hours, ${channels} channels, ${postings} postings\n`,
);
console.log('| engine | call | median ms | worst ms | reply KB |\n|---|---|---|---|---|');
if (only !== 'postgres') {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-bench-'));
  const file = join(folder, 'bench.db');
  await migrateStorage({ url: `sqlite:${file}`, masterKey });
  await fillSqlite(file);
  await run('sqlite', `sqlite:${file}`);
  rmSync(folder, { recursive: true, force: true });
}
if (only !== 'sqlite') {
  const server = await startPostgres();
  const url = await server.createDatabase();
  await migrateStorage({ url, masterKey });
  await fillPostgres(url);
  await run('postgres', url);
  await gather(url);
  await run('postgres, gathered', url);
  await server.stop();
}
