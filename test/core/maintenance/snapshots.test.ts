import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrations } from '../../../migrations/index.ts';
import { loadConfig } from '../../../src/core/config/load.ts';
import { migrateSite } from '../../../src/core/maintenance/migrate-site.ts';
import { snapshotBeforeMigration } from '../../../src/core/maintenance/snapshots.ts';
import { openSqliteEngine } from '../../../src/core/storage/dialects/sqlite.ts';
import { migrate } from '../../../src/core/storage/migrate.ts';
import { createVault } from '../../../src/core/storage/vault.ts';
import { runCli } from '../../cli/run-cli.ts';
import { makeSite, openSite } from '../../support/data-folder-site.ts';
import { testMasterKey } from '../../support/storage.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-snapshots-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const last = Object.keys(migrations).at(-1) ?? '';

/** The database of an earlier version: without the last migration, and with a setup. */
async function makeOldDatabase(): Promise<void> {
  const file = join(folder, 'turnpike.db');
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
  const engine = await openSqliteEngine({ file, durability: 'normal', onDeath: () => {} });
  const steps = Object.fromEntries(Object.entries(migrations).filter(([name]) => name !== last));
  await migrate(engine, createVault(testMasterKey), steps);
  await engine.write
    .insertInto('options')
    .values({ key: 'SystemName', value: 'old', sealed: 0 })
    .execute();
  await engine.close();
  writeFileSync(
    join(folder, 'secret.json'),
    JSON.stringify({ session_secret: 's', crypto_secret: testMasterKey.toString() }),
  );
}
/** As a start does. */
const migrateFolder = async (environment: NodeJS.ProcessEnv = {}) => {
  const { config } = loadConfig({ flags: { 'data-dir': folder }, environment, cwd: folder });
  await migrateSite(config, silent(), 1);
};
const snapshots = () => readdirSync(join(folder, 'snapshots')).sort();
const config = () => ({
  dataDir: folder,
  sqlitePath: join(folder, 'turnpike.db'),
  databaseUrl: '',
  snapshotBeforeMigration: true,
});

test('a start that migrates copies the database first, and keeps the newest three copies', async () => {
  await makeSite(folder, 0);
  await openSite(folder).use((client) => client.system.status());
  // neither a new site nor a start without migrations makes one
  expect(() => snapshots()).toThrow();
  await makeOldDatabase();
  await migrateFolder();
  await openSite(folder).use(async (client) =>
    expect((await client.system.status()).system_name).toBe('old'),
  );
  const [first = ''] = snapshots();
  expect(statSync(join(folder, 'snapshots', first)).mode & 0o777).toBe(0o600);
  const copy = new Database(join(folder, 'snapshots', first), { readonly: true });
  expect(copy.prepare('SELECT value FROM options').pluck().all()).toEqual(['old']);
  expect(
    copy.prepare('SELECT count(*) FROM schema_migrations WHERE name = ?').pluck().get(last),
  ).toBe(0);
  copy.close();
  await makeOldDatabase();
  for (const now of [1, 2, 3, 4])
    await snapshotBeforeMigration({ config: config(), logger: silent(), now });
  expect(snapshots()).toHaveLength(3);
});

const silent = (warn: (fields: object, text: string) => void = () => {}) => ({
  debug() {},
  info() {},
  warn,
  error() {},
});

test('without room or where it is switched off no copy is made, and the start goes on', async () => {
  await makeOldDatabase();
  const warnings: string[] = [];
  const logger = silent((_, text) => warnings.push(text));
  const none = await snapshotBeforeMigration({
    config: config(),
    logger,
    now: 1,
    hasRoomFor: () => false,
  });
  expect(none).toBeUndefined();
  expect(warnings).toEqual([expect.stringContaining('too little room')]);
  await migrateFolder({ SNAPSHOT_BEFORE_MIGRATION: 'false' });
  expect(() => snapshots()).toThrow();
});

test('migrate lists what is pending, executes it, and has nothing more to do', async () => {
  await makeOldDatabase();
  const run = (...flags: string[]) => runCli(['migrate', '--data-dir', folder, '--json', ...flags]);
  expect((await run('--dry-run')).json()).toEqual({ pending: [last], unknown: [] });
  expect((await run()).json()).toMatchObject({
    executed: [last],
    snapshot: expect.stringContaining('before-migration'),
  });
  expect((await run()).json()).toEqual({ executed: [], snapshot: null });
});

test('a database that a newer version has used is refused by name', async () => {
  await makeSite(folder, 0);
  const database = new Database(join(folder, 'turnpike.db'));
  database.exec("INSERT INTO schema_migrations VALUES ('9999-later', '2030-01-01')");
  database.close();
  const run = await runCli(['migrate', '--data-dir', folder, '--json']);
  expect(run.failure()).toMatchObject({
    code: 'database_newer',
    message: expect.stringContaining('9999-later'),
  });
  expect(run.exitCode).toBe(5);
  await expect(openSite(folder).use(async () => {})).rejects.toMatchObject({
    code: 'database_newer',
  });
  const copied = await runCli(['backup', join(folder, 'x'), '--data-dir', folder, '--json']);
  expect(copied.failure().code).toBe('database_newer');
});

test('a database of another program is refused, and nothing is created in it', async () => {
  for (const schema of ['CREATE TABLE users (id int)', 'CREATE TABLE songs (title text)']) {
    rmSync(join(folder, 'turnpike.db'), { force: true });
    const database = new Database(join(folder, 'turnpike.db'));
    database.exec(schema);
    await expect(openSite(folder).use(async () => {})).rejects.toMatchObject({
      code: 'database_foreign',
    });
    for (const words of [['migrate'], ['migrate', '--dry-run'], ['backup', join(folder, 'x')]])
      expect((await runCli([...words, '--data-dir', folder, '--json'])).failure().code).toBe(
        'database_foreign',
      );
    expect(
      database.prepare("SELECT count(*) FROM sqlite_master WHERE type = 'table'").pluck().get(),
    ).toBe(1);
    database.close();
  }
});
