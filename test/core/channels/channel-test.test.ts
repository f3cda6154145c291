import { describe, expect, test } from 'vitest';
import {
  type ChannelTester,
  createChannelTests,
  type TestResult,
} from '../../../src/core/channels/channel-test.ts';
import { whenAborted } from '../../../src/core/kernel/abort.ts';
import { AppError } from '../../../src/core/kernel/errors.ts';
import { silentLogger } from '../../../src/core/kernel/logger.ts';
import type { ChannelNotices } from '../../../src/core/notices/channel-notices.ts';
import { codeOf, createTestApp } from '../../support/app.ts';

async function setUp(
  results: (id: number, signal: AbortSignal) => TestResult | Promise<TestResult>,
  options: Record<string, string | boolean> = {},
) {
  const { app, operator, root, clock } = await createTestApp();
  for (const [key, value] of Object.entries(options)) await operator.option.set({ key, value });
  const { ids } = await operator.channel.create({
    name: 'c',
    type: 1,
    key: 'a\nb\nc',
    models: 'm',
  });
  const asked: number[] = [];
  const testChannel: ChannelTester = async (id, { signal }) => {
    if (!ids.includes(id)) throw new AppError('not_found');
    asked.push(id);
    return results(id, signal);
  };
  const told: string[] = [];
  const notices: ChannelNotices = {
    disabled: ({ id }, reason) => void told.push(`${id} off: ${reason}`),
    enabled: ({ id }) => void told.push(`${id} on`),
    modelStopped: () => undefined,
    testFinished: () => void told.push('finished'),
    modelsEnd: () => undefined,
    modelsChanged: () => undefined,
  };
  const tests = createChannelTests({
    ...app,
    ...app.cluster,
    options: app.site.options,
    notices,
    testChannel,
    logger: silentLogger,
    pause: 0,
  });
  const runAll = async () => {
    await tests.startAll(root);
    await tests.finished();
  };
  const statuses = async () => (await app.storage.channels.listAll()).map(({ status }) => status);
  return { app, operator, clock, root, ids, tests, asked, told, runAll, statuses };
}

const good: TestResult = { ok: true, message: '', milliseconds: 120.4 };
const bad: TestResult = { ok: false, message: 'invalid key', milliseconds: 50, disables: true };
const slow: TestResult = { ok: true, message: '', milliseconds: 5001 };
const request = { model: '', stream: false, language: 'en' } as const;
const off = { AutomaticDisableChannelEnabled: true };
const on = { AutomaticEnableChannelEnabled: true };

test('a test is recorded; an unknown channel is not found', async () => {
  const { app, root, tests, clock } = await setUp(() => good);
  expect(await tests.test(root, 1, request)).toEqual(good);
  expect(await app.channels.get(1)).toMatchObject({
    responseTime: 120,
    testTime: clock.now() / 1000,
  });
  expect(await codeOf(tests.test(root, 99, request))).toBe('not_found');
});

test('a failed test says why until one goes well', async () => {
  let result = bad;
  const { root, tests, operator } = await setUp(() => result);
  await tests.test(root, 1, request);
  expect(await operator.channel.get({ id: 1 })).toMatchObject({
    response_time: 50,
    test_error: 'invalid key',
  });
  expect(await operator.channel.get({ id: 2 })).not.toHaveProperty('test_error');
  result = { ...bad, message: 'x'.repeat(9000) };
  await tests.test(root, 1, request);
  expect((await operator.channel.get({ id: 1 })).test_error).toHaveLength(500);
  result = good;
  await tests.test(root, 1, request);
  expect(await operator.channel.get({ id: 1 })).not.toHaveProperty('test_error');
});

describe('a run over all', () => {
  test.each([
    ['bad ones go where the option says so', () => bad, off, [3, 3, 3]],
    ['slow ones too', () => slow, off, [3, 3, 3]],
    ['not without the option', () => bad, {}, [1, 1, 1]],
    ['not for a failure of another kind', () => ({ ...bad, disables: false }), off, [1, 1, 1]],
    [
      'slow is fine with the threshold off',
      () => slow,
      { ...off, ChannelDisableThreshold: '0' },
      [1, 1, 1],
    ],
  ] as const)('%s', async (_, results, options, expected) => {
    const { runAll, statuses, app } = await setUp(results, options);
    await runAll();
    expect(await statuses()).toEqual(expected);
    const info = JSON.parse((await app.channels.get(1)).otherInfo || '{}') as {
      status_reason?: string;
    };
    if (expected[0] === 3)
      expect(info.status_reason).toMatch(/^(invalid key|响应时间 5\.00 秒，超过上限 5\.00 秒)$/);
  });

  test.each([
    ['good ones come back', good, on, 1],
    ['not without the option', good, {}, 3],
    ['not when slow', slow, on, 3],
  ] as const)('%s', async (_, result, options, expected) => {
    const { runAll, statuses, app, asked } = await setUp(() => result, options);
    await app.storage.channels.setStatus(1, 1, 3, { reason: 'r', time: 1 });
    await app.storage.channels.setStatus(2, 1, 2, { reason: '', time: 1 });
    await runAll();
    expect(await statuses()).toEqual([expected, 2, 1]);
    expect(asked).toEqual([1, 3]);
  });

  test('the owner is notified of changes and of the end', async () => {
    const results = (id: number) => (id === 1 ? good : bad);
    const { runAll, told, app } = await setUp(results, { ...off, ...on });
    await app.storage.channels.setStatus(1, 1, 3, { reason: 'r', time: 1 });
    await app.storage.channels.update(3, { autoBan: false });
    await runAll();
    expect(told).toEqual(['1 on', '2 off: invalid key', 'finished']);
  });

  test('channels that opted out stay', async () => {
    const { runAll, statuses, app } = await setUp(() => bad, off);
    await app.storage.channels.update(1, { autoBan: false });
    await runAll();
    expect(await statuses()).toEqual([1, 3, 3]);
  });

  test('reports its progress and result', async () => {
    const { tests, root, runAll, clock } = await setUp((id) => (id === 2 ? bad : good));
    expect(tests.report()).toMatchObject({ running: false, started_at: 0 });
    await tests.startAll(root);
    await tests.finished();
    const now = clock.now() / 1000;
    const ended = { running: false, total: 3, done: 3, failed: 1, started_at: now, ended_at: now };
    expect(tests.report()).toEqual(ended);
    await runAll();
    expect(tests.report()).toEqual(ended);
  });

  test('channels that cannot be tested count neither as passed nor as failed', async () => {
    const { tests, runAll, app } = await setUp((id) => {
      if (id === 2) throw new AppError('channel_test_unsupported');
      return bad;
    });
    await runAll();
    expect(tests.report()).toMatchObject({ total: 2, done: 2, failed: 2 });
    expect(await app.channels.get(2)).toMatchObject({ testTime: 0, otherInfo: '' });
  });

  test('one run at a time, here and on other nodes', async () => {
    const { tests, root, app } = await setUp(() => good);
    await tests.startAll(root);
    expect(await codeOf(tests.startAll(root))).toBe('channel_test_running');
    await tests.finished();
    const both = [tests.startAll(root), tests.startAll(root)].map(codeOf);
    expect(await Promise.all(both)).toEqual(['it did not fail', 'channel_test_running']);
    await tests.finished();
    const now = app.clock.now() / 1000;
    await app.storage.locks.acquire('channel-test', 'another node', now, now + 60, now + 600);
    expect(await codeOf(tests.startAll(root))).toBe('channel_test_running');
  });

  test('channels that cannot be tested end neither their run nor the next one', async () => {
    const { tests, root, told } = await setUp(() => {
      throw new Error('broken');
    });
    for (let round = 0; round < 2; round += 1) {
      await tests.startAll(root);
      await tests.finished();
    }
    expect(told).toEqual(['finished', 'finished']);
  });

  test('an administrator ends it, and the test under way counts for nothing', async () => {
    const held = Promise.withResolvers<void>();
    const hanging = async (id: number, signal: AbortSignal): Promise<TestResult> => {
      if (id === 1) return good;
      held.resolve();
      await whenAborted(signal);
      return { ...bad, message: 'aborted' };
    };
    const { tests, root, asked, told, statuses, operator } = await setUp(hanging, off);
    await tests.startAll(root);
    await held.promise;
    await tests.cancelRun();
    expect(asked).toEqual([1, 2]);
    expect(tests.report()).toMatchObject({ running: false, total: 3, done: 1, failed: 0 });
    expect(await operator.channel.get({ id: 2 })).not.toHaveProperty('test_error');
    expect(await statuses()).toEqual([1, 1, 1]);
    expect(told).toEqual([]);
    // The lease is free again, and the next run is not cancelled.
    await tests.startSome(root, [1]);
    await tests.finished();
    expect(tests.report()).toMatchObject({ total: 1, done: 1 });
  });

  test('stopping the program ends a run', async () => {
    const { tests, root, asked, told } = await setUp(() => good);
    await tests.startAll(root);
    await tests.stop();
    expect(asked.length).toBeLessThan(3);
    expect(told).toEqual([]);
  });
});

test('a run over some tests those, changes no status and notifies nobody', async () => {
  const { root, ids, tests, asked, told, statuses } = await setUp(() => bad, off);
  const [first = 0, second = 0] = ids;
  await tests.startSome(root, [second, first]);
  await tests.finished();
  expect(asked.toSorted()).toEqual([first, second]);
  expect(tests.report()).toMatchObject({ total: 2, failed: 2 });
  expect(told).toEqual([]);
  expect(await statuses()).toEqual([1, 1, 1]);
});
