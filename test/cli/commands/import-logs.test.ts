/** `--log-from` and `--batch`: usage logs in a database of their own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  addRows,
  commonRows,
  type FamilyRow,
  writeFamilyFile,
} from '../../support/family-database.ts';
import { type ImportReportJson, withImportedSite } from '../../support/imported-site.ts';
import { runCli } from '../run-cli.ts';

let folder = '';
let file = '';
let logFile = '';
let dataDir = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-import-logs-'));
  file = join(folder, 'one-api.db');
  logFile = join(folder, 'log.db');
  dataDir = join(folder, 'data');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (...argv: readonly string[]) =>
  runCli(['import', 'newapi', ...argv, '--data-dir', dataDir, '--json']);
const logs = (first: number, count: number): readonly FamilyRow[] =>
  Array.from({ length: count }, (_, index) => ({
    id: first + index,
    user_id: 2,
    created_at: 1_700_000_000 + index,
    type: 2,
    quota: 3,
    username: 'alice',
  }));
const proofOf = (report: ImportReportJson) =>
  report.proof.find(({ table, figure }) => table === 'logs' && figure === 'rows');

test('logs are read from the database that --log-from names, in batches, and those of the main database are named as left out', async () => {
  writeFamilyFile(file, 'newapi-0.6', addRows(commonRows, { logs: logs(1, 4) }));
  writeFamilyFile(logFile, 'newapi-0.6', { logs: logs(1, 25) });
  const result = await run(file, '--log-from', logFile, '--batch', '7');
  expect(result.stderr).toBe('');
  const report = result.json<ImportReportJson>();
  expect(proofOf(report)).toMatchObject({ expected: '25', found: '25' });
  expect(report.left_out_tables).toContainEqual({ table: 'logs', rows: 4 });
  expect(report.logs_elsewhere).toBe(false);
  expect(await withImportedSite(dataDir, (storage) => storage.logs.find(25))).toMatchObject({
    userId: 2,
    quota: 3,
  });
});

test('a site whose logs are elsewhere is told so, and a second run adds them', async () => {
  writeFamilyFile(file, 'newapi-0.6', commonRows);
  writeFamilyFile(logFile, 'newapi-0.6', { logs: logs(1, 5) });
  expect((await run(file)).json<ImportReportJson>().logs_elsewhere).toBe(true);
  const report = (await run(file, '--log-from', logFile)).json<ImportReportJson>();
  expect(proofOf(report)).toMatchObject({ expected: '5', found: '5' });
  expect(report.tables.find(({ table }) => table === 'users')).toMatchObject({
    carried: 0,
    already_there: 5,
  });
});

test('the address comes from standard input where SOURCE is -', async () => {
  writeFamilyFile(file, 'newapi-0.6', commonRows);
  const result = await runCli(['import', 'newapi', '-', '--data-dir', dataDir, '--json'], {
    input: `${file}\n`,
  });
  expect(result.json<ImportReportJson & { source: string }>().source).toBe(file);
});

test('a database without logs, an address of another engine and a batch of no rows are refused', async () => {
  writeFamilyFile(file, 'newapi-0.6', commonRows);
  new BetterSqlite3(logFile).exec('CREATE TABLE something (id integer)').close();
  expect((await run(file, '--log-from', logFile)).failure()).toMatchObject({
    code: 'import_source_foreign',
    message: expect.stringContaining('logs'),
  });
  expect((await run(file, '--log-from', 'clickhouse://host/logs')).failure()).toMatchObject({
    code: 'import_source_unreadable',
    message: expect.stringContaining('clickhouse'),
  });
  expect((await run(file, '--batch', '0')).exitCode).toBe(2);
  expect((await run(file)).exitCode).toBe(0);
});
