/** A year of usage logs, day by day: what the file takes with and without retention. */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import type { ArchivePlace } from '../../../src/core/logs/archive-logs.ts';
import { createRetention } from '../../../src/core/logs/retention.ts';
import { logTypes } from '../../../src/core/vocabulary/log-types.ts';
import { createTestApp } from '../../support/app.ts';

const folder = mkdtempSync(join(tmpdir(), 'turnpike-year-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const day = 86_400;
const perDay = 300;
const kept = 30;

/** Megabytes of the file after each month; rows that are left, and those in the archive. */
async function liveAYear(days: number) {
  const file = join(folder, `${days}.db`);
  const archiveDir = join(folder, `archive-${days}`);
  const { app, operator, clock } = await createTestApp({ SQLITE_PATH: file });
  const { storage, site } = app;
  const retain = createRetention({
    storage,
    options: site.options,
    clock,
    archiveDir,
    openPlace: (): ArchivePlace => {
      throw new Error('no place but the folder');
    },
  });
  await operator.option.set({ key: 'UsageLogDays', value: String(days) });
  const reader = new Database(file, { readonly: true });
  const sizes: number[] = [];
  for (let passed = 1; passed <= 365; passed += 1) {
    const now = Math.floor(clock.now() / 1000);
    await storage.logs.insertMany(
      Array.from({ length: perDay }, (_, index) => ({
        userId: 1 + (index % 50),
        username: `user${index % 50}`,
        type: logTypes.consume,
        createdAt: now + Math.floor((index * day) / perDay),
        modelName: `model-${index % 9}`,
        quota: toQuota(index),
        promptTokens: 900,
        completionTokens: 90,
        channelId: 1 + (index % 4),
        content: '',
        requestId: `request-${passed}-${index}`,
        other: '{"group_ratio":1}',
      })),
    );
    clock.move(day * 1000);
    await retain(new AbortController().signal);
    if (passed % 30 === 0) {
      const pages = reader.pragma('page_count', { simple: true }) as number;
      sizes.push((pages * 4096) / 1e6);
    }
  }
  const rows = reader.prepare('SELECT count(*) AS rows FROM logs WHERE type = ?');
  const left = (rows.get(logTypes.consume) as { rows: number }).rows;
  reader.close();
  const files = days === 0 ? [] : readdirSync(archiveDir);
  const archived = files.reduce((sum, name) => sum + statSync(join(archiveDir, name)).size, 0);
  const verified = await operator.ledger.verify({});
  return { sizes, left, archived: archived / 1e6, files: files.length, verified };
}

test('with retention the file stays as large as after its first months', async () => {
  const [without, withIt] = [await liveAYear(0), await liveAYear(kept)];
  const [, second = 0] = withIt.sizes;
  expect(without.left).toBe(365 * perDay);
  expect(withIt.left).toBe(kept * perDay);
  // The space of rows that were deleted is used again.
  expect(withIt.sizes.at(-1)).toBeLessThan(second * 1.1);
  expect(without.sizes.at(-1)).toBeGreaterThan((withIt.sizes.at(-1) ?? 0) * 3);
  expect(withIt.files).toBeGreaterThan(11);
  expect(withIt.archived).toBeLessThan((without.sizes.at(-1) ?? 0) / 8);
  for (const { verified } of [without, withIt]) expect(verified).toMatchObject({ ok: true });
}, 300_000);
