/**
 * What an import leaves behind when it does not end well: nothing, so that the next one is
 * complete.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openSqliteSource } from '../../../src/core/import/source/sqlite-source.ts';
import { planImport } from '../../../src/core/import-site.ts';
import { systemClock } from '../../../src/core/kernel/clock.ts';
import { addRows, commonRows, writeFamilyFile } from '../../support/family-database.ts';
import { writeGeneratedSite } from '../../support/generated-family.ts';
import { type ImportReportJson, notesOf, withImportedSite } from '../../support/imported-site.ts';
import { program } from '../../support/program.ts';
import { spawnGateway } from '../../support/spawned-gateway.ts';
import { runCli } from '../run-cli.ts';

const logs = 40_000;

const sources = mkdtempSync(join(tmpdir(), 'turnpike-import-faults-'));
/** Large enough to be interrupted in the middle. */
const large = join(sources, 'large.db');
let folder = '';
let dataDir = '';
beforeAll(() => {
  writeGeneratedSite(large, { users: 20, logs, channelUrl: 'http://127.0.0.1:1' });
});
afterAll(() => rmSync(sources, { recursive: true, force: true }));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-import-fault-'));
  dataDir = join(folder, 'data');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const commandLine = (file: string) => [
  program,
  'import',
  'newapi',
  file,
  '--data-dir',
  dataDir,
  '--json',
];

function start(command: string, args: readonly string[]) {
  const child = spawn(command, args, {
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, stderr }));
  return { child, ended };
}

/** Resolves once rows are being written. */
async function isWriting(child: ChildProcess): Promise<void> {
  const size = () =>
    statSync(join(dataDir, 'turnpike.db-wal'), { throwIfNoEntry: false })?.size ?? 0;
  while (size() < 1_500_000) {
    if (child.exitCode !== null) throw new Error('the import ended before it was interrupted');
    await sleep(5);
  }
}

async function nothingIsLeftAndTheNextRunIsComplete(): Promise<void> {
  await withImportedSite(dataDir, async (storage) => {
    expect(await storage.users.count()).toBe(0);
    expect(await storage.options.list()).toEqual([]);
    expect(await storage.imports.figures('logs', [])).toMatchObject({ count: 0 });
  });
  const report = (await runCli(commandLine(large).slice(1))).json<ImportReportJson>();
  expect(report.proof).toContainEqual({
    table: 'logs',
    figure: 'rows',
    expected: `${logs}`,
    found: `${logs}`,
  });
}

test('an import that is killed in the middle leaves nothing behind', async () => {
  const { child, ended } = start(process.execPath, commandLine(large));
  await isWriting(child);
  child.kill('SIGKILL');
  expect(await ended).toMatchObject({ signal: 'SIGKILL' });
  await nothingIsLeftAndTheNextRunIsComplete();
});

test('Ctrl-C in the middle ends the import with a message, and leaves nothing behind', async () => {
  const { child, ended } = start(process.execPath, commandLine(large));
  await isWriting(child);
  child.kill('SIGINT');
  const { code, stderr } = await ended;
  expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'import_interrupted' } });
  expect(code).not.toBe(0);
  await nothingIsLeftAndTheNextRunIsComplete();
});

test.skipIf(process.platform === 'win32')(
  'a disk without room is named, and nothing is left behind',
  async () => {
    // Blocks of 1,024 bytes: enough for the schema, too few for the rows.
    const { ended } = start('bash', [
      '-c',
      'ulimit -f 4000; exec "$0" "$@"',
      process.execPath,
      ...commandLine(large),
    ]);
    const { code, stderr } = await ended;
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: 'database_unavailable', message: expect.stringContaining('disk') },
    });
    expect(code).toBe(6);
    await nothingIsLeftAndTheNextRunIsComplete();
  },
);

test('nothing is imported beside a running gateway', async () => {
  const gateway = await spawnGateway({}, dataDir);
  try {
    const result = await runCli(commandLine(large).slice(1));
    expect(result.failure()).toMatchObject({
      code: 'data_folder_locked',
      message: expect.stringContaining(dataDir),
    });
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
  } finally {
    await gateway.close();
  }
});

test('a source that is written while it is read is imported as it was at the beginning', async () => {
  const file = join(folder, 'one-api.db');
  writeFamilyFile(file, 'newapi-0.6', commonRows);
  const writer = new BetterSqlite3(file);
  writer.pragma('journal_mode = WAL');
  let changes = 0;
  const write = () => {
    changes += 1;
    writer.prepare('UPDATE users SET quota = quota + 1').run();
    writer
      .prepare('INSERT INTO logs (id, user_id, created_at, type, quota) VALUES (?, 1, 5, 2, 7)')
      .run(changes);
  };
  const { signal } = new AbortController();
  const request = {
    family: 'newapi',
    sourceName: file,
    force: false,
    clock: systemClock,
    signal,
  } as const;
  const report = await planImport({ ...request, progress: write });
  expect(changes).toBeGreaterThan(3);
  expect(report.tables.find(({ table }) => table === 'logs')).toMatchObject({ read: 0 });
  writer.close();
  // The next run reads what was written.
  const next = (
    await runCli(['import', 'newapi', file, '--data-dir', dataDir, '--json'])
  ).json<ImportReportJson>();
  expect(next.tables.find(({ table }) => table === 'logs')).toMatchObject({ read: changes });
});

test('a file that a crash of the old program left half written is refused with what helps', () => {
  const file = join(folder, 'one-api.db');
  writeFamilyFile(file, 'newapi-0.6', commonRows);
  const writer = new BetterSqlite3(file);
  writer.exec(
    'PRAGMA cache_size = 1; BEGIN; UPDATE users SET quota = 5; CREATE TABLE filler AS SELECT hex(zeroblob(2000000)) AS text',
  );
  for (const end of ['', '-journal'])
    copyFileSync(`${file}${end}`, join(folder, `crashed.db${end}`));
  writer.exec('ROLLBACK');
  writer.close();
  expect(() => openSqliteSource(join(folder, 'crashed.db'))).toThrow(
    expect.objectContaining({
      code: 'import_source_unreadable',
      params: expect.objectContaining({
        problem: expect.stringContaining('start the old program'),
      }),
    }),
  );
});

test('an old program that is started during an import keeps what it writes', async () => {
  const file = join(folder, 'one-api.db');
  writeFamilyFile(file, 'newapi-0.6', commonRows);
  new BetterSqlite3(file).exec('PRAGMA journal_mode = WAL').close();
  const source = openSqliteSource(file);
  const writer = new BetterSqlite3(file);
  writer.pragma('wal_autocheckpoint = 0');
  expect(writer.prepare('SELECT count(*) FROM users').pluck().get()).toBe(5);
  await source.close();
  writer.exec('UPDATE users SET quota = 42 WHERE id = 2');
  const other = new BetterSqlite3(file, { readonly: true });
  expect(other.prepare('SELECT quota FROM users WHERE id = 2').pluck().get()).toBe(42);
  other.close();
  writer.close();
  if (process.platform !== 'linux') return;
  // Nobody else has it open: nothing stays beside it.
  await openSqliteSource(file).close();
  expect(readdirSync(folder)).toEqual(['one-api.db']);
});

test('ids and numbers out of range, repeated ids and texts in number columns stop nothing', async () => {
  const file = join(folder, 'one-api.db');
  writeFamilyFile(file, 'newapi-0.6', addRows(commonRows, {}));
  const database = new BetterSqlite3(file);
  // An interrupted migration of the old program: the copy of a table has no primary key.
  database.exec(
    'ALTER TABLE logs RENAME TO old_logs; CREATE TABLE logs AS SELECT * FROM old_logs; DROP TABLE old_logs',
  );
  const insert = database.prepare(
    'INSERT INTO logs (id, user_id, created_at, type, quota, prompt_tokens) VALUES (?, 1, ?, ?, ?, ?)',
  );
  insert.run(1, 5, 2, 1, 1);
  insert.run(1, 6, 2, 2, 2);
  insert.run(null, 6, 2, 4, 4);
  insert.run(9_223_372_036_854_775_807n, 6, 2, 8, 8);
  insert.run(2, 'yesterday', 2, 'much', Number.POSITIVE_INFINITY);
  insert.run(3, 7, 5_000_000_000, -(2 ** 70), 16);
  database.exec('UPDATE tokens SET status = 99999999999 WHERE id = 1');
  const hour = `'carol', 'gpt-4o', 1699999200`;
  database.exec(`INSERT INTO quota_data (user_id, username, model_name, created_at, token_used, count, quota)
    VALUES (2, ${hour}, 1, 1, 9223372036854775807), (2, ${hour}, 1, 1, 9223372036854775807)`);
  database.close();
  const report = (
    await runCli(['import', 'newapi', file, '--data-dir', dataDir, '--json'])
  ).json<ImportReportJson>();
  expect(notesOf(report, 'logs')).toEqual({
    id_unusable: ['', '1', '9223372036854775807'],
    number_out_of_range: ['2 prompt_tokens', '3 type', '3 quota'],
    log_type_changed: ['3: 2147483647'],
  });
  expect(notesOf(report, 'tokens')).toMatchObject({ number_out_of_range: ['1 status'] });
  expect(notesOf(report, 'quota_data')).toMatchObject({ number_out_of_range: ['user 2 quota'] });
  for (const { expected, found } of report.proof) expect(found).toBe(expected);
});

test('keys that several rows have stay with the first one, and rows without a key are left out', async () => {
  const file = join(folder, 'one-api.db');
  const token = (id: number, key: string | null) => ({
    id,
    user_id: 1,
    key,
    status: 1,
    name: `t${id}`,
    remain_quota: 9,
    used_quota: 0,
  });
  const code = (id: number, key: string) => ({
    id,
    user_id: 1,
    key,
    status: 1,
    name: `c${id}`,
    quota: 7,
  });
  const rows = addRows(commonRows, {
    tokens: [
      token(10, 'k'.repeat(48)),
      token(11, `sk-${'L'.repeat(48)}`),
      token(12, ''),
      token(13, null),
    ],
    redemptions: [code(10, 'c'.repeat(32)), code(11, '  ')],
  });
  writeFamilyFile(file, 'newapi-0.6', rows);
  const report = (
    await runCli(['import', 'newapi', file, '--data-dir', dataDir, '--json'])
  ).json<ImportReportJson>();
  expect(notesOf(report, 'tokens')).toMatchObject({
    duplicate_key: ['10 t10', '11 t11'],
    key_missing: ['12 t12', '13 t13'],
  });
  expect(notesOf(report, 'redemptions')).toMatchObject({
    duplicate_key: ['10 c10'],
    key_missing: ['11 c11'],
  });
  for (const { expected, found } of report.proof) expect(found).toBe(expected);
  expect(report.proof).toContainEqual({
    table: 'tokens',
    figure: 'rows',
    expected: '3',
    found: '3',
  });
});
