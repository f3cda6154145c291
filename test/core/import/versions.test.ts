// Covers src/core/import/source.
/** Every release of One API and New API whose tables differ. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifyLedger } from '../../../src/core/billing/verify.ts';
import { runImport } from '../../../src/core/import/run-import.ts';
import { openSqliteSource } from '../../../src/core/import/source/sqlite-source.ts';
import { systemClock } from '../../../src/core/kernel/clock.ts';
import { openDatabase } from '../../../src/core/open-database.ts';
import {
  addRows,
  commonRows,
  type FamilyRow,
  type FamilyVariant,
  familyColumns,
  familyVariants,
  writeFamilyFile,
} from '../../support/family-database.ts';
import { testMasterKey } from '../../support/storage.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'turnpike-versions-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const samples = {
  id: 500,
  int: 1,
  str: '{"a":"b"}',
  bool: true,
  float: 1.5,
  del: '2025-04-11 23:31:32.1+08:00',
  blob: Buffer.from('{}'),
};

/** A row in which no column is empty, for each of these tables that the variant has. */
function fullRows(
  variant: FamilyVariant,
  tables: readonly string[],
): Readonly<Record<string, readonly FamilyRow[]>> {
  const columns = familyColumns(variant);
  const rows = tables.flatMap((table) => {
    const kinds = columns.get(table);
    if (kinds === undefined) return [];
    return [
      [
        table,
        [Object.fromEntries([...kinds].map(([name, kind]) => [name, samples[kind]]))],
      ] as const,
    ];
  });
  return Object.fromEntries(rows);
}

async function importVariant(variant: FamilyVariant) {
  const file = join(folder, 'old.db');
  const log = {
    id: 1,
    user_id: 1,
    created_at: 1_700_000_000,
    type: 2,
    quota: 5,
    model_name: 'gpt-4o',
    channel_id: 3,
  };
  writeFamilyFile(
    file,
    variant,
    addRows(addRows(commonRows, { logs: [log] }), fullRows(variant, fullTables)),
  );
  const source = openSqliteSource(file);
  const storage = await openDatabase({ url: 'sqlite::memory:', masterKey: testMasterKey });
  const family = variant.startsWith('newapi') ? 'newapi' : 'oneapi';
  const { signal } = new AbortController();
  const request = {
    family,
    source,
    storage,
    force: false,
    clock: systemClock,
    signal,
    progress: () => {},
  } as const;
  const report = await runImport(request).finally(() => source.close());
  return { report, storage };
}

const fullTables = [
  'users',
  'tokens',
  'channels',
  'redemptions',
  'top_ups',
  'midjourneys',
  'tasks',
  'logs',
];

/** Columns that no release's customer misses; the list is in docs/migrate.md. */
const leftOut: Partial<Record<FamilyVariant, Readonly<Record<string, readonly string[]>>>> = {
  'newapi-1.0': {
    users: ['remark (1)', 'stripe_customer (1)', 'last_login_at (1)'],
    channels: ['remark (1)'],
    top_ups: ['payment_provider (1)'],
  },
  'oneapi-0.6': { logs: ['system_prompt_reset (1)'] },
};

test.each(familyVariants)(
  '%s moves in whole: only columns that are listed are left out',
  async (variant) => {
    const { report, storage } = await importVariant(variant);
    for (const { expected, found } of report.proof) expect(found).toBe(expected);
    const columns = report.tables.flatMap(({ table, notes }) => {
      const examples = notes.find(({ reason }) => reason === 'column_left_out')?.examples;
      return examples === undefined ? [] : [[table, examples] as const];
    });
    expect(Object.fromEntries(columns)).toEqual(leftOut[variant] ?? {});
    expect(await storage.users.findByUsername('alice')).toMatchObject({
      id: 2,
      quota: -1_234,
      group: 'default',
    });
    expect(
      await storage.tokens.findByKeyHash(storage.tokens.hashKey('k'.repeat(48))),
    ).toMatchObject({ id: 1, remainQuota: 500 });
    expect(await storage.channels.find(3)).toMatchObject({
      models: 'gpt-4o,gpt-4o-mini',
      autoBan: true,
      status: 1,
    });
    expect(await storage.logs.find(1)).toMatchObject({
      quota: 5,
      modelName: 'gpt-4o',
      channelId: 3,
    });
    expect(await verifyLedger(storage)).toMatchObject({ ok: true });
    await storage.close();
  },
);
