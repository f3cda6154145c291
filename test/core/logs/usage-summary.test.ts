import { describe, expect, test } from 'vitest';
import { toQuota } from '../../../src/core/kernel/quota.ts';
import { codeOf, createTestApp } from '../../support/app.ts';

const hour = 3600;
/** 2026-11-20 12:00 in UTC, 20:00 in Shanghai. */
const noon = Date.UTC(2026, 10, 20, 12) / 1000;

async function setUp() {
  const made = await createTestApp();
  const ann = await made.addUser('ann');
  await made.operator.channel.create({ name: 'paid', type: 1, key: 'k', models: 'm' });
  await made.operator.channel.create({ name: 'silent', type: 1, key: 'k', models: 'm' });
  await made.app.storage.quotaData.add([
    {
      userId: ann,
      username: 'ann',
      channelId: 1,
      modelName: 'a',
      hour: noon - 5 * hour,
      quota: 100,
      tokens: 7,
      cost: 30_500,
    },
    {
      userId: ann,
      username: 'ann',
      channelId: 2,
      modelName: 'b',
      hour: noon - 5 * hour,
      quota: 40,
      tokens: 3,
    },
    {
      userId: 1,
      username: 'root',
      channelId: 1,
      modelName: 'a',
      hour: noon - 2 * hour,
      quota: 10,
      tokens: 1,
      cost: 12_000,
    },
    {
      userId: 1,
      username: 'root',
      channelId: 1,
      modelName: 'a',
      hour: noon - 30 * hour,
      quota: 5,
      tokens: 1,
    },
  ]);
  return { ...made, ann, me: await made.as(ann) };
}

const range = { start_timestamp: noon - 6 * hour, end_timestamp: noon };

describe('the usage of a range', () => {
  test('by model and hour, with a figure for every hour', async () => {
    const { operator } = await setUp();
    const usage = await operator.data.usage({ ...range, by: 'hour' });
    expect(usage.starts).toHaveLength(7);
    expect(usage.models).toEqual([
      {
        model_name: 'a',
        count: 2,
        quota: 110,
        tokens: 8,
        spans: {
          count: [0, 1, 0, 0, 1, 0, 0],
          quota: [0, 100, 0, 0, 10, 0, 0],
          tokens: [0, 7, 0, 0, 1, 0, 0],
        },
      },
      {
        model_name: 'b',
        count: 1,
        quota: 40,
        tokens: 3,
        spans: {
          count: [0, 1, 0, 0, 0, 0, 0],
          quota: [0, 40, 0, 0, 0, 0, 0],
          tokens: [0, 3, 0, 0, 0, 0, 0],
        },
      },
    ]);
    expect(usage).toMatchObject({
      totals: { count: 3, quota: 150, tokens: 11 },
      before: { count: 0 },
      balance: null,
    });
  });

  test('by days of the reader’s zone, beside the range before', async () => {
    const { operator } = await setUp();
    const days = {
      start_timestamp: noon,
      end_timestamp: noon,
      by: 'day',
      zone: 'Asia/Shanghai',
    } as const;
    const usage = await operator.data.usage(days);
    expect(usage.starts).toEqual([noon - 20 * hour]);
    // Until 08:00 on the next day in Shanghai it is still the same day in UTC.
    expect(usage).toMatchObject({ totals: { quota: 150 }, before: { quota: 5 } });
    expect((await operator.data.usage({ ...days, by: 'week' })).totals.quota).toBe(155);
  });

  test('of oneself, or for administrators of anybody by name', async () => {
    const { operator, me } = await setUp();
    expect((await me.data.usage(range)).totals).toEqual({ count: 2, quota: 140, tokens: 10 });
    expect((await me.data.usage({ ...range, scope: 'site' })).totals.quota).toBe(140);
    expect((await me.data.usage({ ...range, username: 'ann' })).totals.quota).toBe(140);
    expect(await codeOf(me.data.usage({ ...range, username: 'root' }))).toBe('forbidden');
    expect(await codeOf(me.data.margins(range))).toBe('forbidden');
    expect((await operator.data.usage({ ...range, scope: 'self' })).totals.quota).toBe(10);
    expect((await operator.data.usage({ ...range, username: 'ann' })).totals.quota).toBe(140);
    expect((await operator.data.usage({ ...range, username: 'nobody' })).totals.quota).toBe(0);
  });

  test('stays with its user when that user is renamed or deleted', async () => {
    const { operator, ann, app } = await setUp();
    await operator.user.update({ id: ann, username: 'anna' });
    expect((await operator.data.usage({ ...range, username: 'anna' })).totals.quota).toBe(140);
    expect(await operator.data.all({ username: 'anna' })).toMatchObject([
      { username: 'ann' },
      { username: 'ann' },
    ]);
    await app.storage.quotaData.add([
      {
        userId: 99,
        username: 'gone',
        channelId: 1,
        modelName: 'a',
        hour: noon,
        quota: 6,
        tokens: 1,
      },
    ]);
    expect(await operator.data.usage({ ...range, username: 'gone' })).toMatchObject({
      totals: { quota: 6 },
      balance: null,
    });
  });

  test('begins and is divided as the site says where the call does not', async () => {
    const { operator, me } = await setUp();
    expect((await me.data.usage({})).by).toBe('hour');
    await operator.option.set({ key: 'DataExportDefaultTime', value: 'week' });
    expect(await me.data.usage({})).toMatchObject({ by: 'week' });
  });

  test.each([
    [{ zone: 'Mars/Olympus' }, 'invalid_parameter'],
    [{ start_timestamp: noon, end_timestamp: noon - 1 }, 'invalid_parameter'],
    [
      { start_timestamp: 9_000_000_000_000, end_timestamp: 9_000_000_000_000, by: 'day' as const },
      'invalid_parameter',
    ],
    [
      { start_timestamp: 8_639_999_999_999, end_timestamp: 8_639_999_999_999, by: 'week' as const },
      'invalid_parameter',
    ],
    [
      { start_timestamp: Number.MAX_SAFE_INTEGER, end_timestamp: Number.MAX_SAFE_INTEGER },
      'invalid_parameter',
    ],
    [
      { start_timestamp: noon - 32 * 24 * hour, end_timestamp: noon, by: 'hour' as const },
      'range_too_long',
    ],
    [
      { start_timestamp: noon - 400 * 24 * hour, end_timestamp: noon, by: 'day' as const },
      'range_too_long',
    ],
  ])('refuses %j', async (input, code) => {
    const { operator } = await setUp();
    expect(await codeOf(operator.data.usage(input))).toBe(code);
    expect(await codeOf(operator.data.margins(input))).toBe(code);
  });
});

test('the balance over time begins with what there was and ends with what there is', async () => {
  const { me, operator, ann, app, clock } = await setUp();
  const grant = (amount: number) =>
    app.ledger.post({ userId: ann, kind: 'grant', amount: toQuota(amount), reference: null });
  const { quota: opening } = await app.ledger.balance(ann);
  clock.move(2 * hour * 1000);
  await grant(100);
  await grant(-30);
  clock.move(2 * hour * 1000);
  await grant(5);
  const now = clock.now() / 1000;
  const usage = await me.data.usage({
    start_timestamp: now - 3 * hour,
    end_timestamp: now + hour,
    by: 'hour',
  });
  expect(usage.balance).toEqual({
    opening,
    closing: [opening, opening + 70, opening + 70, opening + 75],
  });
  expect(
    (
      await operator.data.usage({ username: 'ann', end_timestamp: now, by: 'day' })
    ).balance?.closing.at(-1),
  ).toBe(opening + 75);
});

describe('margins', () => {
  test('by channel, model and hour; what is not known is null, not 0', async () => {
    const { operator } = await setUp();
    const margins = await operator.data.margins({ ...range, by: 'hour' });
    const unknown = { costed_quota: 0, costed_count: 0, cost: null, margin: null, share: null };
    expect(margins.channels).toEqual([
      {
        channel: 1,
        name: 'paid',
        type: 1,
        names_cost: false,
        count: 2,
        quota: 110,
        tokens: 8,
        costed_count: 2,
        costed_quota: 110,
        cost: 42.5,
        margin: 67.5,
        share: 67.5 / 110,
        models: [expect.objectContaining({ model_name: 'a', cost: 42.5, margin: 67.5 })],
      },
      {
        channel: 2,
        name: 'silent',
        type: 1,
        names_cost: false,
        count: 1,
        quota: 40,
        tokens: 3,
        ...unknown,
        models: [{ model_name: 'b', count: 1, quota: 40, tokens: 3, ...unknown }],
      },
    ]);
    expect(margins.totals).toMatchObject({
      quota: 150,
      costed_quota: 110,
      cost: 42.5,
      margin: 67.5,
    });
    expect(margins.spans.map(({ quota, margin }) => [quota, margin])).toEqual([
      [0, null],
      [140, 69.5],
      [0, null],
      [0, null],
      [10, -2],
      [0, null],
      [0, null],
    ]);
  });

  test('keep the figures of a channel that was deleted', async () => {
    const { operator } = await setUp();
    await operator.channel.remove({ id: 1 });
    expect((await operator.data.margins(range)).channels).toMatchObject([
      { channel: 1, name: '', quota: 110 },
      { channel: 2 },
    ]);
  });
});

test('own hourly rows without a range are those of the last month', async () => {
  const { me, app, ann } = await setUp();
  await app.storage.quotaData.add([
    {
      userId: ann,
      username: 'ann',
      channelId: 1,
      modelName: 'old',
      hour: noon - 40 * 24 * hour,
      quota: 6,
      tokens: 1,
    },
  ]);
  expect((await me.data.self({})).map((row) => row.model_name)).toEqual(['a', 'b']);
});
