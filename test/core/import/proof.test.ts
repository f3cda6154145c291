import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runImport } from '../../../src/core/import/run-import.ts';
import type { ImportSource } from '../../../src/core/import/source/source.ts';
import { openSqliteSource } from '../../../src/core/import/source/sqlite-source.ts';
import { systemClock } from '../../../src/core/kernel/clock.ts';
import { openDatabase } from '../../../src/core/open-database.ts';
import { commonRows, writeFamilyFile } from '../../support/family-database.ts';
import { testMasterKey } from '../../support/storage.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-proof-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test.each<[string, (source: ImportSource) => Partial<ImportSource>]>([
  ['sums', (source) => ({ sum: async (table, column) => (await source.sum(table, column)) + 1n })],
  [
    'rows',
    (source) => ({
      count: async (table) => (await source.count(table)) + (table === 'tokens' ? 1 : 0),
    }),
  ],
])('an import whose %s do not equal those of the source is undone', async (_what, fault) => {
  const file = join(folder, 'old.db');
  writeFamilyFile(file, 'newapi-0.6', commonRows);
  const source = openSqliteSource(file);
  const storage = await openDatabase({ url: 'sqlite::memory:', masterKey: testMasterKey });
  const { signal } = new AbortController();
  const request = {
    family: 'newapi',
    storage,
    force: false,
    clock: systemClock,
    signal,
    progress: () => {},
  } as const;
  await expect(
    runImport({ ...request, source: { ...source, ...fault(source) } }),
  ).rejects.toMatchObject({
    code: 'import_proof_failed',
  });
  expect(await storage.users.count()).toBe(0);
  expect(await storage.options.list()).toEqual([]);
  expect(await storage.imports.hasPostings()).toBe(false);
  await runImport({ ...request, source });
  expect(await storage.users.count()).toBe(5);
  await source.close();
  await storage.close();
});
