import { describe, expect, test } from 'vitest';
import { codeOf, createTestApp } from '../../support/app.ts';

const noon = Date.UTC(2026, 10, 20, 12) / 1000;

async function setUp() {
  const test = await createTestApp();
  const id = await test.addUser('ann');
  await test.operator.channel.create({ name: 'lane', type: 1, key: 'k', models: 'm' });
  const add = (fields: object) =>
    test.app.storage.logs.insert({
      userId: id,
      username: 'ann',
      createdAt: noon,
      type: 2,
      content: '',
      ...fields,
    });
  return { ...test, id, add, me: await test.as(id) };
}

describe('what a user sees of the own logs', () => {
  test('running numbers over the pages, no channel, nothing for administrators', async () => {
    const { me, add, operator } = await setUp();
    for (let index = 0; index < 12; index += 1) {
      await add({
        channelId: 1,
        modelName: 'm',
        other: '{"group_ratio":1,"admin_info":{"use_channel":[1]}}',
      });
    }
    const first = await me.log.listSelf({ type: 2 });
    const second = await me.log.listSelf({ type: 2, p: 2 });
    expect(first).toMatchObject({ total: 12, page: 1, page_size: 10 });
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(
      Array.from({ length: 12 }, (_, index) => index + 1),
    );
    expect(first.items[0]).toMatchObject({
      channel: 0,
      channel_name: '',
      other: '{"group_ratio":1}',
    });
    expect((await operator.log.list({ type: 2 })).items[0]).toMatchObject({
      channel: 1,
      channel_name: 'lane',
      other: expect.stringContaining('admin_info'),
    });
    expect(JSON.stringify(await me.log.searchSelf({ keyword: '2' }))).not.toContain('admin_info');
  });

  test('only the own, also by key of a token', async () => {
    const { me, add, operator, as } = await setUp();
    const token = await me.token.create({ name: 't' });
    await add({ tokenId: token.id, tokenName: 't', channelId: 1 });
    await add({ userId: 1, username: 'root', tokenId: 77 });
    expect((await me.log.listSelf({ type: 2 })).total).toBe(1);
    expect(await operator.log.ofToken({ key: `sk-${token.key}` })).toMatchObject([
      { id: 1, token_name: 't', channel: 0 },
    ]);
    expect(await codeOf(operator.log.ofToken({ key: 'sk-nothing' }))).toBe('token_unknown');
    expect(await codeOf((await as(2)).log.list())).toBe('forbidden');
  });
});

describe('logs by key of a token', () => {
  const use = async (
    fields: object,
    change: (made: Awaited<ReturnType<typeof setUp>>, id: number) => Promise<unknown>,
  ) => {
    const made = await setUp();
    const token = await made.me.token.create({ name: 't', ...fields });
    await change(made, token.id);
    return codeOf(made.operator.log.ofToken({ key: `sk-${token.key}` }));
  };
  const nothing = () => Promise.resolve();

  test.each<[string, object, Parameters<typeof use>[1], string]>([
    [
      'from an address that is not on its list',
      { allow_ips: '203.0.113.7' },
      nothing,
      'ip_not_allowed',
    ],
    [
      'of a disabled token',
      {},
      ({ me }, id) => me.token.update({ id, status: 2, status_only: true }),
      'token_disabled',
    ],
    [
      'of a token whose time is over',
      { expired_time: noon + 10 },
      async ({ clock }) => clock.move(3_600_000),
      'token_expired',
    ],
    [
      'of a banned user',
      {},
      ({ operator }) => operator.user.manage({ id: 2, action: 'disable' }),
      'user_banned',
    ],
  ])('are refused %s', async (_, fields, change, code) => {
    expect(await use(fields, change)).toBe(code);
  });

  test('are shown for an exhausted token', async () => {
    expect(await use({}, ({ app }, id) => app.storage.tokens.setStatus(id, 1, 4))).toBe(
      'it did not fail',
    );
  });
});

test('filters: model patterns, times inclusive, channel and type 0 mean any', async () => {
  const { operator, add } = await setUp();
  await add({ modelName: 'gpt-4o', createdAt: noon - 10, channelId: 1 });
  await add({ modelName: 'gpt-4o-mini', createdAt: noon });
  await add({ modelName: 'x%', createdAt: noon });
  const models = async (query: object) =>
    (await operator.log.list({ type: 2, ...query })).items.map((log) => log.model_name);
  expect(await models({ model_name: 'gpt-4o' })).toEqual(['gpt-4o']);
  expect(await models({ model_name: 'gpt%' })).toEqual(['gpt-4o-mini', 'gpt-4o']);
  expect(await models({ model_name: '%mini' })).toEqual(['gpt-4o-mini']);
  expect(await models({ start_timestamp: noon - 10, end_timestamp: noon - 10 })).toEqual([
    'gpt-4o',
  ]);
  expect(await models({ channel: 1 })).toEqual(['gpt-4o']);
  expect(await models({ channel: 0 })).toHaveLength(3);
});

test('a request is found by its id, for its owner and for administrators', async () => {
  const { me, add, operator } = await setUp();
  const requestId = '20261120120000123000000abcdefgh';
  await add({ requestId, modelName: 'm' });
  await add({ requestId: '20261120120000123000000ijklmnop', modelName: 'm' });
  await add({ requestId, modelName: 'm', userId: 1, username: 'root' });
  expect((await me.log.listSelf({ request_id: requestId })).items).toMatchObject([
    { request_id: requestId },
  ]);
  expect((await operator.log.list({ request_id: requestId })).total).toBe(2);
  expect(
    (await operator.log.list({ request_id: requestId, start_timestamp: noon + 60 })).total,
  ).toBe(0);
  expect((await operator.log.list({ request_id: 'nothing' })).total).toBe(0);
});

test('statistics: the range for the sum, the last minute for the pace, other types never', async () => {
  const { operator, me, add } = await setUp();
  await add({ quota: 5, createdAt: noon - 3600, promptTokens: 1 });
  await add({ quota: 7, createdAt: noon - 30, promptTokens: 10, completionTokens: 3 });
  await add({ quota: 100, type: 1 });
  expect(await operator.log.stat({ type: 1, username: 'ann' })).toEqual({
    quota: 12,
    rpm: 1,
    tpm: 13,
  });
  expect(await me.log.statSelf({ start_timestamp: noon - 60 })).toEqual({
    quota: 7,
    rpm: 1,
    tpm: 13,
  });
  expect(await (await setUp()).operator.log.stat()).toEqual({ quota: 0, rpm: 0, tpm: 0 });
});

describe('pruning', () => {
  test('deletes what is older, writes down that it did, leaves the ledger', async () => {
    const { operator, add, app } = await setUp();
    await add({ createdAt: 10 });
    await add({ createdAt: 11 });
    expect(await operator.log.prune({ target_timestamp: 11 })).toBe(1);
    expect((await operator.log.list({ type: 3 })).items).toMatchObject([{ username: 'root' }]);
    expect((await app.storage.ledger.page({}, { offset: 0, limit: 1 })).total).toBe(1);
  });
  test.each([
    [0, 'target_time_required'],
    [noon + 1, 'target_time_future'],
  ])('%d: %s', async (target_timestamp, code) => {
    expect(await codeOf((await setUp()).operator.log.prune({ target_timestamp }))).toBe(code);
  });
});

test('tail: the newest first of all, then what came after, oldest first', async () => {
  const { operator, add } = await setUp();
  const ids: number[] = [];
  for (let index = 0; index < 3; index += 1) ids.push(await add({ modelName: `m${index}` }));
  const start = await operator.log.tail({ model_name: 'm%' });
  expect(start.map(({ id }) => id)).toEqual(ids);
  const next = await add({ modelName: 'm9' });
  expect((await operator.log.tail({ after: ids[2] ?? 0 })).map(({ id }) => id)).toEqual([next]);
  expect((await operator.log.get({ id: next })).model_name).toBe('m9');
  expect(await codeOf(operator.log.get({ id: 9999 }))).toBe('not_found');
});

describe('hourly usage', () => {
  test('sums by model for the site, rows for a user, a month and an hour at most', async () => {
    const { operator, me, app, id } = await setUp();
    const row = { channelId: 1, modelName: 'm', hour: noon, tokens: 5, quota: 3 };
    await app.storage.quotaData.add([
      { ...row, userId: id, username: 'ann' },
      { ...row, userId: 1, username: 'root' },
    ]);
    expect(await operator.data.all({})).toMatchObject([
      { user_id: 0, username: '', count: 2, quota: 6, token_used: 10, created_at: noon },
    ]);
    expect(await operator.data.all({ username: 'ann' })).toMatchObject([{ user_id: id, count: 1 }]);
    expect(
      await me.data.self({ start_timestamp: noon - 30 * 86_400 - 3600, end_timestamp: noon }),
    ).toHaveLength(1);
    expect(
      await codeOf(me.data.self({ start_timestamp: noon - 32 * 86_400, end_timestamp: noon })),
    ).toBe('range_too_long');
  });

  test('overview: the site for administrators, one’s own for others, without channels', async () => {
    const { operator, me, app, id } = await setUp();
    const row = { channelId: 1, modelName: 'm', hour: noon, tokens: 5, quota: 3 };
    await app.storage.quotaData.add([
      { ...row, userId: id, username: 'ann' },
      { ...row, userId: 1, username: 'root' },
    ]);
    app.logs.traffic.record({
      model: 'gpt-4o',
      durationMs: 200,
      status: 0,
      quota: 0,
      channelId: 1,
      ok: true,
      firstByteMs: 80,
      final: true,
      promptTokens: 1,
      completionTokens: 1,
      cachedTokens: 0,
    });
    expect(await operator.overview.get()).toMatchObject({
      spent_today: 6,
      requests_today: 2,
      rpm: 1,
      models: [{ model_name: 'm', quota: 6, count: 2 }],
      channel_states: { working: 1, untested: 0, failing: 0 },
      channels: [
        {
          id: 1,
          name: 'lane',
          state: 'working',
          recent: [0],
          response_time: 80,
          requests: 1,
        },
      ],
    });
    expect(await me.overview.get()).toMatchObject({
      spent_today: 3,
      requests_today: 1,
      succeeded: 0,
      channels: [],
    });
    expect((await operator.overview.get({ scope: 'self' })).spent_today).toBe(3);
  });

  test('overview: a channel that failed its test or was never tested is not called working', async () => {
    const { operator, app } = await setUp();
    const row = { name: 'c', type: 1, key: 'k', models: 'm', group: 'default' };
    for (let count = 0; count < 11; count += 1) await operator.channel.create(row);
    await app.storage.channels.updateTestResult(2, 70, noon, 'refused');
    await app.storage.channels.updateTestResult(3, 70, noon, '');
    await operator.channel.update({ id: 4, status: 2 });
    const { channel_states, channels } = await operator.overview.get();
    expect(channel_states).toEqual({
      auto_disabled: 0,
      cooling: 0,
      failing: 1,
      working: 1,
      untested: 9,
      disabled: 1,
    });
    expect(channels).toHaveLength(8);
    expect(channels.slice(0, 3).map(({ id, state }) => [id, state])).toEqual([
      [2, 'failing'],
      [3, 'working'],
      [12, 'untested'],
    ]);
    expect((await operator.overview.get({ channels: 100 })).channels).toHaveLength(12);
    expect((await operator.overview.channelNames({})).length).toBe(12);
  });
});
