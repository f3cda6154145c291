/** The statements of hourly sums, on a database; PostgreSQL runs them in test/core/billing. */
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { maxQuota } from '../../../../src/core/kernel/quota.ts';
import {
  addMinuteSql,
  RollupCollector,
  rollupColumns,
  rollupRecord,
  rollupTableNames,
  rollupUpsert,
} from '../../../../src/core/storage/ledger/rollups.ts';

let database = new Database(':memory:');
beforeEach(() => {
  database = new Database(':memory:');
});
afterEach(() => {
  database.close();
});

describe('hourly sums', () => {
  it('have their key before their counters', () => {
    expect(rollupColumns('channel_key_usage')).toEqual([
      'channel_id',
      'key_name',
      'created_at',
      'count',
      'quota',
    ]);
    expect(rollupRecord('channel_key_usage')).toBe(
      'channel_id bigint, key_name text, created_at bigint, count bigint, quota bigint',
    );
  });

  it.each(rollupTableNames)('of %s are added up, to the bound of quota', (table) => {
    const columns = rollupColumns(table);
    const counters = columns.filter((column) => !/(_id|_at|name|tag)$/.test(column));
    const keys = columns.filter((column) => !counters.includes(column));
    database.exec(
      `CREATE TABLE ${table} (${columns.join(', ')}, PRIMARY KEY (${keys.join(', ')}))`,
    );
    const add = (key: number, count: number) =>
      database
        .prepare(rollupUpsert(table, `VALUES (${columns.map(() => '?').join(', ')})`))
        .run(columns.map((column) => (keys.includes(column) ? key : count)));
    add(1, 5);
    add(2, 7);
    add(1, 3);
    add(2, -9);
    const read = () => database.prepare(`SELECT * FROM ${table} ORDER BY ${keys[0]}`).all();
    const row = (key: number, count: number) =>
      Object.fromEntries(columns.map((column) => [column, keys.includes(column) ? key : count]));
    expect(read()).toEqual([row(1, 8), row(2, -2)]);
    add(1, maxQuota - 8);
    expect(read()[0]).toEqual(row(1, maxQuota));
    add(1, 1);
    expect(read()[0]).toEqual(row(1, maxQuota));
  });

  it('of one batch are rows of their own where their keys are', () => {
    const charge = { username: 'u', channelId: 7, modelName: 'm', hour: 3600, tokens: 1, quota: 2 };
    const collector = new RollupCollector();
    // Put together without a mark, these keys are the same.
    collector.add({ ...charge, userId: 1, username: '1u' });
    collector.add({ ...charge, userId: 11, username: 'u' });
    collector.add({ ...charge, userId: 11, username: 'u' });
    expect(collector.rows().quota_data.map(({ user_id, count }) => [user_id, count])).toEqual([
      [1, 1],
      [11, 2],
    ]);
  });
});

it('a minute of a window is added to, replaced by a later one, and left by an earlier one', () => {
  database.exec(
    'CREATE TABLE budget_minutes (window_id, place, minute, spent, PRIMARY KEY (window_id, place))',
  );
  const add = (minute: number, spent: number) =>
    database.prepare(addMinuteSql('VALUES (1, 0, ?, ?)')).run(minute, spent);
  const read = () => database.prepare('SELECT minute, spent FROM budget_minutes').all();
  add(16, 5);
  add(16, 3);
  expect(read()).toEqual([{ minute: 16, spent: 8 }]);
  add(32, 2);
  expect(read()).toEqual([{ minute: 32, spent: 2 }]);
  add(16, 9);
  expect(read()).toEqual([{ minute: 32, spent: 2 }]);
});
