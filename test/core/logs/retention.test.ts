/** Old rows are archived and deleted (docs/rules/maintenance.md#retention). */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AppError } from '../../../src/core/kernel/errors.ts';
import type { ArchivePlace } from '../../../src/core/logs/archive-logs.ts';
import { createRetention } from '../../../src/core/logs/retention.ts';
import { logTypes } from '../../../src/core/vocabulary/log-types.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';

const day = 86_400;
let site: TestApp;
let archiveDir: string;
let run: ReturnType<typeof createRetention>;
beforeEach(async () => {
  site = await createTestApp();
  archiveDir = join(mkdtempSync(join(tmpdir(), 'turnpike-archive-')), 'archive');
  run = createRetention({ ...parts(), archiveDir });
});
const parts = () => ({
  storage: site.app.storage,
  options: site.app.site.options,
  clock: site.clock,
  openPlace: (): ArchivePlace => {
    throw new Error('a folder of the gateway is no place');
  },
});
afterEach(() => rmSync(join(archiveDir, '..'), { recursive: true }));

const now = () => Math.floor(site.clock.now() / 1000);
const ago = (days: number) => now() - days * day;
const signal = () => new AbortController().signal;
const log = (days: number, type: number = logTypes.consume) => ({
  userId: 1,
  username: 'root',
  type,
  createdAt: ago(days),
  content: `${days} days`,
});
/** Ages in days of what is left, of rows of usage or of errors. */
const left = async (type: number) => {
  const { items } = await site.app.storage.logs.page({ type }, { offset: 0, limit: 100 });
  return items.map(({ createdAt }) => (now() - createdAt) / day);
};
const archived = (name: string) =>
  gunzipSync(readFileSync(join(archiveDir, name)))
    .toString('utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

async function keep(days: Readonly<Record<string, number>>): Promise<void> {
  for (const [key, value] of Object.entries(days))
    await site.operator.option.set({ key, value: String(value) });
}

test('each kind is kept for its days, tasks that have not ended for ever', async () => {
  const { logs, tasks, midjourneys, auditLogs } = site.app.storage;
  await logs.insertMany([50, 20, 1].map((days) => log(days)));
  await logs.insertMany([50, 20, 1].map((days) => log(days, logTypes.error)));
  const task = { userId: 1, platform: 'suno', createdAt: ago(50), progress: '100%' };
  for (const days of [50, 1])
    await tasks.insert({ ...task, taskId: `t${days}`, finishTime: ago(days) });
  await tasks.insert({ ...task, taskId: 'open', finishTime: 0, progress: '50%' });
  const drawing = { userId: 1, action: 'IMAGINE', submitTime: ago(50) * 1000, progress: '100%' };
  await midjourneys.insert({ ...drawing, mjId: 'old', finishTime: ago(50) * 1000 });
  await midjourneys.insert({ ...drawing, mjId: 'new', finishTime: ago(1) * 1000 });
  const entry = { actorId: 1, actorName: 'root', actorRole: 100, action: 'a', target: '', ip: '' };
  await auditLogs.insert({ ...entry, detail: '{}', createdAt: ago(50) });
  const all = { offset: 0, limit: 100 };

  await run(signal());
  expect(await left(logTypes.consume)).toEqual([1, 20, 50]);

  await keep({ UsageLogDays: 30, ErrorLogDays: 10, TaskLogDays: 40, AuditLogDays: 30 });
  await run(signal());
  expect(await left(logTypes.consume)).toEqual([1, 20]);
  expect(await left(logTypes.error)).toEqual([1]);
  const { items: kept } = await tasks.page({}, all);
  expect(kept.map(({ taskId }) => taskId).sort()).toEqual(['open', 't1']);
  expect((await midjourneys.page({}, all)).items.map(({ mjId }) => mjId)).toEqual(['new']);
  const { items: entries } = await auditLogs.page({}, all);
  expect(entries.every(({ createdAt }) => createdAt >= ago(30))).toBe(true);

  // A run takes up what has become old since the last one, and forgets no shorter time.
  site.clock.move(15 * day * 1000);
  await run(signal());
  expect(await left(logTypes.consume)).toEqual([16]);
});

test('rows are archived before they are deleted, by month, each once', async () => {
  await site.app.storage.logs.insertMany(
    Array.from({ length: 1203 }, (_, index) => log(40 + index / 86_400)),
  );
  await site.app.storage.logs.insertMany([log(80)]);
  await keep({ UsageLogDays: 30 });
  await run(signal());
  expect(await left(logTypes.consume)).toEqual([]);
  expect(readdirSync(archiveDir)).toEqual(['usage-2026-09.jsonl.gz', 'usage-2026-10.jsonl.gz']);
  const rows = archived('usage-2026-10.jsonl.gz');
  expect(rows).toHaveLength(1203);
  expect(new Set(rows.map(({ id }) => id)).size).toBe(1203);
  expect(rows.at(-1)).toMatchObject({ content: '40 days', created_at: ago(40), username: 'root' });

  await site.app.storage.logs.insertMany([log(35)]);
  await keep({ UsageLogDays: 20 });
  await site.operator.option.set({ key: 'ArchiveOldRows', value: 'false' });
  await run(signal());
  expect(await left(logTypes.consume)).toEqual([]);
  expect(archived('usage-2026-10.jsonl.gz')).toHaveLength(1203);
});

test('what cannot be archived stays', async () => {
  await site.app.storage.logs.insertMany([log(50)]);
  await keep({ UsageLogDays: 30 });
  writeFileSync(archiveDir, 'a file where the folder should be');
  await expect(run(signal())).rejects.toThrow();
  expect(await left(logTypes.consume)).toEqual([50]);
  rmSync(archiveDir);
  await run(signal());
  expect([await left(logTypes.consume), existsSync(archiveDir)]).toEqual([[], true]);
});

test('an abort ends it after the step, and the next run goes on', async () => {
  await site.app.storage.logs.insertMany([log(50), log(49), log(48)]);
  await keep({ UsageLogDays: 30 });
  const abort = new AbortController();
  const { retention } = site.app.storage;
  const storage = {
    retention: {
      ...retention,
      delete: async (...what: Parameters<typeof retention.delete>) => {
        await retention.delete(...what);
        abort.abort();
      },
    },
  };
  const stopped = createRetention({ ...parts(), storage, archiveDir });
  await stopped(abort.signal);
  expect(await left(logTypes.consume)).toEqual([48, 49]);
  await stopped(signal());
  expect(await left(logTypes.consume)).toEqual([]);
});

test('balances and their proof do not need the rows', async () => {
  const { app, addUser, operator } = site;
  await addUser('ann', { quota: 500 });
  const before = await app.billing.verify();
  await keep({ UsageLogDays: 1, AuditLogDays: 1 });
  site.clock.move(100 * day * 1000);
  await run(signal());
  const after = await app.billing.verify();
  expect(after).toMatchObject({ ok: true, drifts: [], chain: { breaks: [] } });
  expect(after.chain).toEqual(before.chain);
  expect((await operator.audit.list()).items.every(({ action }) => action !== 'user.create')).toBe(
    true,
  );
});

test('a bucket gets whole files of days that are over, and rows stay until it has them', async () => {
  const objects = new Map<string, Buffer>();
  let isAway = true;
  const openPlace = (): ArchivePlace => ({
    list: async () => [],
    open: () => Promise.reject(new Error('not opened')),
    receive: async (name, write) => {
      if (isAway) throw new AppError('backup_place', { detail: 'away' });
      const draft = join(archiveDir, '..', 'draft');
      const result = await write(draft);
      objects.set(name, readFileSync(draft));
      return result;
    },
  });
  const toBucket = createRetention({ ...parts(), openPlace, archiveDir: 's3://old/rows' });
  // It is noon: the first half of the day 30 days ago is old, but the day is not over.
  await site.app.storage.logs.insertMany([60, 31, 30.2, 29].map((days) => log(days)));
  await site.app.storage.logs.insertMany([50, 31.6, 10].map((days) => log(days, logTypes.error)));
  await keep({ UsageLogDays: 30, ErrorLogDays: 30, AuditLogDays: 0 });
  await expect(toBucket(signal())).rejects.toMatchObject({ code: 'archive_place' });
  expect([(await left(logTypes.consume)).length, (await left(logTypes.error)).length]).toEqual([
    4, 3,
  ]);

  isAway = false;
  await toBucket(signal());
  await toBucket(signal());
  expect([await left(logTypes.consume), await left(logTypes.error)]).toEqual([[29, 30.2], [10]]);
  const files = [...objects].map(([name, file]) => {
    const lines = gunzipSync(file).toString('utf8').trimEnd().split('\n');
    return [name.slice(0, -26), lines.map((line) => JSON.parse(line).content)];
  });
  expect(files).toEqual([
    ['usage-2026-09-21', ['60 days']],
    ['usage-2026-10-20', ['31 days']],
    ['errors-2026-10-01', ['50 days', '31.6 days']],
  ]);

  site.clock.move(day * 1000);
  await toBucket(signal());
  expect(await left(logTypes.consume)).toEqual([30]);
});
