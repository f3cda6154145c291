/**
 * Data folders of sites with many users, tokens and log rows. A site is made once for each build;
 * one with log rows stays in the system's folder for temporary files for a day, because it takes
 * half a minute.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { sumEverybody } from '../../src/core/billing/statement-sums.ts';
import { systemClock } from '../../src/core/kernel/clock.ts';
import { openDatabase } from '../../src/core/open-database.ts';
import { cryptoSecret, setUpSite, startGateway } from './gateway.ts';
import {
  type LogRows,
  logColumns,
  logSelect,
  sqliteNumbers,
  timeOfRow,
  userOfRow,
} from './log-rows.ts';
import { newFolder, removeFolder, stop } from './processes.ts';
import { type NewRow, openingQuota, type Row, userRows, users } from './user-rows.ts';

/** Change it when what is filled in here changes. */
const version = 2;
const day = 86_400;
/** The log rows lie in the days before today. */
const days = 30;
const keptSites = join(tmpdir(), 'turnpike-bench-sites');
const fewestKeptRows = 50_000;

const databaseOf = (folder: string): string => join(folder, 'turnpike.db');

function insertRow(database: Database.Database, [table, row]: NewRow): void {
  const columns = Object.keys(row);
  const statement = `INSERT INTO ${table} (${columns.map((name) => `"${name}"`).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
  database.prepare(statement).run(...Object.values(row));
}

function addUsers(database: Database.Database): void {
  const first = (table: string) =>
    database.prepare(`SELECT * FROM ${table} WHERE id = 1`).get() as Row;
  for (const row of userRows(first('users'), first('tokens'))) insertRow(database, row);
}

/** Log rows and a posting for each. */
function addLogRows(database: Database.Database, rows: number): void {
  const begin = Math.floor(Date.now() / 1000 / day - days) * day;
  const shape: LogRows = { rows, users, begin, days };
  database.exec(`INSERT INTO logs (${logColumns}) ${logSelect(shape, sqliteNumbers(rows))}`);
  database.exec(`INSERT INTO ledger (user_id, token_id, kind, amount, balance_after, reference, created_at)
    SELECT u, NULL, 'charge', -5, ${openingQuota} - 5 * row_number() OVER (PARTITION BY u ORDER BY n), 'request-' || n, ${timeOfRow(shape)}
    FROM (SELECT n, ${userOfRow(shape)} AS u FROM ${sqliteNumbers(rows)}) WHERE u > 1 ORDER BY n`);
  database.exec(
    `UPDATE users SET quota = (SELECT sum(amount) FROM ledger WHERE ledger.user_id = users.id) WHERE id > 1`,
  );
}

function openFile(folder: string): Database.Database {
  const database = new Database(databaseOf(folder));
  database.pragma('synchronous = OFF');
  database.pragma('cache_size = -500000');
  return database;
}

function fill(folder: string, work: (database: Database.Database) => void): void {
  const database = openFile(folder);
  database.transaction(work)(database);
  database.pragma('wal_checkpoint(TRUNCATE)');
  database.close();
}

function schemaOf(folder: string): string {
  const database = openFile(folder);
  const { name } = database.prepare('SELECT max(name) AS name FROM schema_migrations').get() as {
    name: string;
  };
  database.close();
  return name;
}

/**
 * The gateway sums days of the log, and postings for statements, in the background: here it is done
 * before it starts.
 */
async function sumRows(folder: string): Promise<void> {
  const url = `sqlite:${databaseOf(folder)}`;
  const storage = await openDatabase({ url, masterKey: Buffer.from(cryptoSecret), migrate: false });
  await storage.logs.sumDays(Math.floor(Date.now() / 1000));
  await sumEverybody(storage, systemClock, new AbortController().signal);
  await storage.close();
}

async function emptySite(build: string): Promise<string> {
  const folder = newFolder();
  const gateway = await startGateway({ build, folder });
  await setUpSite(gateway, 'http://127.0.0.1:1');
  await stop(gateway.started);
  fill(folder, addUsers);
  return folder;
}

async function siteWithRows(empty: string, rows: number): Promise<string> {
  const today = Math.floor(Date.now() / 1000 / day);
  const kept = join(keptSites, `${today}-${version}-${schemaOf(empty)}-${rows}`);
  if (existsSync(kept)) return kept;
  const folder = newFolder();
  cpSync(empty, folder, { recursive: true });
  fill(folder, (database) => addLogRows(database, rows));
  await sumRows(folder);
  if (rows < fewestKeptRows) return folder;
  mkdirSync(keptSites, { recursive: true });
  for (const name of readdirSync(keptSites))
    if (!name.startsWith(`${today}-`)) removeFolder(join(keptSites, name));
  renameSync(folder, kept);
  return kept;
}

export interface Sites {
  /** A new folder of a site with that many log rows, whose channel leads to `upstream`. */
  folder(rows: number, upstream: string): Promise<string>;
}

export function sitesOf(build: string): Sites {
  const made = new Map<number, Promise<string>>();
  const template = (rows: number): Promise<string> => {
    const found = made.get(rows);
    if (found !== undefined) return found;
    const making =
      rows === 0 ? emptySite(build) : template(0).then((empty) => siteWithRows(empty, rows));
    made.set(rows, making);
    return making;
  };
  return {
    async folder(rows, upstream) {
      const folder = newFolder();
      cpSync(await template(rows), folder, { recursive: true });
      fill(folder, (database) =>
        database.prepare('UPDATE channels SET base_url = ?').run(upstream),
      );
      return folder;
    },
  };
}
