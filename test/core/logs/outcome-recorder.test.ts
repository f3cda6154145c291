import { expect, test } from 'vitest';
import { AppError } from '../../../src/core/kernel/errors.ts';
import { silentLogger } from '../../../src/core/kernel/logger.ts';
import { createOutcomeRecorder } from '../../../src/core/logs/outcome-recorder.ts';
import type { NewUsageLog, RequestOutcomes, Storage } from '../../../src/core/storage/storage.ts';
import { createTestClock } from '../../support/app.ts';

/** A recorder over a database that fails with the given errors first. */
function setUp(...failures: Error[]) {
  const written: { counts: RequestOutcomes[]; rows: NewUsageLog[] } = { counts: [], rows: [] };
  const tables = {
    requestOutcomes: {
      add: async (counts: readonly RequestOutcomes[]) => void written.counts.push(...counts),
    },
    logs: { insertMany: async (rows: readonly NewUsageLog[]) => void written.rows.push(...rows) },
  };
  const storage = {
    transaction: async (work: (storage: typeof tables) => Promise<unknown>) => {
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
      await work(tables);
    },
  } as unknown as Pick<Storage, 'transaction'>;
  const clock = createTestClock();
  const options = { get: () => true } as never;
  const recorder = createOutcomeRecorder({ storage, options, clock, logger: silentLogger });
  const fail = (userId: number, times = 1) => {
    for (let index = 0; index < times; index += 1)
      recorder.record(userId, 'failed', () => ({
        userId,
        createdAt: Math.floor(clock.now() / 1000),
        type: 5,
        content: String(index),
      }));
  };
  return { recorder, written, clock, fail };
}

const sumOf = (counts: readonly RequestOutcomes[], name: 'failed' | 'unlogged' | 'succeeded') =>
  counts.reduce((sum, row) => sum + row[name], 0);

test('a user who fails all the time gets 30 rows a minute, and the others are counted', async () => {
  const { recorder, written, fail, clock } = setUp();
  fail(1, 100);
  fail(2);
  await recorder.save();
  expect(written.rows.filter(({ userId }) => userId === 1)).toHaveLength(30);
  expect(written.rows.filter(({ userId }) => userId === 2)).toHaveLength(1);
  expect(written.counts).toMatchObject([
    { userId: 1, failed: 100, unlogged: 70 },
    { userId: 2, failed: 1, unlogged: 0 },
  ]);
  clock.move(60_000);
  fail(1);
  await recorder.save();
  expect(written.rows).toHaveLength(32);
});

test('all users together get 300 rows a minute', async () => {
  const { recorder, written, fail } = setUp();
  for (let user = 1; user <= 400; user += 1) fail(user);
  await recorder.save();
  expect(written.rows).toHaveLength(300);
  expect(sumOf(written.counts, 'unlogged')).toBe(100);
});

test('what could not be written for want of a database is written later, once', async () => {
  const { recorder, written, fail } = setUp(new AppError('database_unavailable'));
  fail(1);
  await expect(recorder.save()).rejects.toThrow('database_unavailable');
  recorder.record(1, 'succeeded');
  await recorder.save();
  await recorder.save();
  expect(written.rows).toHaveLength(1);
  expect(written.counts).toMatchObject([{ userId: 1, failed: 1, succeeded: 1, unlogged: 0 }]);
});

test('rows that the database refuses are dropped and counted; the counts are kept', async () => {
  const { recorder, written, fail } = setUp(new Error('constraint'));
  fail(1, 2);
  await expect(recorder.save()).rejects.toThrow('constraint');
  await recorder.save();
  expect(written.rows).toEqual([]);
  expect(written.counts).toMatchObject([{ failed: 2, unlogged: 2 }]);
});

test('while the database is unavailable at most 1,000 rows wait', async () => {
  const { recorder, written, fail, clock } = setUp();
  for (let minute = 0; minute < 5; minute += 1) {
    for (let user = 1; user <= 300; user += 1) fail(user);
    clock.move(60_000);
  }
  await recorder.save();
  expect(written.rows).toHaveLength(1000);
  expect(sumOf(written.counts, 'unlogged')).toBe(500);
});
